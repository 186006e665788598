import type * as z from 'zod'
import { listAgents, readAgent } from '../agents'
import { findClient } from '../clients'
import { readMutedUntil } from '../consent'
import type { WalletCall } from '../core/call'
import { ServiceError } from '../core/errors'
import { readAgentLimits } from '../limits'
import { listRecentPayments } from '../payments'
import { thumbprint } from '../protocol/jwk'
import { listAgentApprovals, listSpendByMerchant } from './agent-store'
import type { AgentSummary, AgentView, agentChoice, Money, rememberedChoice } from './contract'
import { perform } from './perform'
import { presentPayment } from './present-payment'
import { readChanges, readUsage } from './read-limits'
import {
  countActiveFamilies,
  forgetRememberedMerchant,
  listAgentSpend,
  listRememberedAccess,
  listRememberedMerchants,
} from './store'

const RECENT_PAYMENTS = 10
const RECENT_APPROVALS = 10
const THUMBPRINT_TAIL_CHARS = 8

/** The person's agents with what each spent this month. */
export async function listAgentSummaries(call: WalletCall): Promise<{ agents: AgentSummary[] }> {
  const { agents } = await perform(listAgents, call)
  const spend = await spendByAgent(call)
  return { agents: agents.map((agent) => ({ ...agent, spent_this_month: spend.get(agent.client_id) ?? [] })) }
}

/** One agent with everything that its page shows. */
export async function readAgentDetail(call: WalletCall, input: z.output<typeof agentChoice>): Promise<AgentView> {
  const { platform, actor, now } = call
  const agent = await perform(readAgent, call, input)
  const { client_id: clientId } = agent
  const spend = await spendByAgent(call)
  const payments = await listRecentPayments(call, { agent_client_id: clientId, limit: RECENT_PAYMENTS })
  const [key] = (await findClient(platform.db, clientId))?.jwks ?? []
  return {
    ...agent,
    spent_this_month: spend.get(clientId) ?? [],
    active_families: await countActiveFamilies(platform.db, actor.principalId, { clientId, now }),
    muted_until: await readMutedUntil(platform.db, { principalId: actor.principalId, clientId, now }),
    ...(await readOwnLimits(call, clientId)),
    spent_by_merchant: await readSpendByMerchant(call, clientId),
    recent_approvals: await readApprovals(call, clientId),
    key_thumbprint: key === undefined ? null : thumbprint(key).slice(-THUMBPRINT_TAIL_CHARS),
    ...(await readRemembered(call, clientId)),
    recent_payments: payments.map(presentPayment),
  }
}

async function readOwnLimits(
  call: WalletCall,
  clientId: string,
): Promise<Pick<AgentView, 'limits' | 'usage' | 'limit_changes'>> {
  const limits = await perform(readAgentLimits, call, { client_id: clientId })
  return {
    limits,
    usage: limits === null ? null : await readUsage(call, clientId, limits),
    limit_changes: await readChanges(call, clientId),
  }
}

async function readSpendByMerchant(call: WalletCall, clientId: string): Promise<AgentView['spent_by_merchant']> {
  const { platform, actor, now } = call
  const rows = await listSpendByMerchant(platform.db, actor.principalId, { clientId, from: monthStart(now) })
  return rows.map((row) => ({ ...row, amount_minor: Number(row.amount_minor) }))
}

async function readApprovals(
  { platform, actor, now }: WalletCall,
  clientId: string,
): Promise<AgentView['recent_approvals']> {
  const choice = { clientId, limit: RECENT_APPROVALS, now }
  const rows = await listAgentApprovals(platform.db, actor.principalId, choice)
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }))
}

async function readRemembered(
  { platform, actor }: WalletCall,
  clientId: string,
): Promise<Pick<AgentView, 'remembered_merchants' | 'remembered_access'>> {
  const merchants = await listRememberedMerchants(platform.db, actor.principalId, clientId)
  const access = await listRememberedAccess(platform.db, actor.principalId, clientId)
  return {
    remembered_merchants: merchants.map((row) => ({ ...row, created_at: row.created_at.toISOString() })),
    remembered_access: access.map((row) => ({ ...row, created_at: row.created_at.toISOString() })),
  }
}

/** Months are counted in UTC, as days are. */
function monthStart(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
}

async function spendByAgent({ platform, actor, now }: WalletCall): Promise<ReadonlyMap<string, Money[]>> {
  const byAgent = new Map<string, Money[]>()
  for (const row of await listAgentSpend(platform.db, actor.principalId, monthStart(now))) {
    const line = { currency: row.currency, amount_minor: Number(row.amount_minor) }
    byAgent.set(row.client_id, [...(byAgent.get(row.client_id) ?? []), line])
  }
  return byAgent
}

/** From now on the agent has to ask again at this merchant. */
export async function forgetMerchant(
  call: WalletCall,
  input: z.output<typeof rememberedChoice>,
): Promise<{ ok: true }> {
  const { platform, actor } = call
  const choice = { clientId: input.client_id, merchantAudience: input.merchant_audience }
  const forgotten = await forgetRememberedMerchant(platform.db, actor.principalId, choice)
  if (!forgotten) throw new ServiceError('not_found', 'There is no such remembered merchant.')
  await platform.cache.publish(`principal:${actor.principalId}`)
  return { ok: true }
}
