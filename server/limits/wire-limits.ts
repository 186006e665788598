import type { Limits } from './rules'

/** Limits in the form of the interface, every member present. */
export interface WireLimits {
  readonly daily_cap_minor: number | null
  readonly currency: string | null
  readonly single_txn_cap_minor: number | null
  readonly velocity_count: number | null
  readonly velocity_window_seconds: number | null
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
