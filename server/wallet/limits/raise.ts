import { cappedIn, DEFAULT_TIME_ZONE, type Limits } from './rules'

export type LimitField =
  | 'currency'
  | 'daily_cap'
  | 'weekly_cap'
  | 'monthly_cap'
  | 'single_txn_cap'
  | 'velocity'
  | 'time_zone'

/** Whether a change lets more pass, lets less pass, or cannot be compared because the money is another. */
export type LimitEffect = 'looser' | 'stricter' | 'other_currency'

export interface LimitDifference {
  readonly field: LimitField
  readonly effect: LimitEffect
}

/** What differs between two sets of limits. A currency without a cap limits nothing, so it does not count. */
export function compareLimits(before: Limits, after: Limits): LimitDifference[] {
  const money = compareCurrencies(cappedIn(before), cappedIn(after))
  const caps = [
    ['daily_cap', before.dailyCapMinor, after.dailyCapMinor],
    ['weekly_cap', before.weeklyCapMinor, after.weeklyCapMinor],
    ['monthly_cap', before.monthlyCapMinor, after.monthlyCapMinor],
    ['single_txn_cap', before.singleTxnCapMinor, after.singleTxnCapMinor],
  ] as const
  return [
    { field: 'currency' as const, effect: money },
    ...caps.map(([field, from, to]) => ({
      field,
      effect: money === 'other_currency' && from !== null && to !== null ? money : compareCaps(from, to),
    })),
    { field: 'velocity' as const, effect: compareVelocity(before, after) },
    { field: 'time_zone' as const, effect: compareTimeZones(before, after) },
  ].flatMap(({ field, effect }) => (effect === 'same' ? [] : [{ field, effect }]))
}

/**
 * Whether `after` could let a payment pass that `before` would not: any cap higher or gone, more payments, a shorter
 * window, another currency or another time zone. Errs on the side of yes.
 */
export function isRaise(before: Limits, after: Limits): boolean {
  return compareLimits(before, after).some(({ effect }) => effect !== 'stricter')
}

type Comparison = LimitEffect | 'same'

function compareCurrencies(before: string | null, after: string | null): Comparison {
  if (before === after) return 'same'
  if (before === null) return 'stricter'
  return after === null ? 'looser' : 'other_currency'
}

function compareCaps(before: number | null, after: number | null): Comparison {
  const [from, to] = [before ?? Infinity, after ?? Infinity]
  if (from === to) return 'same'
  return to > from ? 'looser' : 'stricter'
}

/** Fewer payments within a shorter time are not fewer altogether, so a shorter window always counts as more. */
function compareVelocity(before: Limits, after: Limits): Comparison {
  const counts = compareCaps(before.velocityCount, after.velocityCount)
  if (before.velocityCount === null || after.velocityCount === null) return counts
  const windows = compareCaps(after.velocityWindowSeconds, before.velocityWindowSeconds)
  if (counts === 'looser' || windows === 'looser') return 'looser'
  return counts === 'same' ? windows : counts
}

/** In another zone a week or month turns earlier or later, which always counts as more. Without such a limit a zone limits nothing. */
function compareTimeZones(before: Limits, after: Limits): Comparison {
  const isWindowed = before.weeklyCapMinor !== null || before.monthlyCapMinor !== null
  return isWindowed && !hasSameTimeZone(before, after) ? 'looser' : 'same'
}

/** Whether weeks and months turn at the same instants before and after a change. */
export function hasSameTimeZone(before: Limits, after: Limits): boolean {
  return (before.timeZone ?? DEFAULT_TIME_ZONE) === (after.timeZone ?? DEFAULT_TIME_ZONE)
}
