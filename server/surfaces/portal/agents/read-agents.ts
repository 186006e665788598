import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import type { WalletCall } from '../../../base/core/call'
import { thumbprintOf } from '../../../base/protocol/key-import'
import { listRecentPayments, sumByAgent, sumByMerchantOfAgent } from '../../../money/payments'
import { findClient, listOpenSetupTokens } from '../../../oauth/clients'
import { listWalletSessions } from '../../../oauth/tokens'
import { requirePrincipal } from '../../../shared/principals'
import { listAgentApprovals, listRememberedAccess, listRememberedMerchants } from '../../../wallet/approvals'
import { findPayingCard, listCards } from '../../../wallet/cards'
import { countingWindows, findTurningClock, listMonthlyCaps, readAgentLimits } from '../../../wallet/limits'
import { listAgents, readAgent } from '../../agents'
import { readChanges, readUsage } from '../shared/limits-usage'
import { renderPayment } from '../shared/render-payment'
import { withShownNames } from '../shared/store'
import type { Money } from '../shared/view'
import type { readAgentProcedure } from './contract'
import { countActiveFamilies, findNameParts } from './store'
import type { AgentList, AgentView, SavedCard } from './view'

const RECENT_PAYMENTS = 10
const RECENT_APPROVALS = 10
const MERCHANTS_SHOWN = 50
const THUMBPRINT_TAIL_CHARS = 8

/** Returns the person's agents, with the amount that each spent this month, and the setup tokens for others. */
export async function listAgentSummaries(call: WalletCall): Promise<AgentList> {
  const { platform, actor, now } = call
  const { agents } = await listAgents.verb(call)
  const named = await withShownNames(platform.db, actor.principalId, agents)
  const caps = await listMonthlyCaps(platform.db, actor.principalId)
  const spend = await spendByAgent(call, await monthStart(call))
  const tokens = await listOpenSetupTokens(platform.db, { principalId: actor.principalId, now })
  return {
    setup_tokens: tokens.map(({ id, name, created_at: createdAt, expires_at: expiresAt }) => ({
      id,
      name,
      created_at: createdAt.toISOString(),
      expires_at: expiresAt.toISOString(),
    })),
    agents: named.map((agent) => ({
      ...agent,
      spent_this_month: spend.get(agent.client_id) ?? [],
      monthly_limit: caps.get(agent.client_id) ?? null,
    })),
  }
}

/** Returns one agent with all that its page shows. */
export async function readAgentDetail(
  call: WalletCall,
  input: ProcedureInput<typeof readAgentProcedure>,
): Promise<AgentView> {
  const { platform, actor, now } = call
  const agent = await readAgent.verb(call, input)
  const { client_id: clientId } = agent
  const name = await findNameParts(platform.db, clientId)
  const from = await monthStart(call)
  const spend = await spendByAgent(call, from)
  const caps = await listMonthlyCaps(platform.db, actor.principalId)
  const payments = await listRecentPayments(call, { clientId, limit: RECENT_PAYMENTS })
  const [key] = (await findClient(platform.db, clientId))?.jwks ?? []
  return {
    ...agent,
    label: name.full_name,
    own_name: name.name,
    given_name: name.given_name,
    spent_this_month: spend.get(clientId) ?? [],
    monthly_limit: caps.get(clientId) ?? null,
    cards: await readCards(call, clientId),
    active_families: await countActiveFamilies(platform.db, actor.principalId, { clientId, now }),
    ...(await readOwnLimits(call, clientId)),
    spent_by_merchant: await readSpendByMerchant(call, clientId, from),
    recent_approvals: await readApprovals(call, clientId),
    key_thumbprint: key === undefined ? null : (await thumbprintOf(key)).slice(-THUMBPRINT_TAIL_CHARS),
    approval_rule: (await requirePrincipal(platform.db, actor.principalId)).approval_rule,
    ...(await readRemembered(call, clientId)),
    recent_payments: payments.map(renderPayment),
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

async function readSpendByMerchant(
  { platform, actor }: WalletCall,
  clientId: string,
  from: Date,
): Promise<AgentView['spent_by_merchant']> {
  const agent = { principalId: actor.principalId, clientId }
  const sums = await sumByMerchantOfAgent(platform.db, agent, { from, limit: MERCHANTS_SHOWN })
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

/** Returns one name for a set of scopes, in any order. */
const nameOf = (scope: readonly string[]): string => scope.toSorted().join(' ')

/** Returns the start of the month by which the person's limits are counted. */
async function monthStart({ platform, actor, now }: WalletCall): Promise<Date> {
  return countingWindows(now, await findTurningClock(platform.db, actor.principalId)).month.from
}

/**
 * Returns the card that the agent pays with, and those that could become its own: neither the default nor another
 * agent's.
 */
async function readCards(call: WalletCall, clientId: string): Promise<AgentView['cards']> {
  const { cards } = await listCards.verb(call)
  const choices = cards.filter((card) => card.agent_client_id === clientId || isFree(card))
  const own = cards.find((card) => card.agent_client_id === clientId)
  const { principalId } = call.actor
  const { isOwnRemoved } = await findPayingCard(call.platform.db, { principalId, clientId })
  return {
    own_id: own?.id ?? null,
    own_removed: isOwnRemoved,
    default_card: cards.find((card) => card.is_default) ?? null,
    choices,
  }
}

const isFree = (card: SavedCard): boolean =>
  card.agent_client_id === null && !card.is_default && card.status === 'active'

async function spendByAgent({ platform, actor }: WalletCall, from: Date): Promise<ReadonlyMap<string, Money[]>> {
  const byAgent = new Map<string, Money[]>()
  for (const { clientId, currency, amountMinor } of await sumByAgent(platform.db, actor.principalId, from)) {
    byAgent.set(clientId, [...(byAgent.get(clientId) ?? []), { currency, amount_minor: amountMinor }])
  }
  return byAgent
}
