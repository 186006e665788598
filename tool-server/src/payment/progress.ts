import { PROGRESS_INTERVAL_MS } from '../limits.js'
import type { Host } from './host.js'

/** What a host is told while a call waits for the person. */
export interface Waiting {
  /** Milliseconds since the epoch. */
  readonly until: number
  /** The first message carries all that the person needs. */
  readonly first: string
  readonly later: () => string
}

/** Tells the host every two seconds that the call is alive, until what it returns is called. */
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
