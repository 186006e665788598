import type { Caps, Limits } from './rules'

/**
 * The members that a person's limits and an agent's own have in common, by their names on the wire, in tables and in
 * the history.
 */
export const sharedLimitMembers = [
  'daily_cap_minor',
  'weekly_cap_minor',
  'monthly_cap_minor',
  'currency',
  'single_txn_cap_minor',
  'velocity_count',
  'velocity_window_seconds',
] as const
export type SharedLimitMember = (typeof sharedLimitMembers)[number]
export type LimitMember = SharedLimitMember | 'time_zone'

/** The amounts of one currency. */
export type WireCaps = {
  readonly [Member in SharedLimitMember as Member extends `${string}_cap_minor` ? Member : never]: number | null
}

/** Caps in further currencies, by code. */
export type WireCurrencies = Readonly<Record<string, WireCaps>>

/** Limits in the form of the interface and of a row, every member present. An agent's have no time zone of their own. */
export type WireLimits = {
  readonly [Member in LimitMember]: (Member extends 'currency' | 'time_zone' ? string : number) | null
} & {
  /** Caps in further currencies; not on the wire, and absent where there are none. */
  readonly other_currencies?: WireCurrencies | null
}

/** Limits in the history; a member is absent in entries from before it was introduced. */
export type RecordedLimits = Partial<WireLimits>

export const NO_WIRE_LIMITS: WireLimits = {
  daily_cap_minor: null,
  weekly_cap_minor: null,
  monthly_cap_minor: null,
  currency: null,
  single_txn_cap_minor: null,
  velocity_count: null,
  velocity_window_seconds: null,
  time_zone: null,
}

/** Converts limits to the wire's names; {@link limitsFromWire} reads them back. */
export function limitsToWire(limits: Limits): WireLimits {
  return {
    ...capsToWire(limits),
    currency: limits.currency,
    velocity_count: limits.velocityCount,
    velocity_window_seconds: limits.velocityWindowSeconds,
    time_zone: limits.timeZone,
    ...othersToWire(limits),
  }
}

/** Returns the other currencies as a member of their own, where there are any. */
export function othersToWire({ others }: Pick<Limits, 'others'>): Pick<WireLimits, 'other_currencies'> {
  const entries = Object.entries(others).map(([code, caps]) => [code, capsToWire(caps)] as const)
  return entries.length === 0 ? {} : { other_currencies: Object.fromEntries(entries) }
}

function capsToWire(caps: Caps): WireCaps {
  return {
    daily_cap_minor: caps.dailyCapMinor,
    weekly_cap_minor: caps.weeklyCapMinor,
    monthly_cap_minor: caps.monthlyCapMinor,
    single_txn_cap_minor: caps.singleTxnCapMinor,
  }
}

/** Converts limits from the wire or the history; absent members mean no limit. */
export function limitsFromWire(limits: RecordedLimits): Limits {
  return {
    ...capsFromWire(limits),
    currency: limits.currency ?? null,
    others: othersFromWire(limits.other_currencies ?? {}),
    velocityCount: limits.velocity_count ?? null,
    velocityWindowSeconds: limits.velocity_window_seconds ?? null,
    timeZone: limits.time_zone ?? null,
  }
}

/** Converts the caps of one currency; absent members mean no cap. */
export function capsFromWire(caps: Partial<WireCaps>): Caps {
  return {
    dailyCapMinor: caps.daily_cap_minor ?? null,
    weeklyCapMinor: caps.weekly_cap_minor ?? null,
    monthlyCapMinor: caps.monthly_cap_minor ?? null,
    singleTxnCapMinor: caps.single_txn_cap_minor ?? null,
  }
}

function othersFromWire(currencies: Readonly<Record<string, Partial<WireCaps>>>): Limits['others'] {
  return Object.fromEntries(Object.entries(currencies).map(([code, caps]) => [code, capsFromWire(caps)]))
}
