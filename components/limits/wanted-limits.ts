import {
  isRaise,
  limitsFromWire,
  othersBeside,
  othersToWire,
  type RecordedLimits,
  type WireCaps,
  type WireLimits,
} from '@/server/wallet/limits/input'

/** Returns whether limits allow more than the stored ones, by the rule that decides what is confirmed. */
export function allowsMore(stored: RecordedLimits | null, wanted: WireLimits): boolean {
  return isRaise(limitsFromWire(stored ?? {}), limitsFromWire(wanted))
}

/** Returns the limits that the server will store: the other currencies stay beside the saved one. */
export function besideOthers(stored: RecordedLimits | null, wanted: WireLimits): WireLimits {
  const { others } = limitsFromWire(stored ?? {})
  return { ...wanted, ...othersToWire({ others: othersBeside(others, limitsFromWire(wanted)) }) }
}

/** Returns only the amounts. */
export function onlyCaps({
  daily_cap_minor,
  weekly_cap_minor,
  monthly_cap_minor,
  single_txn_cap_minor,
}: WireCaps): WireCaps {
  return { daily_cap_minor, weekly_cap_minor, monthly_cap_minor, single_txn_cap_minor }
}
