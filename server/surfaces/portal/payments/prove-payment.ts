import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import type { WalletCall } from '../../../base/core/call'
import { readPayment } from '../../../money/payments'
import { listPaymentEntries, proveOwnEntry } from '../../../shared/audit'
import type { readPaymentProcedure } from './contract'
import { auditPeriod } from './read-payment'
import type { PaymentProof } from './view'

/** Returns proofs that the audit entries of a payment are in the chain's signed Merkle tree, oldest first. */
export async function provePayment(
  call: WalletCall,
  input: ProcedureInput<typeof readPaymentProcedure>,
): Promise<PaymentProof> {
  const payment = await readPayment(call, { payment_intent_id: input.id })
  const entries = await listPaymentEntries(call.platform.db, call.actor, auditPeriod(payment))
  const proofs: PaymentProof['proofs'][number][] = []
  for (const { seq } of entries) proofs.push(await proveOwnEntry(call, { seq }))
  return { proofs }
}
