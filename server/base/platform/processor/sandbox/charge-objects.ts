import type { Stripe } from 'stripe'
import type { ChargeRow } from './charge-store'
import { noBillingDetails, toUnix } from './objects'

const EVIDENCE_DAYS = 7

export function toCharge(row: ChargeRow, now: Date): Stripe.Charge {
  const isPaid = row.decides_at === null || row.decides_at <= now
  const isRefunded = row.refund_id !== null
  return {
    id: row.id,
    object: 'charge',
    amount: row.amount_minor,
    amount_captured: row.amount_minor,
    amount_refunded: isRefunded ? row.amount_minor : 0,
    application: null,
    application_fee: null,
    application_fee_amount: row.application_fee_minor,
    balance_transaction: null,
    billing_details: noBillingDetails,
    calculated_statement_descriptor: null,
    captured: true,
    created: toUnix(row.created_at),
    currency: row.currency.toLowerCase(),
    customer: row.customer_id,
    description: null,
    disputed: row.disputed_at !== null && row.disputed_at <= now,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: { ...row.metadata },
    on_behalf_of: null,
    outcome: null,
    paid: isPaid,
    payment_intent: row.payment_intent_id,
    payment_method: row.payment_method_id,
    payment_method_details: null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: isRefunded,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: isPaid ? 'succeeded' : 'pending',
    transfer_data: row.connected_account_id === null ? null : { amount: null, destination: row.connected_account_id },
    transfer_group: row.connected_account_id === null ? null : `group_${row.payment_intent_id}`,
  }
}

/** Returns the refund of a charge; null while there is none. */
export function toRefund(row: ChargeRow): Stripe.Refund | null {
  if (row.refund_id === null || row.refunded_at === null) return null
  return {
    id: row.refund_id,
    object: 'refund',
    amount: row.amount_minor,
    balance_transaction: null,
    charge: row.id,
    created: toUnix(row.refunded_at),
    currency: row.currency.toLowerCase(),
    customer: row.customer_id,
    customer_account: null,
    metadata: { ...row.refund_metadata },
    payment_intent: row.payment_intent_id,
    payment_method: row.payment_method_id,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  }
}

const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
}

/** Returns the dispute about a charge; null while there is none. */
export function toDispute(row: ChargeRow): Stripe.Dispute | null {
  if (row.dispute_id === null || row.disputed_at === null || row.dispute_status === null) return null
  return {
    id: row.dispute_id,
    object: 'dispute',
    amount: row.amount_minor,
    balance_transactions: [],
    charge: row.id,
    created: toUnix(row.disputed_at),
    currency: row.currency.toLowerCase(),
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: toUnix(row.disputed_at) + EVIDENCE_DAYS * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: row.payment_intent_id,
    reason: 'fraudulent',
    status: row.dispute_status,
  }
}
