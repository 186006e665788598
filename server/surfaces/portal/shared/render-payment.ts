import type { NamedPayment } from '../../../money/payments'
import type { PaymentView } from './view'

/** Maps a payment to the wire's form, with the names by which the person knows its parties. */
export function renderPayment(payment: NamedPayment): PaymentView {
  return {
    payment_intent_id: payment.paymentIntentId,
    merchant_audience: payment.merchantAudience,
    amount_minor: payment.amountMinor,
    currency: payment.currency,
    processed_at_iso: payment.processedAt.toISOString(),
    status: payment.status,
    mandate_id: payment.mandateId,
    agent_client_id: payment.clientId,
    agent_label: payment.agentName,
    merchant_name: payment.merchantName,
  }
}
