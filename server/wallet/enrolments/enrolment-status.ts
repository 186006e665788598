import type { Refusal } from './contract'
import type { EnrolmentRow } from './store'

/** The state of an enrolment: verified (`refusal` is null) or the reason against it, and since when. */
export interface EnrolmentStatus {
  readonly refusal: Refusal | null
  readonly since: Date
}

/** Returns the state of an enrolment at a moment. A verification lapses by itself, even when nothing checks again. */
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
