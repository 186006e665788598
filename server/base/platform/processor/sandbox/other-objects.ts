import { toCharge, toDispute, toRefund } from './charge-objects'
import {
  type ChargeRow,
  findCharge,
  findChargeOfDispute,
  findChargeOfIntent,
  findChargeOfRefund,
  insertRefund,
} from './charge-store'
import type { FakeCall, Handler } from './context'
import { announce } from './events'
import { statusAt, toCustomer, toList, toPaymentMethod } from './objects'
import { detachCard, findCard, findCustomer, insertCustomer, lockIntent, removeCustomer } from './store'
import { noSuch, refuse } from './wire'

/** POST /v1/customers */
export const createCustomer: Handler = async ({ tx, params, random, clock }) => {
  const customer = { id: `cus_${random.token(18)}`, metadata: params.members('metadata'), created_at: clock.now() }
  await insertCustomer(tx, customer)
  return { status: 200, body: toCustomer(customer) }
}

/** GET /v1/customers/:id */
export const retrieveCustomer: Handler = async ({ tx, id }) => {
  const customer = await findCustomer(tx, id)
  if (customer === null) throw noSuch('customer', id)
  return { status: 200, body: toCustomer(customer) }
}

/** DELETE /v1/customers/:id: its cards are forgotten with it. */
export const deleteCustomer: Handler = async ({ tx, id }) => {
  if (!(await removeCustomer(tx, id))) throw noSuch('customer', id)
  return { status: 200, body: { id, object: 'customer', deleted: true } }
}

/** GET /v1/payment_methods/:id */
export const retrievePaymentMethod: Handler = async ({ tx, id }) => {
  const card = await findCard(tx, id)
  if (card === null) throw noSuch('PaymentMethod', id, 'payment_method')
  return { status: 200, body: toPaymentMethod(card) }
}

/** POST /v1/payment_methods/:id/detach */
export const detachPaymentMethod: Handler = async ({ tx, id, clock }) => {
  const card = await findCard(tx, id)
  if (card === null) throw noSuch('PaymentMethod', id, 'payment_method')
  const detachedAt = clock.now()
  if (!(await detachCard(tx, id, detachedAt))) {
    throw refuse('The payment method you provided is not attached to a customer so detachment is impossible.')
  }
  return { status: 200, body: toPaymentMethod({ ...card, detached_at: detachedAt }) }
}

/** GET /v1/charges/:id */
export const retrieveCharge: Handler = async ({ tx, id, clock }) => {
  const charge = await findCharge(tx, id)
  if (charge === null) throw noSuch('charge', id)
  return { status: 200, body: toCharge(charge, clock.now()) }
}

/** GET /v1/charges */
export const listCharges: Handler = async ({ tx, params, clock }) => {
  const charge = await findChargeOfIntent(tx, params.get('payment_intent'))
  const data = charge === null ? [] : [toCharge(charge, clock.now())]
  return { status: 200, body: toList('/v1/charges', data, false) }
}

/** POST /v1/refunds: the whole charge of a payment intent, once. */
export const createRefund: Handler = async (call) => {
  const { tx, params, random, clock } = call
  const charge = await requireRefundable(call, params.get('payment_intent'))
  const hasDestination = charge.connected_account_id !== null
  if (params.isTrue('reverse_transfer') && !hasDestination) {
    throw refuse('The charge has no associated transfer to reverse.', { param: 'reverse_transfer' })
  }
  if (params.isTrue('refund_application_fee') && charge.application_fee_minor === null) {
    throw refuse('The charge has no associated application fee.', { param: 'refund_application_fee' })
  }
  const metadata = params.members('metadata')
  await insertRefund(tx, { id: `re_${random.token(18)}`, chargeId: charge.id, metadata, now: clock.now() })
  const refunded = await findCharge(tx, charge.id)
  const refund = refunded === null ? null : toRefund(refunded)
  if (refunded === null || refund === null) throw new Error('the refund was not stored')
  await announce(call, { type: 'refund.created', data: { object: refund } })
  await announce(call, { type: 'charge.refunded', data: { object: toCharge(refunded, clock.now()) } })
  return { status: 200, body: refund }
}

async function requireRefundable({ tx, params, clock }: FakeCall, paymentIntentId: string): Promise<ChargeRow> {
  const now = clock.now()
  const intent = await lockIntent(tx, 'payment', paymentIntentId)
  if (intent === null) throw noSuch('payment_intent', paymentIntentId, 'payment_intent')
  const charge = statusAt(intent, now) === 'succeeded' ? await findChargeOfIntent(tx, paymentIntentId) : null
  if (charge === null) {
    throw refuse(`This PaymentIntent (${paymentIntentId}) does not have a successful charge to refund.`, {
      code: 'payment_intent_unexpected_state',
    })
  }
  if (charge.refund_id !== null) {
    throw refuse(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  }
  const isDisputed = charge.disputed_at !== null && charge.disputed_at <= now && charge.dispute_status !== 'won'
  if (isDisputed) throw refuse(`Charge ${charge.id} has been charged back.`, { code: 'charge_disputed' })
  const amount = params.findInteger('amount')
  if (amount !== null && amount !== charge.amount_minor) {
    throw refuse('Charges are refunded as a whole here.', { param: 'amount' })
  }
  return charge
}

/** GET /v1/refunds/:id */
export const retrieveRefund: Handler = async ({ tx, id }) => {
  const charge = await findChargeOfRefund(tx, id)
  const refund = charge === null ? null : toRefund(charge)
  if (refund === null) throw noSuch('refund', id)
  return { status: 200, body: refund }
}

/** GET /v1/refunds */
export const listRefunds: Handler = async ({ tx, params }) => {
  const charge = await findChargeOfIntent(tx, params.get('payment_intent'))
  const refund = charge === null ? null : toRefund(charge)
  return { status: 200, body: toList('/v1/refunds', refund === null ? [] : [refund], false) }
}

/** GET /v1/disputes/:id; one that is still to be opened is unknown. */
export const retrieveDispute: Handler = async ({ tx, id, clock }) => {
  const charge = await findChargeOfDispute(tx, id)
  const isOpened = charge?.disputed_at != null && charge.disputed_at <= clock.now()
  const dispute = charge === null || !isOpened ? null : toDispute(charge)
  if (dispute === null) throw noSuch('dispute', id)
  return { status: 200, body: dispute }
}
