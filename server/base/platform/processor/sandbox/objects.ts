import type { Stripe } from 'stripe'
import { STRIPE_API_VERSION } from '../stripe'
import type { CardRow, CustomerRow, IntentRow } from './store'

/*
 * Stripe's objects, complete, as its API returns them. Their types are the SDK's, so that a missing member fails to
 * compile.
 */

export { STRIPE_API_VERSION }

export function toUnix(instant: Date): number {
  return Math.floor(instant.getTime() / 1000)
}

export function toCustomer(row: CustomerRow): Stripe.Customer {
  return {
    id: row.id,
    object: 'customer',
    balance: 0,
    created: toUnix(row.created_at),
    default_source: null,
    description: null,
    email: null,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: { ...row.metadata },
    shipping: null,
  }
}

export const noBillingDetails = { address: null, email: null, name: null, phone: null, tax_id: null }

export function toPaymentMethod(card: CardRow): Stripe.PaymentMethod {
  return {
    id: card.payment_method_id,
    object: 'payment_method',
    billing_details: noBillingDetails,
    card: {
      brand: card.brand,
      checks: null,
      country: 'AT',
      display_brand: card.brand,
      exp_month: card.exp_month,
      exp_year: card.exp_year,
      funding: 'credit',
      generated_from: null,
      last4: card.last4,
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: toUnix(card.created_at),
    customer: card.detached_at === null ? card.customer_id : null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }
}

export function toSetupIntent(intent: IntentRow, method: Stripe.PaymentMethod | string | null): Stripe.SetupIntent {
  return {
    id: intent.id,
    object: 'setup_intent',
    allowed_payment_method_types: ['card'],
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: intent.client_secret,
    created: toUnix(intent.created_at),
    customer: intent.customer_id,
    description: null,
    excluded_payment_method_types: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: { ...intent.metadata },
    next_action: null,
    on_behalf_of: null,
    payment_method: method,
    payment_method_configuration_details: null,
    payment_method_options: { card: { mandate_options: null, network: null, request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: intent.status,
    usage: 'off_session',
  }
}

/** Returns the status of a payment intent at a time: a charge that "answers late" is first in processing. */
export function statusAt(intent: IntentRow, now: Date): Stripe.PaymentIntent.Status {
  const isLate = intent.status === 'succeeded' && intent.decides_at !== null && intent.decides_at > now
  return isLate ? 'processing' : intent.status
}

/** Returns a payment intent as Stripe does: after a failure its payment method is part of the error only. */
export function toPaymentIntent(intent: IntentRow, card: CardRow | null, now: Date): Stripe.PaymentIntent {
  const status = statusAt(intent, now)
  const amount = intent.amount_minor ?? 0
  return {
    id: intent.id,
    object: 'payment_intent',
    allowed_payment_method_types: ['card'],
    amount,
    amount_capturable: 0,
    amount_received: status === 'succeeded' ? amount : 0,
    application: null,
    application_fee_amount: intent.application_fee_minor,
    automatic_payment_methods: null,
    canceled_at: intent.canceled_at === null ? null : toUnix(intent.canceled_at),
    cancellation_reason: intent.cancellation_reason,
    capture_method: 'automatic',
    client_secret: intent.client_secret,
    confirmation_method: 'automatic',
    created: toUnix(intent.created_at),
    currency: (intent.currency ?? '').toLowerCase(),
    customer: intent.customer_id,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: toPaymentError(intent, card),
    latest_charge: intent.charge_id,
    livemode: false,
    managed_payments: null,
    metadata: { ...intent.metadata },
    next_action: status === 'requires_action' ? { type: 'use_stripe_sdk', use_stripe_sdk: {} } : null,
    on_behalf_of: null,
    payment_method: status === 'requires_payment_method' ? null : intent.payment_method_id,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status,
    transfer_data: intent.connected_account_id === null ? null : { destination: intent.connected_account_id },
    transfer_group: intent.connected_account_id === null ? null : `group_${intent.id}`,
  }
}

const messages: ReadonlyMap<string, string> = new Map([
  ['generic_decline', 'Your card was declined.'],
  ['insufficient_funds', 'Your card has insufficient funds.'],
  ['authentication_required', 'Your card was declined. This transaction requires authentication.'],
])

/** Returns why the last confirmation failed. */
export function failureFacts(intent: Pick<IntentRow, 'failure_code' | 'decline_code'>) {
  return {
    code: intent.failure_code ?? 'card_declined',
    ...(intent.decline_code !== null && { decline_code: intent.decline_code }),
    message: messages.get(intent.decline_code ?? '') ?? 'We are unable to authenticate your payment method.',
    type: intent.failure_code === 'payment_intent_authentication_failure' ? 'invalid_request_error' : 'card_error',
  } as const
}

function toPaymentError(intent: IntentRow, card: CardRow | null): Stripe.PaymentIntent.LastPaymentError | null {
  if (intent.failure_code === null) return null
  return { ...failureFacts(intent), ...(card !== null && { payment_method: toPaymentMethod(card) }) }
}

export function toList<T>(url: string, data: T[], hasMore: boolean): Stripe.ApiList<T> {
  return { object: 'list', data, has_more: hasMore, url }
}
