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

/** The effect of a change: more passes, less passes, or not comparable since the currency differs. */
export type LimitEffect = 'looser' | 'stricter' | 'other_currency'

export interface LimitDifference {
  readonly field: LimitField
  readonly effect: LimitEffect
  /** The currency of the cap, where limits are in several. */
  readonly currency?: string
}

/** Returns the differences between two sets of limits. A currency without a cap is ignored, since it limits nothing. */
export function compareLimits(before: Limits, after: Limits): LimitDifference[] {
  return [
    ...compareMoney(capsByCurrency(before), capsByCurrency(after)),
    { field: 'velocity' as const, effect: compareVelocity(before, after) },
    { field: 'time_zone' as const, effect: compareTimeZones(before, after) },
  ].flatMap(({ effect, ...difference }) => (effect === 'same' ? [] : [{ ...difference, effect }]))
}

/**
 * Returns whether `after` could let a payment pass that `before` would not: any cap higher or removed, more payments, a
 * shorter window, another currency or another time zone. In doubt it returns true.
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
    // A currency without caps is unlimited when no currency has caps, and refused when others have.
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

/** Returns each cap before and after. */
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

/**
 * Compares counts of payments. A shorter window always counts as looser, since fewer payments per shorter window may be
 * more in total.
 */
function compareVelocity(before: Limits, after: Limits): Comparison {
  const counts = compareCaps(before.velocityCount, after.velocityCount)
  if (before.velocityCount === null || after.velocityCount === null) return counts
  const windows = compareCaps(after.velocityWindowSeconds, before.velocityWindowSeconds)
  if (counts === 'looser' || windows === 'looser') return 'looser'
  return counts === 'same' ? windows : counts
}

/**
 * Compares time zones. Another zone always counts as looser, since weeks and months begin earlier or later in it;
 * without a limit per week or month it makes no difference.
 */
function compareTimeZones(before: Limits, after: Limits): Comparison {
  return hasWindows(before) && !hasSameTimeZone(before, after) ? 'looser' : 'same'
}

/** Returns whether there is a limit per week or month, in any currency. */
export function hasWindows(limits: Limits): boolean {
  const all = [limits, ...Object.values(limits.others)]
  return all.some(({ weeklyCapMinor, monthlyCapMinor }) => weeklyCapMinor !== null || monthlyCapMinor !== null)
}

/** Returns whether weeks and months begin at the same instants before and after a change. */
export function hasSameTimeZone(before: Limits, after: Limits): boolean {
  return (before.timeZone ?? DEFAULT_TIME_ZONE) === (after.timeZone ?? DEFAULT_TIME_ZONE)
}
