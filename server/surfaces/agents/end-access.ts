import type { ProcedureInput } from '../../base/contract/portal-procedure'
import { announceChange } from '../../base/core/announce-change'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { endAccessCodes, endAccessRequests } from '../../oauth/authorization'
import { lockAgent } from '../../oauth/clients'
import { revokeClientFamilies } from '../../oauth/tokens'
import { lockActivePrincipal } from '../../shared/principals'
import { forgetAccessApproval } from '../../wallet/approvals'
import type { endAccessProcedure } from './contract'

/**
 * Ends the person's approval of wallet access for one set of scopes: the agent has to ask again, and the tokens, codes,
 * approved requests and mailed links for that access end now. 404 for an unknown agent and for another person's, and
 * when the agent has neither such an approval nor tokens.
 */
export async function endAccess(call: WalletCall, input: ProcedureInput<typeof endAccessProcedure>) {
  const { platform, actor, now } = call
  const { client_id: clientId } = input
  const access = { clientId, scope: input.scope.split(' '), now }
  const families = await platform.db.transaction(async (tx) => {
    await lockActivePrincipal(tx, actor.principalId)
    await endAccessRequests(tx, access)
    const agent = await lockAgent(tx, { principalId: actor.principalId, clientId })
    if (agent === null) throw buildNoAccessError()
    const wasApproved = await forgetAccessApproval(tx, access)
    await endAccessCodes(tx, access)
    const revoked = await revokeClientFamilies(tx, {
      ...access,
      reason: 'access_ended',
      actor: { kind: 'principal', id: actor.principalId },
    })
    if (!wasApproved && revoked === 0) throw buildNoAccessError()
    return revoked
  })
  await announceChange(platform, actor.principalId)
  return { ok: true as const, families_revoked: families }
}

const buildNoAccessError = () => new ServiceError('not_found', 'There is no such access.')
