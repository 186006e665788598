import type * as z from 'zod'
import type { OutputOf } from '../contract/endpoint'
import type { WalletCall } from '../core/call'
import type { Transaction } from '../core/platform'
import { confirmLoosening } from '../passkeys'
import type { merchantGateChoice, saveMerchantGateEndpoint } from './contract'
import { isOnlyListed, saveOnlyListed } from './own-rules-store'

/**
 * POST /wallet/merchant-rules/gate, and in the portal: whether only merchants that the person allowed may ask. 403
 * step_up_required for ending that when it is not confirmed, or by a wallet token of somebody who requires passkeys.
 */
export async function saveMerchantGate(
  call: WalletCall,
  { proof, only_listed: wanted }: z.output<typeof merchantGateChoice>,
): Promise<OutputOf<typeof saveMerchantGateEndpoint>> {
  const { principalId } = call.actor
  const change = {
    loosens: async (tx: Transaction) =>
      (await isOnlyListed(tx, principalId)) && !wanted ? { only_listed_merchants: { from: true, to: false } } : null,
    save: (tx: Transaction) => saveOnlyListed(tx, principalId, wanted),
  }
  await confirmLoosening(call, change, proof)
  return { only_listed: wanted }
}
