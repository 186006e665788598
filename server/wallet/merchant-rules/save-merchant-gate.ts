import type { OutputOf } from '../../base/contract/endpoint'
import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { requireStepUpToRelax } from '../../identity/passkeys'
import { type Means, recordPersonAct } from '../../shared/audit'
import { updateOnlyListedMerchants } from '../../shared/principals'
import type { saveMerchantGateEndpoint, saveMerchantGateProcedure } from './contract'
import { isOnlyListed } from './own-rules-store'

/**
 * POST /wallet/merchant-rules/gate, and in the portal: saves whether only merchants that the person allowed may be
 * paid. 403 step_up_required for turning that off without confirmation, 401 insufficient_user_authentication with a
 * wallet token that does not suffice.
 */
export async function saveMerchantGate(
  call: WalletCall,
  { proof, only_listed: wanted }: ProcedureInput<typeof saveMerchantGateProcedure>,
): Promise<OutputOf<typeof saveMerchantGateEndpoint>> {
  const { principalId } = call.actor
  const change = {
    relaxes: async (tx: Transaction) =>
      (await isOnlyListed(tx, principalId)) && !wanted ? { only_listed_merchants: { from: true, to: false } } : null,
    // A settlement in progress ends first, and one that starts after the commit sees the change.
    save: async (tx: Transaction, means: Means) => {
      const before = await isOnlyListed(tx, principalId)
      if (before === wanted) return
      await updateOnlyListedMerchants(tx, principalId, wanted)
      const about = { agent_client_id: null, merchant_audience: null }
      const payload = { what: 'merchant_gate', from: before, to: wanted, means, ...about } as const
      await recordPersonAct(tx, call, { event: 'oid4ac.policy.changed', payload })
    },
  }
  await requireStepUpToRelax(call, change, proof)
  return { only_listed: wanted }
}
