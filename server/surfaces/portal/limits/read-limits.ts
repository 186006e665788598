import type { WalletCall } from '../../../base/core/call'
import { requirePrincipal } from '../../../shared/principals'
import { findFreeze, readLimits } from '../../../wallet/limits'
import { limitsToWire } from '../../../wallet/limits/contract'
import { listAgents } from '../../agents'
import { readChanges, readUsage } from '../shared/limits-usage'
import { listKnownMerchants } from './store'
import type { LimitsView } from './view'

type Freeze = NonNullable<Awaited<ReturnType<typeof findFreeze>>>

/** The limits page: what is allowed, what is used of it, when it resets, and how it came to be. */
export async function readLimitsPage(call: WalletCall): Promise<LimitsView> {
  const { platform, actor } = call
  const limits = await readLimits.verb(call)
  const { approval_rule, magic_link_gate } = await requirePrincipal(call.platform.db, call.actor.principalId)
  const freeze = await findFreeze(platform.db, actor.principalId)
  const { agents } = await listAgents.verb(call)
  return {
    limits,
    usage: limits === null ? null : await readUsage(call, null, limits),
    frozen: freeze !== null,
    freeze: freeze === null ? null : { since: freeze.createdAt.toISOString(), before: toWire(freeze.before) },
    changes: await readChanges(call, null),
    approval_rule,
    magic_link_gate,
    magic_link_gate_for_all: platform.config.magicLinkGate,
    agents: agents.filter(({ revoked }) => !revoked).map(({ client_id, label }) => ({ client_id, label })),
    merchants: await listKnownMerchants(platform.db, actor.principalId),
  }
}

const toWire = (limits: Freeze['before']) => (limits === null ? null : limitsToWire(limits))
