import type { OutputOf } from '../../base/contract/endpoint'
import type { WalletCall } from '../../base/core/call'
import { findFrozenAt } from '../../shared/principals'
import type { readLimitsEndpoint, saveLimitsEndpoint } from './contract'
import { NO_LIMITS } from './rules'
import { findLimits, type StoredLimits } from './store'
import { limitsToWire } from './wire-limits'

/** The limits as the wire shows them. */
export function presentLimits(limits: StoredLimits): OutputOf<typeof saveLimitsEndpoint> {
  return { ...limitsToWire(limits), updated_at: limits.updatedAt.toISOString() }
}

/** The caller's limits, or null when none were ever saved. */
export async function readSavedLimits({
  platform,
  actor,
}: WalletCall): Promise<OutputOf<typeof saveLimitsEndpoint> | null> {
  const limits = await findLimits(platform.db, actor.principalId)
  return limits === null ? null : presentLimits(limits)
}

/** The caller's limits and since when spending is frozen; null when there is neither. */
export async function readLimits(call: WalletCall): Promise<OutputOf<typeof readLimitsEndpoint>> {
  const frozenAt = (await findFrozenAt(call.platform.db, call.actor.principalId))?.toISOString() ?? null
  const saved = await readSavedLimits(call)
  if (saved !== null) return { ...saved, frozen_at: frozenAt }
  return frozenAt === null ? null : { ...limitsToWire(NO_LIMITS), updated_at: frozenAt, frozen_at: frozenAt }
}
