import type { ProcedureInput } from '../../base/contract/portal-procedure'
import { announceChange } from '../../base/core/announce-change'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { lockAgent } from '../../oauth/clients'
import { revokeClientFamilies } from '../../oauth/tokens'
import { lockActivePrincipal } from '../../shared/principals'
import { forgetAccessApproval } from '../../wallet/approvals'
import type { endAccessProcedure } from './contract'

/**
 * Takes back the person's approval of wallet access for one set of scopes: the agent has to ask again, and what it holds
 * by that approval ends now. 404 for an unknown agent and for another person's.
 */
export async function endAccess(call: WalletCall, input: ProcedureInput<typeof endAccessProcedure>) {
  const { platform, actor, now } = call
  const { client_id: clientId } = input
  const scope = input.scope.split(' ')
  const families = await platform.db.transaction(async (tx) => {
    await lockActivePrincipal(tx, actor.principalId)
    const agent = await lockAgent(tx, { principalId: actor.principalId, clientId })
    if (agent === null || !(await forgetAccessApproval(tx, { clientId, scope }))) {
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
  await announceChange(platform, actor.principalId)
  return { ok: true as const, families_revoked: families }
}
