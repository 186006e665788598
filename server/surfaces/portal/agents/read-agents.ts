import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import type { WalletCall } from '../../../base/core/call'
import { thumbprintOf } from '../../../base/protocol/key-import'
import { listRecentPayments, sumByAgent, sumByMerchantOfAgent } from '../../../money/payments'
import { findClient } from '../../../oauth/clients'
import { listWalletSessions } from '../../../oauth/tokens'
import { listAgentApprovals, listRememberedAccess, listRememberedMerchants } from '../../../wallet/approvals'
import { readAgentLimits } from '../../../wallet/limits'
import { listAgents, readAgent } from '../../agents'
import { readChanges, readUsage } from '../shared/limits-usage'
import { presentPayment } from '../shared/present-payment'
import type { Money } from '../shared/view'
import type { readAgentProcedure } from './contract'
import { countActiveFamilies } from './store'
import type { AgentSummary, AgentView } from './view'

const RECENT_PAYMENTS = 10
const RECENT_APPROVALS = 10
const MERCHANTS_SHOWN = 50
const THUMBPRINT_TAIL_CHARS = 8

/** The person's agents with what each spent this month. */
export async function listAgentSummaries(call: WalletCall): Promise<{ agents: AgentSummary[] }> {
  const { agents } = await listAgents.verb(call)
  const spend = await spendByAgent(call)
  return { agents: agents.map((agent) => ({ ...agent, spent_this_month: spend.get(agent.client_id) ?? [] })) }
}

/** One agent with everything that its page shows. */
export async function readAgentDetail(
  call: WalletCall,
  input: ProcedureInput<typeof readAgentProcedure>,
): Promise<AgentView> {
  const { platform, actor, now } = call
  const agent = await readAgent.verb(call, input)
  const { client_id: clientId } = agent
  const spend = await spendByAgent(call)
  const payments = await listRecentPayments(call, { agent_client_id: clientId, limit: RECENT_PAYMENTS })
  const [key] = (await findClient(platform.db, clientId))?.jwks ?? []
  return {
    ...agent,
    spent_this_month: spend.get(clientId) ?? [],
    active_families: await countActiveFamilies(platform.db, actor.principalId, { clientId, now }),
    ...(await readOwnLimits(call, clientId)),
    spent_by_merchant: await readSpendByMerchant(call, clientId),
    recent_approvals: await readApprovals(call, clientId),
    key_thumbprint: key === undefined ? null : (await thumbprintOf(key)).slice(-THUMBPRINT_TAIL_CHARS),
    ...(await readRemembered(call, clientId)),
    recent_payments: payments.map(presentPayment),
  }
}

async function readOwnLimits(
  call: WalletCall,
  clientId: string,
): Promise<Pick<AgentView, 'limits' | 'usage' | 'limit_changes'>> {
  const limits = await readAgentLimits.verb(call, { client_id: clientId })
  return {
    limits,
    usage: limits === null ? null : await readUsage(call, clientId, limits),
    limit_changes: await readChanges(call, clientId),
  }
}

async function readSpendByMerchant(call: WalletCall, clientId: string): Promise<AgentView['spent_by_merchant']> {
  const { platform, actor, now } = call
  const agent = { principalId: actor.principalId, clientId }
  const sums = await sumByMerchantOfAgent(platform.db, agent, { from: monthStart(now), limit: MERCHANTS_SHOWN })
  return sums.map(({ merchantAudience, merchantName, currency, amountMinor, count }) => ({
    merchant_audience: merchantAudience,
    merchant_name: merchantName,
    currency,
    amount_minor: amountMinor,
    payments: count,
  }))
}

async function readApprovals(
  { platform, actor, now }: WalletCall,
  clientId: string,
): Promise<AgentView['recent_approvals']> {
  const agent = { principalId: actor.principalId, clientId }
  const rows = await listAgentApprovals(platform.db, agent, { limit: RECENT_APPROVALS, now })
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }))
}

async function readRemembered(
  { platform, actor, now }: WalletCall,
  clientId: string,
): Promise<Pick<AgentView, 'remembered_merchants' | 'remembered_access'>> {
  const merchants = await listRememberedMerchants(platform.db, actor.principalId, clientId)
  const access = await listRememberedAccess(platform.db, actor.principalId, clientId)
  const sessions = await listWalletSessions(platform.db, { principalId: actor.principalId, clientId, now })
  const until = new Map(sessions.map((session) => [nameOf(session.scope), session.expires_at.toISOString()]))
  return {
    remembered_merchants: merchants.map((row) => ({ ...row, created_at: row.created_at.toISOString() })),
    remembered_access: access.map((row) => ({
      ...row,
      created_at: row.created_at.toISOString(),
      session_until: until.get(nameOf(row.scope.split(' '))) ?? null,
    })),
  }
}

/** One name for a set of scopes, whatever their order. */
const nameOf = (scope: readonly string[]): string => scope.toSorted().join(' ')

/** Months are counted in UTC, as days are. */
function monthStart(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
}

async function spendByAgent({ platform, actor, now }: WalletCall): Promise<ReadonlyMap<string, Money[]>> {
  const byAgent = new Map<string, Money[]>()
  for (const { clientId, currency, amountMinor } of await sumByAgent(platform.db, actor.principalId, monthStart(now))) {
    byAgent.set(clientId, [...(byAgent.get(clientId) ?? []), { currency, amount_minor: amountMinor }])
  }
  return byAgent
}
