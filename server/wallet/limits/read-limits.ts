import type { OutputOf } from '../../base/contract/endpoint'
import type { WalletCall } from '../../base/core/call'
import type { readLimitsEndpoint, saveLimitsEndpoint } from './contract'
import { findLimits, type StoredLimits } from './store'
import { limitsToWire } from './wire-limits'

/** The limits as the wire shows them. */
export function presentLimits(limits: StoredLimits): OutputOf<typeof saveLimitsEndpoint> {
  return { ...limitsToWire(limits), updated_at: limits.updatedAt.toISOString() }
}

/** The caller's limits, or null when none were ever saved. */
export async function readLimits({ platform, actor }: WalletCall): Promise<OutputOf<typeof readLimitsEndpoint>> {
  const limits = await findLimits(platform.db, actor.principalId)
  return limits === null ? null : presentLimits(limits)
}
