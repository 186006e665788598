import type { Stripe } from 'stripe'
import { currencyDigits } from '../../../core/money'
import { behaviourOf } from '../sandbox-cards'
import { chargeIntent, failIntent, present } from './charge-intent'
import type { FakeCall, Handler } from './context'
import { announce } from './events'
import { failureFacts, statusAt, toList, toPaymentIntent } from './objects'
import {
  type CardRow,
  cancelIntent,
  decideIntent,
  findCard,
  findCustomer,
  findIntent,
  type IntentRow,
  insertIntent,
  listIntents,
  lockIntent,
  usePaymentMethod,
} from './store'
import { type Answer, errorAnswer, noSuch, refuse, type StripeRefusal } from './wire'

const LIST_LIMIT = 10
const LIST_LIMIT_MAX = 100
const AMOUNT_MAX = 999_999_999_999

/** POST /v1/payment_intents */
export const createPaymentIntent: Handler = async (call) => {
  const { tx, params, random, clock } = call
  const amount = params.findInteger('amount')
  if (amount === null) throw refuse('Missing required param: amount.', { code: 'parameter_missing', param: 'amount' })
  if (amount < 1) throw refuse('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' })
  if (amount > AMOUNT_MAX) throw refuse('Amount is too large.', { code: 'amount_too_large', param: 'amount' })
  const currency = params.get('currency').toUpperCase()
  if (currencyDigits(currency) === null)
    throw refuse(`Invalid currency: ${currency.toLowerCase()}`, { param: 'currency' })
  const customerId = params.get('customer')
  const card = await findOwnCard(call, customerId)
  const isKnown = card !== null || (await findCustomer(tx, customerId)) !== null
  if (!isKnown) throw noSuch('customer', customerId, 'customer')
  const fee = params.findInteger('application_fee_amount')
  const destination = params.find('transfer_data[destination]')
  requireFee({ amount, fee, destination })
  const id = `pi_${random.token(18)}`
  const intent = await insertIntent(tx, {
    id,
    kind: 'payment',
    customer_id: customerId,
    payment_method_id: card?.payment_method_id ?? null,
    amount_minor: amount,
    currency,
    connected_account_id: destination,
    application_fee_minor: fee,
    client_secret: `${id}_secret_${random.token(18)}`,
    status: card === null ? 'requires_payment_method' : 'requires_confirmation',
    metadata: params.members('metadata'),
    created_at: clock.now(),
  })
  return { status: 200, body: toPaymentIntent(intent, card, clock.now()) }
}

function requireFee({ amount, fee, destination }: { amount: number; fee: number | null; destination: string | null }) {
  if (fee === null) return
  const param = 'application_fee_amount'
  if (destination === null) throw refuse('An application fee needs a destination account.', { param })
  if (fee < 1 || fee > amount) throw refuse('The application fee is not within the amount.', { param })
}

/** Returns the payment method of the request, which must be the customer's; null when it names none. */
async function findOwnCard({ tx, params }: FakeCall, customerId: string): Promise<CardRow | null> {
  const id = params.find('payment_method')
  if (id === null) return null
  const card = await findCard(tx, id)
  if (card === null) throw noSuch('PaymentMethod', id, 'payment_method')
  if (card.customer_id === customerId && card.detached_at === null) return card
  if ((await findCustomer(tx, customerId)) === null) throw noSuch('customer', customerId, 'customer')
  throw refuse(`The payment method ${id} is not attached to the customer ${customerId}.`, { param: 'payment_method' })
}

/** GET /v1/payment_intents/:id */
export const retrievePaymentIntent: Handler = async (call) => {
  const intent = requireOwn(call, await findIntent(call.tx, 'payment', call.id))
  return render(call, intent)
}

/** Returns the intent; throws unless the request has the secret key or the intent's client secret. */
function requireOwn({ id, params, withSecretKey }: FakeCall, intent: IntentRow | null): IntentRow {
  const isOwn = withSecretKey || intent?.client_secret === params.find('client_secret')
  if (intent === null || !isOwn) throw noSuch('payment_intent', id, 'intent')
  return intent
}

async function render(call: FakeCall, intent: IntentRow): Promise<Answer> {
  return { status: 200, body: await present(call, intent) }
}

