import type { Limits } from './rules'

/** The members of limits as the interface, the tables and the history of changes call them. */
export const limitMembers = [
  'daily_cap_minor',
  'currency',
  'single_txn_cap_minor',
  'velocity_count',
  'velocity_window_seconds',
] as const
export type LimitMember = (typeof limitMembers)[number]

/** Limits in the form of the interface and of a row, every member present. */
export type WireLimits = { readonly [Member in LimitMember]: (Member extends 'currency' ? string : number) | null }

export const NO_WIRE_LIMITS: WireLimits = {
  daily_cap_minor: null,
  currency: null,
  single_txn_cap_minor: null,
  velocity_count: null,
  velocity_window_seconds: null,
}

export function limitsToWire(limits: Limits): WireLimits {
  return {
    daily_cap_minor: limits.dailyCapMinor,
    currency: limits.currency,
    single_txn_cap_minor: limits.singleTxnCapMinor,
    velocity_count: limits.velocityCount,
    velocity_window_seconds: limits.velocityWindowSeconds,
  }
}

export function limitsFromWire(limits: WireLimits): Limits {
  return {
    dailyCapMinor: limits.daily_cap_minor,
    currency: limits.currency,
    singleTxnCapMinor: limits.single_txn_cap_minor,
    velocityCount: limits.velocity_count,
    velocityWindowSeconds: limits.velocity_window_seconds,
  }
}
