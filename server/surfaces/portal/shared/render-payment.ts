import type { NamedPayment } from '../../../money/payments'
import type { PaymentView } from './view'

/** A payment in the wire's words, with the names that a person knows its parties by. */
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
