import { PROGRESS_INTERVAL_MS } from '../limits.js'
import type { Host } from './host.js'

/** The progress messages while a call waits for the person. */
export interface Waiting {
  /** Milliseconds since the epoch. */
  readonly until: number
  /** The first message, with everything that the person needs. */
  readonly first: string
  readonly later: () => string
}

/** Sends the host a progress message every two seconds, until the returned function is called. */
export function reportProgress({ progress }: Host, { until, first, later }: Waiting): () => void {
  if (progress === undefined) return () => undefined
  const startedAt = Date.now()
  const total = Math.ceil((until - startedAt) / 1000)
  progress({ progress: 0, total, message: first })
  const timer = setInterval(() => {
    progress({ progress: Math.min(total, (Date.now() - startedAt) / 1000), total, message: later() })
  }, PROGRESS_INTERVAL_MS)
  return () => clearInterval(timer)
}
