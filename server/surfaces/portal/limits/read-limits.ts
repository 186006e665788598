import type { WalletCall } from '../../../base/core/call'
import { requirePrincipal } from '../../../shared/principals'
import { listUsedCurrencies, readSavedLimits } from '../../../wallet/limits'
import { readChanges, readOtherUsage, readUsage, startingLimitsOf } from '../shared/limits-usage'
import type { LimitsView } from './view'

/** Returns the limits page: the limits, their usage, when they reset, and their changes. */
export async function readLimitsPage(call: WalletCall): Promise<LimitsView> {
  const { platform, actor } = call
  const limits = await readSavedLimits(call)
  const changes = await readChanges(call, null)
  const { approval_rule, magic_link_gate } = await requirePrincipal(call.platform.db, call.actor.principalId)
  return {
    limits,
    usage: limits === null ? null : await readUsage(call, null, limits),
    other_usage: limits === null ? [] : await readOtherUsage(call, limits),
    starting_limits: startingLimitsOf(changes[0]),
    changes,
    approval_rule,
    magic_link_gate,
    magic_link_gate_for_all: platform.config.magicLinkGate,
    currencies: await listUsedCurrencies(platform.db, actor.principalId),
  }
}
