import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import { announceChange } from '../../../base/core/announce-change'
import type { WalletCall } from '../../../base/core/call'
import { ServiceError } from '../../../base/core/errors'
import { forgetMerchantApproval } from '../../../wallet/approvals'
import type { forgetMerchantProcedure } from './contract'

/** From now on the agent has to ask again at this merchant. 404 for a merchant that is not remembered. */
export async function forgetMerchant(
  { platform, actor }: WalletCall,
  input: ProcedureInput<typeof forgetMerchantProcedure>,
): Promise<{ ok: true }> {
  const choice = { clientId: input.client_id, audience: input.merchant_audience }
  const forgotten = await forgetMerchantApproval(platform.db, actor.principalId, choice)
  if (!forgotten) throw new ServiceError('not_found', 'There is no such remembered merchant.')
  await announceChange(platform, actor.principalId)
  return { ok: true }
}
