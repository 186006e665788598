import type { Caps, Limits } from './rules'

/** Returns whether any amount is limited. */
export function isCapped({ dailyCapMinor, weeklyCapMinor, monthlyCapMinor, singleTxnCapMinor }: Caps): boolean {
  return [dailyCapMinor, weeklyCapMinor, monthlyCapMinor, singleTxnCapMinor].some((cap) => cap !== null)
}

/**
 * Returns the caps of each currency that payments may be in, the row's own first and the others by code. Empty when no
 * amount is limited, since then any currency is accepted.
 */
export function capsByCurrency(limits: Limits): ReadonlyMap<string, Caps> {
  const main = limits.currency !== null && isCapped(limits) ? [[limits.currency, capsOf(limits)] as const] : []
  const others = Object.entries(limits.others).filter(([code, caps]) => code !== main[0]?.[0] && isCapped(caps))
  return new Map([...main, ...others.toSorted(([a], [b]) => (a < b ? -1 : 1))])
}

/** Returns the amounts alone. */
function capsOf({ dailyCapMinor, weeklyCapMinor, monthlyCapMinor, singleTxnCapMinor }: Caps): Caps {
  return { dailyCapMinor, weeklyCapMinor, monthlyCapMinor, singleTxnCapMinor }
}

/**
 * Returns the limits that apply to a payment in this currency, as if it were the only one. For a currency that is not
 * accepted, returns those of the first accepted one.
 */
export function limitsIn(limits: Limits, currency: string): Limits {
  const caps = capsByCurrency(limits)
  const found = [...caps].find(([code]) => code === currency) ?? [...caps][0]
  return found === undefined ? limits : { ...limits, ...found[1], currency: found[0] }
}

/**
 * Returns the limits with other caps in one currency, or without that currency. Where the row's own currency has no
 * caps (any more), the first of the others takes its place.
 */
export function withCaps(limits: Limits, currency: string, caps: Caps | null): Limits {
  const all = new Map(capsByCurrency(limits))
  if (caps === null) all.delete(currency)
  else all.set(currency, capsOf(caps))
  const [main, ...others] = all
  const rest = Object.fromEntries(others)
  return main === undefined
    ? { ...limits, ...NO_CAPS, currency: null, others: rest }
    : { ...limits, ...main[1], currency: main[0], others: rest }
}

/**
 * Returns the other currencies' caps that stay beside new caps of the row: without the currency that becomes the row's
 * own.
 */
export function othersBeside(others: Limits['others'], row: Caps & Pick<Limits, 'currency'>): Limits['others'] {
  const staying = Object.entries(others).filter(([code]) => !isCapped(row) || code !== row.currency)
  return Object.fromEntries(staying)
}

/** Caps of which none is set. */
export const NO_CAPS: Caps = {
  dailyCapMinor: null,
  weeklyCapMinor: null,
  monthlyCapMinor: null,
  singleTxnCapMinor: null,
}
