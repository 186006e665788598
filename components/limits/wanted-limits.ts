import {
  isRaise,
  limitsFromWire,
  othersBeside,
  othersToWire,
  type RecordedLimits,
  type WireCaps,
  type WireLimits,
} from '@/server/wallet/limits/input'

/** Whether limits allow more than those that are stored, by the rule that decides what is confirmed. */
export function allowsMore(stored: RecordedLimits | null, wanted: WireLimits): boolean {
  return isRaise(limitsFromWire(stored ?? {}), limitsFromWire(wanted))
}

/** What the server makes of a save of the row: the other currencies stand beside it. */
export function besideOthers(stored: RecordedLimits | null, wanted: WireLimits): WireLimits {
  const { others } = limitsFromWire(stored ?? {})
  return { ...wanted, ...othersToWire({ others: othersBeside(others, limitsFromWire(wanted)) }) }
}

/** The amounts alone. */
export function onlyCaps({
  daily_cap_minor,
  weekly_cap_minor,
  monthly_cap_minor,
  single_txn_cap_minor,
}: WireCaps): WireCaps {
  return { daily_cap_minor, weekly_cap_minor, monthly_cap_minor, single_txn_cap_minor }
}
