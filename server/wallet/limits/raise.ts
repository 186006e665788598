import { capsByCurrency, NO_CAPS } from './currencies'
import { type Caps, DEFAULT_TIME_ZONE, type Limits } from './rules'

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
  /** Which currency's cap it is, where limits are in several. */
  readonly currency?: string
}

/** What differs between two sets of limits. A currency without a cap limits nothing, so it does not count. */
export function compareLimits(before: Limits, after: Limits): LimitDifference[] {
  return [
    ...compareMoney(capsByCurrency(before), capsByCurrency(after)),
    { field: 'velocity' as const, effect: compareVelocity(before, after) },
    { field: 'time_zone' as const, effect: compareTimeZones(before, after) },
  ].flatMap(({ effect, ...difference }) => (effect === 'same' ? [] : [{ ...difference, effect }]))
}

/**
 * Whether `after` could let a payment pass that `before` would not: any cap higher or gone, more payments, a shorter
 * window, another currency or another time zone. Errs on the side of yes.
 */
export function isRaise(before: Limits, after: Limits): boolean {
  return compareLimits(before, after).some(({ effect }) => effect !== 'stricter')
}

type Comparison = LimitEffect | 'same'
type Compared = Omit<LimitDifference, 'effect'> & { readonly effect: Comparison }
type CapsByCurrency = ReadonlyMap<string, Caps>

function compareMoney(before: CapsByCurrency, after: CapsByCurrency): Compared[] {
  if (before.size <= 1 && after.size <= 1) return compareOnlyCurrency([...before][0], [...after][0])
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((currency) => {
    const [from, to] = [before.get(currency), after.get(currency)]
    if (from !== undefined && to !== undefined) {
      return capsOf(from, to).map(([field, was, is]) => ({ field, currency, effect: compareCaps(was, is) }))
    }
    // Without caps in any currency all are paid without limits; with caps in others this one is refused.
    const isLooser = from === undefined ? before.size > 0 : after.size === 0
    return capsOf(from ?? NO_CAPS, to ?? NO_CAPS)
      .filter(([, was, is]) => was !== null || is !== null)
      .map(([field]) => ({ field, currency, effect: isLooser ? ('looser' as const) : ('stricter' as const) }))
  })
}

type CurrencyCaps = readonly [currency: string, caps: Caps]

function compareOnlyCurrency(before: CurrencyCaps | undefined, after: CurrencyCaps | undefined): Compared[] {
  const money = compareCurrencies(before?.[0] ?? null, after?.[0] ?? null)
  return [
    { field: 'currency' as const, effect: money },
    ...capsOf(before?.[1] ?? NO_CAPS, after?.[1] ?? NO_CAPS).map(([field, from, to]) => ({
      field,
      effect: money === 'other_currency' && from !== null && to !== null ? money : compareCaps(from, to),
    })),
  ]
}

/** Each cap before and after. */
function capsOf(before: Caps, after: Caps) {
  return [
    ['daily_cap', before.dailyCapMinor, after.dailyCapMinor],
    ['weekly_cap', before.weeklyCapMinor, after.weeklyCapMinor],
    ['monthly_cap', before.monthlyCapMinor, after.monthlyCapMinor],
    ['single_txn_cap', before.singleTxnCapMinor, after.singleTxnCapMinor],
  ] as const
}

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
  return hasWindows(before) && !hasSameTimeZone(before, after) ? 'looser' : 'same'
}

/** Whether there is a limit per week or month, in any currency. */
export function hasWindows(limits: Limits): boolean {
  const all = [limits, ...Object.values(limits.others)]
  return all.some(({ weeklyCapMinor, monthlyCapMinor }) => weeklyCapMinor !== null || monthlyCapMinor !== null)
}

/** Whether weeks and months turn at the same instants before and after a change. */
export function hasSameTimeZone(before: Limits, after: Limits): boolean {
  return (before.timeZone ?? DEFAULT_TIME_ZONE) === (after.timeZone ?? DEFAULT_TIME_ZONE)
}
