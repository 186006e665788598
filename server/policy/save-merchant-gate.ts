import type * as z from 'zod'
import type { InputOf, OutputOf } from '../contract/endpoint'
import type { WalletCall } from '../core/call'
import type { Transaction } from '../core/platform'
import { confirmLoosening } from '../passkeys'
import type { merchantGateChoice, saveMerchantGateEndpoint } from './contract'
import { isOnlyListed, saveOnlyListed } from './own-rules-store'

type Save = typeof saveMerchantGateEndpoint

/**
 * POST /wallet/merchant-rules/gate: whether only merchants that the person allowed may ask. 403 step_up_required for a
 * wallet token that ends that, of somebody who requires passkeys.
 */
export function saveMerchantGate(call: WalletCall, input: InputOf<Save>): Promise<OutputOf<Save>> {
  return saveMerchantGateInPortal(call, input)
}

/** The same in the portal. 403 step_up_required when it ends and that is not confirmed. */
export async function saveMerchantGateInPortal(
  call: WalletCall,
  { proof, only_listed: wanted }: z.output<typeof merchantGateChoice>,
): Promise<OutputOf<Save>> {
  const { principalId } = call.actor
  const change = {
    loosens: async (tx: Transaction) =>
      (await isOnlyListed(tx, principalId)) && !wanted ? { only_listed_merchants: { from: true, to: false } } : null,
    save: (tx: Transaction) => saveOnlyListed(tx, principalId, wanted),
  }
  await confirmLoosening(call, change, proof)
  return { only_listed: wanted }
}
