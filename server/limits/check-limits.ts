import type { Queryable } from '../core/platform'
import { type Judgement, judge } from './rules'
import { type LimitsSubject, readJudged } from './store'

/**
 * Judges a payment against the limits and what is used of them right now. Early at PAR this is advice, since money may
 * move before the settlement; under the principal's lock it is exact. `amountMinor` is in minor units of `currency`.
 */
export async function checkLimits(
  db: Queryable,
  payment: LimitsSubject & { readonly amountMinor: number },
): Promise<Judgement> {
  return judge(await readJudged(db, payment), payment)
}
