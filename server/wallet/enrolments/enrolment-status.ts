import type { Refusal } from './contract'
import type { EnrolmentRow } from './store'

/** Whether an entity is verified now, since when, and if not, why. */
export interface EnrolmentStatus {
  readonly refusal: Refusal | null
  readonly since: Date
}

/** How an enrolment stands at a moment: what was verified lapses by itself, whether or not anyone checks. */
export function statusAt(
  {
    refusal,
    since,
    verified_until: until,
    lapses_as: lapsesAs,
  }: Pick<EnrolmentRow, 'refusal' | 'since' | 'verified_until' | 'lapses_as'>,
  now: Date,
): EnrolmentStatus {
  return until !== null && until <= now ? { refusal: lapsesAs, since: until } : { refusal, since }
}
