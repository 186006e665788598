import type { Retention } from '../../base/core/retention-entry'

const MINUTE = 60
const DAY = 86_400

/** Returns, in words, how long a kind is kept. */
export function describePeriod({ kept, after }: Retention): string {
  if (kept === 'until_erased') return 'until the person changes, removes or erases it'
  if (kept === 'while_the_service_runs') return 'as long as the service runs'
  const since = after?.words ?? ''
  if (kept === 0) return `until ${since}`
  if (kept < DAY) return `${kept / MINUTE} minutes after ${since}`
  const days = kept / DAY
  return `${days === 1 ? '24 hours' : `${days} days`} after ${since}`
}