/** GET /v1/payment_intents */
export const listPaymentIntents: Handler = async (call) => {
  const { tx, params } = call
  const limit = params.findInteger('limit') ?? LIST_LIMIT
  if (limit < 1 || limit > LIST_LIMIT_MAX) throw refuse('The limit must be from 1 to 100.', { param: 'limit' })
  const after = params.find('starting_after')
  if (after !== null && (await findIntent(tx, 'payment', after)) === null) {
    throw noSuch('payment_intent', after, 'starting_after')
  }
  const rows = await listIntents(tx, {
    kind: 'payment',
    customerId: params.find('customer'),
    createdFrom: new Date((params.findInteger('created[gte]') ?? 0) * 1000),
    after,
    limit: limit + 1,
  })
  const page = rows.slice(0, limit)
  const data = await Promise.all(page.map((intent) => present(call, intent)))
  return { status: 200, body: toList('/v1/payment_intents', data, rows.length > limit) }
}

/** POST /v1/payment_intents/:id/confirm */
export const confirmPaymentIntent: Handler = async (call) => {
  const intent = requireOwn(call, await lockIntent(call.tx, 'payment', call.id))
  const behaviour = behaviourOf(intent.amount_minor ?? 0, (await chooseCard(call, intent)).behaviour)
  if (behaviour.kind === 'stumbles' && intent.confirmations === 0) return failOnce(call, intent)
  if (behaviour.kind === 'declined') return decline(call, intent, behaviour.reason)
  if (behaviour.kind === 'needs_authentication' && call.withSecretKey) return askForCardholder(call, intent)
  return render(call, await chargeIntent(call, intent, behaviour.kind))
}

/** Returns the card to charge: the one of the confirmation, which becomes the intent's, or else the intent's own. */
async function chooseCard(call: FakeCall, intent: IntentRow): Promise<CardRow> {
  const { tx, clock } = call
  const given = await findOwnCard(call, intent.customer_id)
  const status = statusAt(intent, clock.now())
  const takesOther = given !== null && (status === 'requires_payment_method' || status === 'requires_action')
  const card = given ?? (await findCard(tx, intent.payment_method_id))
  if (card === null || !(status === 'requires_confirmation' || takesOther)) {
    throw unexpectedState(await present(call, intent), 'confirm')
  }
  if (card.detached_at !== null) {
    const message = 'The payment method was detached from its customer and cannot be used again.'
    throw refuse(message, { param: 'payment_method' })
  }
  if (given !== null) await usePaymentMethod(tx, intent.id, given.payment_method_id)
  return card
}

/** Fails once with 502; the next confirmation succeeds. */
async function failOnce({ tx }: FakeCall, intent: IntentRow): Promise<Answer> {
  await decideIntent(tx, intent.id, { status: intent.status })
  return {
    ...errorAnswer({ status: 502, type: 'api_error', message: 'The request could not be completed.' }),
    unsaved: true,
  }
}

/** Asks for a challenge: on-session in the cardholder's browser; off-session the charge fails, as they are absent. */
async function askForCardholder(call: FakeCall, intent: IntentRow): Promise<Answer> {
  const reason = 'authentication_required'
  if (call.params.isTrue('off_session')) return decline(call, intent, reason)
  const asked = await decideIntent(call.tx, intent.id, { status: 'requires_action' })
  const object = await present(call, asked)
  await announce(call, { type: 'payment_intent.requires_action', data: { object } })
  return { status: 200, body: object }
}

async function decline(call: FakeCall, intent: IntentRow, reason: string): Promise<Answer> {
  const code = reason === 'authentication_required' ? reason : 'card_declined'
  const failed = await failIntent(call, intent, { code, declineCode: reason })
  return errorAnswer({ status: 402, ...failureFacts(failed), payment_intent: await present(call, failed) })
}

/** POST /v1/payment_intents/:id/cancel */
export const cancelPaymentIntent: Handler = async (call) => {
  const { tx, id, params, clock } = call
  const intent = await lockIntent(tx, 'payment', id)
  if (intent === null) throw noSuch('payment_intent', id, 'intent')
  if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status)) {
    throw unexpectedState(await present(call, intent), 'cancel')
  }
  const canceled = await cancelIntent(tx, { id, reason: params.find('cancellation_reason'), now: clock.now() })
  const object = await present(call, canceled)
  await announce(call, { type: 'payment_intent.canceled', data: { object } })
  return { status: 200, body: object }
}

function unexpectedState(intent: Stripe.PaymentIntent, verb: 'confirm' | 'cancel'): StripeRefusal {
  return refuse(`You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}.`, {
    code: 'payment_intent_unexpected_state',
    payment_intent: intent,
  })
}
