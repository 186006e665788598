import type { OutputOf } from '../../base/contract/endpoint'
import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { requireStepUpToRelax } from '../../identity/passkeys'
import { announceStop, awaitSubmitted } from '../../money/settlement'
import { endPurchaseLinks } from '../../oauth/authorization'
import { type Means, recordPersonAct } from '../../shared/audit'
import { findFrozenAt, updateFrozenAt } from '../../shared/principals'
import type { freezeSpendingEndpoint, unfreezeSpendingProcedure } from './contract'
import { saveWithoutStepUp } from './save-without-step-up'
import { withdrawPurchases } from './withdraw-purchases'

type Freeze = OutputOf<typeof freezeSpendingEndpoint>

/**
 * Freezes spending: no agent pays or asks to pay until the person unfreezes. Pending purchases and limit requests end.
 * Freezing again changes nothing. Payments that were admitted before are charged by the time this returns, or abandoned
 * when the processor was not reached, and those that wait for the bank are closed, so that nothing is charged afterwards.
 */
export async function freezeSpending(call: WalletCall): Promise<Freeze> {
  const { principalId } = call.actor
  const frozenAt = await saveWithoutStepUp(call, async (tx, means) => {
    const since = await findFrozenAt(tx, principalId)
    if (since !== null) return since
    await updateFrozenAt(tx, principalId, call.now)
    await endPurchaseLinks(tx, { principalId, clientId: null, now: call.now })
    await withdrawPurchases(tx, call, { clientId: null })
    await recordFreeze(tx, call, { from: 'active', to: 'frozen', means })
    return call.now
  })
  await Promise.all([awaitSubmitted(call.platform.db, principalId), announceStop(call.platform, principalId)])
  return { frozen_at: frozenAt.toISOString() }
}

/** Unfreezes spending, for a wallet token. */
export function unfreezeSpending(call: WalletCall): Promise<Freeze> {
  return liftFreeze(call, {})
}

/** Unfreezes spending; the limits stay as they are. 403 step_up_required when it is frozen and not confirmed. */
export async function liftFreeze(
  call: WalletCall,
  { proof }: ProcedureInput<typeof unfreezeSpendingProcedure>,
): Promise<Freeze> {
  const { principalId } = call.actor
  const change = {
    relaxes: async (tx: Transaction) =>
      (await findFrozenAt(tx, principalId)) === null ? null : { frozen: { from: true, to: false } },
    save: async (tx: Transaction, means: Means) => {
      if ((await findFrozenAt(tx, principalId)) === null) return
      await updateFrozenAt(tx, principalId, null)
      await recordFreeze(tx, call, { from: 'frozen', to: 'active', means })
    },
  }
  await requireStepUpToRelax(call, change, proof)
  return { frozen_at: null }
}

function recordFreeze(
  tx: Transaction,
  call: WalletCall,
  change: { readonly from: 'active' | 'frozen'; readonly to: 'active' | 'frozen'; readonly means: Means },
): Promise<void> {
  const payload = { what: 'spending', agent_client_id: null, ...change } as const
  return recordPersonAct(tx, call, { event: 'oid4ac.limits.changed', payload })
}
