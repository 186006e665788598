import type * as z from 'zod'
import type { WalletCall } from '../core/call'
import { type PaymentDetail, readPayment } from '../payments'
import { ProtocolError } from '../protocol/errors'
import { decodeJws } from '../protocol/jws'
import { type ReceiptClaims, verifyReceipt as verifyReceiptJws } from '../protocol/receipt'
import type { paymentChoice, ReceiptVerdict } from './contract'

/** Checks the signature of a payment's receipt with the published keys, and that it says the same as the payment does. */
export async function verifyReceipt(call: WalletCall, input: z.output<typeof paymentChoice>): Promise<ReceiptVerdict> {
  const payment = await readPayment(call, { payment_intent_id: input.id })
  try {
    const claims = verifyReceiptJws(payment.receiptJws, {
      issuer: call.platform.config.baseUrl,
      audience: payment.merchantAudience,
      now: call.now,
      findKey: (kid) => call.platform.keys.find('receipt', kid),
    })
    const { kid } = decodeJws(payment.receiptJws).header
    return { verdict: saysTheSame(claims, payment) ? 'valid' : 'other_payment', kid: kid ?? null }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    return { verdict: 'invalid', kid: null }
  }
}

function saysTheSame(claims: ReceiptClaims, payment: PaymentDetail): boolean {
  return (
    claims.payment_intent_id === payment.paymentIntentId &&
    claims.jti === payment.settlementId &&
    claims.mandate_id === payment.mandateId &&
    claims.sub === payment.clientId &&
    claims.amount_minor === payment.amountMinor &&
    claims.currency === payment.currency
  )
}
