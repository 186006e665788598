import type { WalletCall } from '../../../base/core/call'
import { requirePrincipal } from '../../../shared/principals'
import { readSavedLimits } from '../../../wallet/limits'
import { listAgents } from '../../agents'
import { readChanges, readStartingLimits, readUsage } from '../shared/limits-usage'
import { withShownNames } from '../shared/store'
import { listKnownMerchants } from './store'
import type { LimitsView } from './view'

/** The limits page: what is allowed, what is used of it, when it resets, and how it came to be. */
export async function readLimitsPage(call: WalletCall): Promise<LimitsView> {
  const { platform, actor, now } = call
  const limits = await readSavedLimits(call)
  const { approval_rule, magic_link_gate } = await requirePrincipal(call.platform.db, call.actor.principalId)
  const { agents } = await listAgents.verb(call)
  const named = await withShownNames(platform.db, actor.principalId, agents)
  return {
    limits,
    usage: limits === null ? null : await readUsage(call, null, limits),
    starting_limits: await readStartingLimits(call),
    changes: await readChanges(call, null),
    approval_rule,
    magic_link_gate,
    magic_link_gate_for_all: platform.config.magicLinkGate,
    agents: named.filter(({ revoked }) => !revoked).map(({ client_id, label }) => ({ client_id, label })),
    merchants: await listKnownMerchants(platform.db, actor.principalId, now),
  }
}
