import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { requireStepUpToRelax } from '../../identity/passkeys'
import { announceStop } from '../../money/settlement'
import { type Means, recordPersonAct } from '../../shared/audit'
import { lockPrincipalExclusively, requirePrincipal, updateProcessingRestricted } from '../../shared/principals'
import { withdrawPendingApprovals } from '../../wallet/approvals'
import { withdrawPendingBumps } from '../../wallet/limits'
import type { liftRestrictionProcedure } from './contract'
import { openRequest } from './open-request'
import { markLifted } from './store'

/**
 * Restricts processing: from the answer on agents get no tokens, nothing new is settled, and pending requests and
 * payments that wait for the bank have ended. The person keeps their data, rights and revocations. A repetition changes
 * nothing.
 */
export async function restrictProcessing(call: WalletCall): Promise<{ readonly processing_restricted: true }> {
  const { platform, actor, now } = call
  const { principalId } = actor
  await platform.db.transaction(async (tx) => {
    await lockPrincipalExclusively(tx, principalId)
    await openRequest(tx, call, { kind: 'restriction', result: 'restricted' })
    await updateProcessingRestricted(tx, principalId, true)
    await withdrawPendingApprovals(tx, { principalId, now })
    await withdrawPendingBumps(tx, { principalId, clientId: null, now })
  })
  await announceStop(platform, principalId)
  return { processing_restricted: true }
}

/** Lifts the restriction. 403 step_up_required when there is one and it is not confirmed. */
export async function liftRestriction(
  call: WalletCall,
  { proof }: ProcedureInput<typeof liftRestrictionProcedure>,
): Promise<{ readonly processing_restricted: false }> {
  const { principalId } = call.actor
  const change = {
    relaxes: async (tx: Transaction) =>
      (await isRestricted(tx, principalId)) ? { processing_restricted: { from: true, to: false } } : null,
    save: async (tx: Transaction, means: Means) => {
      if (await isRestricted(tx, principalId)) await lift(tx, call, means)
    },
  }
  await requireStepUpToRelax(call, change, proof)
  return { processing_restricted: false }
}

const isRestricted = async (tx: Transaction, principalId: string): Promise<boolean> =>
  (await requirePrincipal(tx, principalId)).processing_restricted

async function lift(tx: Transaction, call: WalletCall, means: Means): Promise<void> {
  const { principalId } = call.actor
  await updateProcessingRestricted(tx, principalId, false)
  await markLifted(tx, principalId)
  await recordPersonAct(tx, call, {
    event: 'oid4ac.policy.changed',
    payload: {
      what: 'processing',
      from: 'restricted',
      to: 'active',
      means,
      agent_client_id: null,
      merchant_audience: null,
    },
  })
}
