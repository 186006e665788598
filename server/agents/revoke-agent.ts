import type * as z from 'zod'
import type { InputOf } from '../contract/endpoint'
import type { WalletCall } from '../core/call'
import { ServiceError } from '../core/errors'
import { failpoint } from '../core/failpoints'
import type { Transaction } from '../core/platform'
import { proveStepUp } from '../passkeys'
import { lockPrincipal } from '../principals'
import { revokeClientFamilies } from '../tokens'
import type { revocation, revokeAgentEndpoint } from './contract'
import { declineQuestions, findAgentRow, forgetApprovals, lockAgent, markRevoked } from './store'

/**
 * POST /wallet/agents/{client_id}/revoke: ends the agent with everything that it holds or asks for, in one transaction.
 * A repeat changes nothing and answers when it was revoked first. Another person's agent looks unknown.
 */
export async function revokeAgent(call: WalletCall, { client_id: clientId }: InputOf<typeof revokeAgentEndpoint>) {
  const { platform, actor } = call
  const outcome = await platform.db.transaction((tx) => revoke(tx, call, clientId))
  await failpoint('revoke.after_db_commit')
  await failpoint('revoke.before_cache')
  await platform.cache.publish(`principal:${actor.principalId}`)
  await failpoint('revoke.after_cache')
  return {
    ok: true as const,
    client_id: clientId,
    revoked_at: outcome.revokedAt.toISOString(),
    families_revoked: outcome.families,
  }
}

/**
 * The portal's revocation, which the person confirms. What is revoked already needs no confirmation to say so. 403
 * step_up_required otherwise.
 */
export async function revokeAgentInPortal(
  call: WalletCall,
  { client_id: clientId, proof }: z.output<typeof revocation>,
) {
  const agent = await findAgentRow(call.platform.db, call.actor.principalId, clientId)
  if (agent === null) throw unknownAgent()
  if (agent.revoked_at === null) {
    await proveStepUp(call, { purpose: 'agent.revoke', subject: { client_id: clientId } }, proof)
  }
  return revokeAgent(call, { client_id: clientId })
}

function unknownAgent(): ServiceError {
  return new ServiceError('not_found', 'There is no such agent.')
}

async function revoke(tx: Transaction, { actor, now }: WalletCall, clientId: string) {
  // The person's row before the agent's, as an approval locks them.
  await lockPrincipal(tx, actor.principalId)
  const agent = await lockAgent(tx, actor.principalId, clientId)
  if (agent === null) throw unknownAgent()
  if (agent.revoked_at !== null) return { revokedAt: agent.revoked_at, families: 0 }
  await markRevoked(tx, clientId, now)
  await forgetApprovals(tx, clientId)
  await declineQuestions(tx, clientId, now)
  const families = await revokeClientFamilies(tx, {
    clientId,
    reason: 'agent_revoked',
    actor: { kind: 'principal', id: actor.principalId },
    now,
  })
  return { revokedAt: now, families }
}
