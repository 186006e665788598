import type { OutputOf } from '../../base/contract/endpoint'
import type { WalletCall } from '../../base/core/call'
import { findFrozenAt } from '../../shared/principals'
import type { readLimitsEndpoint, saveAgentLimitsEndpoint, saveLimitsEndpoint } from './contract'
import { DEFAULT_TIME_ZONE, NO_LIMITS } from './rules'
import { findLimits, type StoredLimits } from './store'
import { limitsToWire } from './wire-limits'

/** The person's limits as the wire shows them. */
export function presentLimits(limits: StoredLimits): OutputOf<typeof saveLimitsEndpoint> {
  const timeZone = limits.timeZone ?? DEFAULT_TIME_ZONE
  return { ...limitsToWire(limits), time_zone: timeZone, updated_at: limits.updatedAt.toISOString() }
}

/** An agent's own limits as the wire shows them. */
export function presentAgentLimits(limits: StoredLimits): OutputOf<typeof saveAgentLimitsEndpoint> {
  const { time_zone: _, ...own } = limitsToWire(limits)
  return { ...own, updated_at: limits.updatedAt.toISOString() }
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
  if (frozenAt === null) return null
  return { ...presentLimits({ ...NO_LIMITS, updatedAt: new Date(frozenAt) }), frozen_at: frozenAt }
}
