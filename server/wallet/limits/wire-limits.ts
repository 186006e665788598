import type { Limits } from './rules'

/** The members that a person's limits and an agent's own have alike, as the interface, the tables and the history call them. */
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

/** Limits in the form of the interface and of a row, every member present. An agent's have no time zone of their own. */
export type WireLimits = {
  readonly [Member in LimitMember]: (Member extends 'currency' | 'time_zone' ? string : number) | null
}

/** Limits as the history has them: those that were written before a member existed are without it. */
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

export function limitsToWire(limits: Limits): WireLimits {
  return {
    daily_cap_minor: limits.dailyCapMinor,
    weekly_cap_minor: limits.weeklyCapMinor,
    monthly_cap_minor: limits.monthlyCapMinor,
    currency: limits.currency,
    single_txn_cap_minor: limits.singleTxnCapMinor,
    velocity_count: limits.velocityCount,
    velocity_window_seconds: limits.velocityWindowSeconds,
    time_zone: limits.timeZone,
  }
}

export function limitsFromWire(limits: RecordedLimits): Limits {
  return {
    dailyCapMinor: limits.daily_cap_minor ?? null,
    weeklyCapMinor: limits.weekly_cap_minor ?? null,
    monthlyCapMinor: limits.monthly_cap_minor ?? null,
    currency: limits.currency ?? null,
    singleTxnCapMinor: limits.single_txn_cap_minor ?? null,
    velocityCount: limits.velocity_count ?? null,
    velocityWindowSeconds: limits.velocity_window_seconds ?? null,
    timeZone: limits.time_zone ?? null,
  }
}
