import type { OutputOf } from '../../base/contract/endpoint'
import type { WalletCall } from '../../base/core/call'
import { findFrozenAt } from '../../shared/principals'
import type { readLimitsEndpoint, saveAgentLimitsEndpoint, saveLimitsEndpoint } from './contract'
import { DEFAULT_TIME_ZONE, NO_LIMITS } from './rules'
import { findLimits, type StoredLimits } from './store'
import { limitsToWire, othersToWire, type WireLimits } from './wire-limits'

/** Returns the person's limits in the wire form. */
export function renderLimits(limits: StoredLimits): OutputOf<typeof saveLimitsEndpoint> {
  const timeZone = limits.timeZone ?? DEFAULT_TIME_ZONE
  const { other_currencies: _, ...main } = limitsToWire(limits)
  return { ...main, time_zone: timeZone, updated_at: limits.updatedAt.toISOString() }
}

/** Returns an agent's own limits in the wire form. */
export function renderAgentLimits(limits: StoredLimits): OutputOf<typeof saveAgentLimitsEndpoint> {
  const { time_zone: _, ...own } = limitsToWire(limits)
  return { ...own, updated_at: limits.updatedAt.toISOString() }
}

type SavedLimits = OutputOf<typeof saveLimitsEndpoint>

/**
 * Returns the caller's limits, or null when none were ever saved. Includes those in other currencies, which the HTTP
 * interface leaves out.
 */
export async function readSavedLimits({
  platform,
  actor,
}: WalletCall): Promise<(SavedLimits & Pick<WireLimits, 'other_currencies'>) | null> {
  const limits = await findLimits(platform.db, actor.principalId)
  return limits === null ? null : { ...renderLimits(limits), ...othersToWire(limits) }
}

/** Returns the caller's limits and since when spending is frozen; null when there is neither. */
export async function readLimits(call: WalletCall): Promise<OutputOf<typeof readLimitsEndpoint>> {
  const frozenAt = (await findFrozenAt(call.platform.db, call.actor.principalId))?.toISOString() ?? null
  const saved = await findLimits(call.platform.db, call.actor.principalId)
  if (saved !== null) return { ...renderLimits(saved), frozen_at: frozenAt }
  if (frozenAt === null) return null
  return { ...renderLimits({ ...NO_LIMITS, updatedAt: new Date(frozenAt) }), frozen_at: frozenAt }
}
