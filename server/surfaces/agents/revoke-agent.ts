import type { InputOf } from '../../base/contract/endpoint'
import type { WalletCall } from '../../base/core/call'
import { buildUnknownAgentError } from '../../base/core/common-errors'
import { failpoint } from '../../base/core/failpoints'
import type { Transaction } from '../../base/core/platform'
import { announceStop } from '../../money/settlement'
import { lockAgent, revokeClient } from '../../oauth/clients'
import { revokeClientFamilies } from '../../oauth/tokens'
import { meansOf, recordPersonAct } from '../../shared/audit'
import { lockActor } from '../../shared/principals'
import { declinePendingApprovals, forgetApprovals } from '../../wallet/approvals'
import { releaseCards } from '../../wallet/cards'
import { declinePendingBumps } from '../../wallet/limits'
import type { revokeAgentEndpoint } from './contract'

/**
 * Revokes the agent with its tokens, mandates and approvals, in one transaction, and closes its payments that wait for
 * the bank. A repeat changes nothing and returns the time of the first revocation. Since agents may pay less afterwards,
 * it needs an active session or a wallet token that may write, but no confirmation. 404 for an unknown agent and for
 * another person's.
 */
export async function revokeAgent(call: WalletCall, { client_id: clientId }: InputOf<typeof revokeAgentEndpoint>) {
  const { platform, actor } = call
  const outcome = await platform.db.transaction((tx) => revoke(tx, call, clientId))
  await failpoint('revoke.after_db_commit')
  await failpoint('revoke.before_cache')
  await announceStop(platform, actor.principalId)
  await failpoint('revoke.after_cache')
  return {
    ok: true as const,
    client_id: clientId,
    revoked_at: outcome.revokedAt.toISOString(),
    families_revoked: outcome.families,
  }
}

async function revoke(tx: Transaction, call: WalletCall, clientId: string) {
  const { actor, now } = call
  // The person's row is locked before the agent's, as in approvals.
  await lockActor(tx, actor)
  const agent = await lockAgent(tx, { principalId: actor.principalId, clientId })
  if (agent === null) throw buildUnknownAgentError()
  if (agent.revoked_at !== null) return { revokedAt: agent.revoked_at, families: 0 }
  await revokeClient(tx, clientId, now)
  await forgetApprovals(tx, clientId)
  await declinePendingApprovals(tx, clientId, now)
  await declinePendingBumps(tx, clientId, now)
  await releaseCards(tx, call, clientId)
  const families = await revokeClientFamilies(tx, {
    clientId,
    reason: 'agent_revoked',
    actor: { kind: 'principal', id: actor.principalId },
    now,
  })
  const change = { from: 'active', to: 'revoked', means: meansOf(actor), agent_client_id: clientId } as const
  await recordPersonAct(tx, call, { event: 'oid4ac.agent.revoked', payload: { what: 'agent', ...change } })
  return { revokedAt: now, families }
}
