import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import type { WalletCall } from '../../../base/core/call'
import { ProtocolError } from '../../../base/protocol/errors'
import { type ReceiptClaims, verifyReceipt as verifyReceiptJws } from '../../../base/protocol/receipt'
import { type PaymentDetail, readPayment } from '../../../money/payments'
import type { readPaymentProcedure } from './contract'
import type { ReceiptVerdict } from './view'

/** Verifies the signature of a payment's receipt with the published keys, and that it agrees with the payment. */
export async function verifyReceipt(
  call: WalletCall,
  input: ProcedureInput<typeof readPaymentProcedure>,
): Promise<ReceiptVerdict> {
  const payment = await readPayment(call, { payment_intent_id: input.id })
  try {
    const { claims, kid } = await verifyReceiptJws(payment.receiptJws, {
      issuer: call.platform.config.baseUrl,
      audience: payment.merchantAudience,
      now: call.now,
      findKey: (name) => call.platform.keys.find('receipt', name),
    })
    return { verdict: agreesWith(claims, payment) ? 'valid' : 'other_payment', kid }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    return { verdict: 'invalid', kid: null }
  }
}

function agreesWith(claims: ReceiptClaims, payment: PaymentDetail): boolean {
  return (
    claims.payment_intent_id === payment.paymentIntentId &&
    claims.jti === payment.settlementId &&
    claims.mandate_id === payment.mandateId &&
    claims.sub === payment.clientId &&
    claims.amount_minor === payment.amountMinor &&
    claims.currency === payment.currency
  )
}
