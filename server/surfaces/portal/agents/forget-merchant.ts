import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import { announceChange } from '../../../base/core/announce-change'
import type { WalletCall } from '../../../base/core/call'
import { ServiceError } from '../../../base/core/errors'
import type { Transaction } from '../../../base/core/platform'
import { endUnaskedCodes, endUnaskedRequests } from '../../../oauth/authorization'
import { lockAgent } from '../../../oauth/clients'
import { revokeUnaskedFamilies } from '../../../oauth/tokens'
import { lockActivePrincipal, requirePrincipal } from '../../../shared/principals'
import { asksWithinLimits, forgetMerchantApproval } from '../../../wallet/approvals'
import type { forgetMerchantProcedure } from './contract'

type Forgotten = ProcedureInput<typeof forgetMerchantProcedure>

/**
 * Deletes a remembered approval: the agent has to ask again at this merchant, even in a purchase that is begun but not
 * settled. 404 for a merchant that is not remembered.
 */
export async function forgetMerchant(call: WalletCall, input: Forgotten): Promise<{ ok: true }> {
  const { platform, actor } = call
  await platform.db.transaction((tx) => forget(tx, call, input))
  await announceChange(platform, actor.principalId)
  return { ok: true }
}

async function forget(tx: Transaction, { actor, now }: WalletCall, input: Forgotten): Promise<void> {
  const { principalId } = actor
  const purchases = { principalId, clientId: input.client_id, audience: input.merchant_audience, now }
  await lockActivePrincipal(tx, principalId)
  const { approval_rule: rule } = await requirePrincipal(tx, principalId)
  const mayDepend = asksWithinLimits(rule)
  if (mayDepend) await endUnaskedRequests(tx, purchases)
  await lockAgent(tx, purchases)
  if (!(await forgetMerchantApproval(tx, principalId, purchases))) {
    throw new ServiceError('not_found', 'There is no such remembered merchant.')
  }
  if (!mayDepend) return
  await endUnaskedCodes(tx, purchases)
  const by = { kind: 'principal', id: principalId } as const
  await revokeUnaskedFamilies(tx, { ...purchases, reason: 'access_ended', actor: by })
}
