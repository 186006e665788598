import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import type { WalletCall } from '../../../base/core/call'
import type { Transaction } from '../../../base/core/platform'
import { requireStepUpToRelax } from '../../../identity/passkeys'
import { type Means, recordPersonAct } from '../../../shared/audit'
import { requirePrincipal, saveApprovalRule, saveMagicLinkGate } from '../../../shared/principals'
import { type ApprovalRule, asksLess } from '../input'
import type { chooseApprovalRuleProcedure, chooseMagicLinkGateProcedure } from './contract'

/** Saves when the person is asked. 403 step_up_required for a rule that asks less often, when that is not confirmed. */
export async function chooseApprovalRule(
  call: WalletCall,
  { proof, approval_rule: to }: ProcedureInput<typeof chooseApprovalRuleProcedure>,
): Promise<{ approval_rule: ApprovalRule }> {
  const { principalId } = call.actor
  const change = {
    relaxes: async (tx: Transaction) => {
      const { approval_rule: from } = await requirePrincipal(tx, principalId)
      return asksLess(from, to) ? { approval_rule: { from, to } } : null
    },
    save: async (tx: Transaction, means: Means) => {
      const { approval_rule: from } = await requirePrincipal(tx, principalId)
      if (from === to) return
      await saveApprovalRule(tx, principalId, to)
      await recordRule(tx, call, { what: 'approval_rule', from, to, means })
    },
  }
  await requireStepUpToRelax(call, change, proof)
  return { approval_rule: to }
}

/**
 * Saves whether purchases that need no approval are confirmed by mail first. 403 step_up_required for turning that off
 * without a confirmation, even while the service requires it for everyone.
 */
export async function chooseMagicLinkGate(
  call: WalletCall,
  { proof, magic_link_gate: to }: ProcedureInput<typeof chooseMagicLinkGateProcedure>,
): Promise<{ magic_link_gate: boolean }> {
  const { principalId } = call.actor
  const change = {
    relaxes: async (tx: Transaction) => {
      const { magic_link_gate: from } = await requirePrincipal(tx, principalId)
      return from && !to ? { magic_link_gate: { from, to } } : null
    },
    save: async (tx: Transaction, means: Means) => {
      const { magic_link_gate: from } = await requirePrincipal(tx, principalId)
      if (from === to) return
      await saveMagicLinkGate(tx, principalId, to)
      await recordRule(tx, call, { what: 'magic_link_gate', from, to, means })
    },
  }
  await requireStepUpToRelax(call, change, proof)
  return { magic_link_gate: to }
}

interface RuleChange {
  readonly what: 'approval_rule' | 'magic_link_gate'
  readonly from: ApprovalRule | boolean
  readonly to: ApprovalRule | boolean
  readonly means: Means
}

function recordRule(tx: Transaction, call: WalletCall, change: RuleChange): Promise<void> {
  const payload = { ...change, agent_client_id: null, merchant_audience: null }
  return recordPersonAct(tx, call, { event: 'oid4ac.policy.changed', payload })
}
