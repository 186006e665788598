import type { ProcedureInput } from '../../base/contract/portal-procedure'
import { buildNotFoundError } from '../../base/contract/problem'
import { announceChange } from '../../base/core/announce-change'
import type { WalletCall } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { meansOf, recordPersonAct } from '../../shared/audit'
import { lockActivePrincipal, requirePrincipal } from '../../shared/principals'
import type { removeAgeProofProcedure } from './contract'
import { notifyAgeChange } from './notify-age-change'
import { deleteProof } from './store'

/**
 * Removes the proof of an age, so that no new mandate carries it. Since agents can buy less afterwards, no confirmation
 * is needed. 404 when there is no such proof.
 */
export async function removeAgeProof(
  call: WalletCall,
  { age }: ProcedureInput<typeof removeAgeProofProcedure>,
): Promise<{ readonly age: number }> {
  const { platform, actor } = call
  const { principalId } = actor
  await platform.db.transaction(async (tx) => {
    await lockActivePrincipal(tx, principalId)
    if (!(await deleteProof(tx, { principalId, age }))) throw buildNotFoundError()
    const { email } = await requirePrincipal(tx, principalId)
    await notifyAgeChange(tx, call, { principalId, email, change: 'removed' })
    await recordRemoval(tx, call)
  })
  await announceChange(platform, principalId)
  return { age }
}

function recordRemoval(tx: Transaction, call: WalletCall): Promise<void> {
  const change = { what: 'age_proof', from: 'proven', to: 'removed', means: meansOf(call.actor) } as const
  const payload = { ...change, agent_client_id: null, merchant_audience: null }
  return recordPersonAct(tx, call, { event: 'oid4ac.policy.changed', payload })
}
