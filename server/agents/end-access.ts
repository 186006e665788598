import type { WalletCall } from '../core/call'
import { ServiceError } from '../core/errors'
import { lockPrincipal } from '../principals'
import { revokeClientFamilies } from '../tokens'
import { forgetAccess, lockAgent } from './store'

/**
 * Takes back the person's approval of wallet access for one set of scopes: the agent has to ask again, and what it holds
 * by that approval ends now. Another person's agent looks unknown.
 */
export async function endAccess(call: WalletCall, input: { readonly client_id: string; readonly scope: string }) {
  const { platform, actor, now } = call
  const { client_id: clientId } = input
  const scope = input.scope.split(' ')
  const families = await platform.db.transaction(async (tx) => {
    await lockPrincipal(tx, actor.principalId)
    const agent = await lockAgent(tx, actor.principalId, clientId)
    if (agent === null || !(await forgetAccess(tx, { clientId, scope }))) {
      throw new ServiceError('not_found', 'There is no such access.')
    }
    return revokeClientFamilies(tx, {
      clientId,
      scope,
      reason: 'access_ended',
      actor: { kind: 'principal', id: actor.principalId },
      now,
    })
  })
  await platform.cache.publish(`principal:${actor.principalId}`)
  return { ok: true as const, families_revoked: families }
}
