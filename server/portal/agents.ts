import type * as z from 'zod'
import { listAgents, readAgent } from '../agents'
import { findClient } from '../clients'
import type { WalletCall } from '../core/call'
import { ServiceError } from '../core/errors'
import { readAgentLimits } from '../limits'
import { listPayments } from '../payments'
import { thumbprint } from '../protocol/jwk'
import type { AgentSummary, AgentView, agentChoice, Money, rememberedChoice } from './contract'
import { perform } from './perform'
import { presentPayment } from './present-payment'
import {
  countActiveFamilies,
  forgetRememberedMerchant,
  listAgentSpend,
  listRememberedAccess,
  listRememberedMerchants,
} from './store'

const RECENT_PAYMENTS = 10
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
  const spend = await spendByAgent(call)
  const remembered = await listRememberedMerchants(platform.db, actor.principalId, agent.client_id)
  const access = await listRememberedAccess(platform.db, actor.principalId, agent.client_id)
  const { payments } = await listPayments(call, { agent_client_id: agent.client_id, limit: RECENT_PAYMENTS })
  const [key] = (await findClient(platform.db, agent.client_id))?.jwks ?? []
  return {
    ...agent,
    spent_this_month: spend.get(agent.client_id) ?? [],
    active_families: await countActiveFamilies(platform.db, actor.principalId, { clientId: agent.client_id, now }),
    limits: await perform(readAgentLimits, call, input),
    key_thumbprint: key === undefined ? null : thumbprint(key).slice(-THUMBPRINT_TAIL_CHARS),
    remembered_merchants: remembered.map((row) => ({ ...row, created_at: row.created_at.toISOString() })),
    remembered_access: access.map((row) => ({ ...row, created_at: row.created_at.toISOString() })),
    recent_payments: payments.map(presentPayment),
  }
}

async function spendByAgent({ platform, actor, now }: WalletCall): Promise<ReadonlyMap<string, Money[]>> {
  const monthStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
  const byAgent = new Map<string, Money[]>()
  for (const row of await listAgentSpend(platform.db, actor.principalId, monthStart)) {
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
