import type { OutputOf } from '../contract/endpoint'
import type { WalletCall } from '../core/call'
import type { readLimitsEndpoint, saveLimitsEndpoint } from './contract'
import { readLimitsRow, type StoredLimits } from './store'

/** The limits as the wire shows them. */
export function presentLimits(limits: StoredLimits): OutputOf<typeof saveLimitsEndpoint> {
  return {
    daily_cap_minor: limits.dailyCapMinor,
    currency: limits.currency,
    single_txn_cap_minor: limits.singleTxnCapMinor,
    velocity_count: limits.velocityCount,
    velocity_window_seconds: limits.velocityWindowSeconds,
    updated_at: limits.updatedAt.toISOString(),
  }
}

/** The caller's limits, or null when none were ever saved. */
export async function readLimits({ platform, actor }: WalletCall): Promise<OutputOf<typeof readLimitsEndpoint>> {
  const limits = await readLimitsRow(platform.db, actor.principalId)
  return limits === null ? null : presentLimits(limits)
}
