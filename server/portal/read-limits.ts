import { listAgents } from '../agents'
import type { WalletCall } from '../core/call'
import { findFreeze, type LimitChange, listLimitChanges, readLimits, utcDay } from '../limits'
import { limitsToWire } from '../limits/contract'
import { requirePrincipal } from '../principals'
import type { LimitChangeView, LimitsUsage, LimitsView, SavedLimits } from './contract'
import { listKnownMerchants, readLimitsUse } from './limits-store'
import { perform } from './perform'

const DAY_MILLISECONDS = 86_400_000
const CHANGES_SHOWN = 50

/** The limits page: what is allowed, what is used of it, when it starts afresh, and how it came to be. */
export async function readLimitsPage(call: WalletCall): Promise<LimitsView> {
  const { platform, actor } = call
  const limits = await perform(readLimits, call)
  const { approval_rule, magic_link_gate } = await requirePrincipal(call.platform.db, call.actor.principalId)
  const freeze = await findFreeze(platform.db, actor.principalId)
  const { agents } = await perform(listAgents, call)
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

/** What is used of the limits over all agents, or, with a client id, of one agent's own. */
export async function readUsage(
  { platform, actor, now }: WalletCall,
  clientId: string | null,
  limits: SavedLimits,
): Promise<LimitsUsage> {
  const day = utcDay(now)
  const { currency, velocity_window_seconds: window } = limits
  const since = window === null ? null : new Date(now.getTime() - window * 1000)
  const owner = { principalId: actor.principalId, clientId }
  const { used, count } = await readLimitsUse(platform.db, owner, { day, currency, since })
  return {
    currency,
    used_today_minor: used,
    resets_at: new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MILLISECONDS).toISOString(),
    recent_count: count,
  }
}

/** The newest changes of those limits. */
export async function readChanges(
  { platform, actor }: WalletCall,
  clientId: string | null,
): Promise<LimitChangeView[]> {
  const owner = { principalId: actor.principalId, clientId }
  return (await listLimitChanges(platform.db, owner, CHANGES_SHOWN)).map(presentChange)
}

function presentChange({ id, kind, before, after, via, createdAt }: LimitChange): LimitChangeView {
  return { id, kind, before: toWire(before), after: toWire(after), via, created_at: createdAt.toISOString() }
}

const toWire = (limits: LimitChange['before']) => (limits === null ? null : limitsToWire(limits))
