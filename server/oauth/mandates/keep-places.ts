import type { Platform } from '../../base/core/platform'
import { MANDATE_PLACES } from './status-index'
import { releasePlaces } from './store'

/** The time that a place stays with an ended mandate, for verifiers with an older list or an inaccurate clock. */
const KEPT_AFTER_END_MILLISECONDS = 3_600_000
const ALERT_BELOW_FREE = 0.1

/** Frees places of the status list an hour after their mandates have ended, and warns while few are free. */
export async function keepStatusPlaces({ db, clock, log }: Platform): Promise<void> {
  const used = await releasePlaces(db, new Date(clock.now().getTime() - KEPT_AFTER_END_MILLISECONDS))
  const free = MANDATE_PLACES - used
  if (free < MANDATE_PLACES * ALERT_BELOW_FREE) log.error('the status list is nearly full', { free })
}
