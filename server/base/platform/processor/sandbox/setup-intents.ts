import { type TestCardName, testCardOfPaymentMethod, testCards } from '../sandbox-cards'
import type { EventSource, FakeCall, Handler } from './context'
import { announce } from './events'
import { toList, toPaymentMethod, toSetupIntent } from './objects'
import {
  type CardRow,
  decideIntent,
  findCard,
  findCustomer,
  findIntent,
  type IntentRow,
  insertCard,
  insertIntent,
  listIntents,
  lockIntent,
} from './store'
import { type Answer, noSuch, refuse } from './wire'

const CARD_VALID_YEARS = 4
const LIST_LIMIT = 10
const LIST_LIMIT_MAX = 100

/** POST /v1/setup_intents */
export const createSetupIntent: Handler = async (call) => {
  const { tx, params, random, clock } = call
  const customerId = params.get('customer')
  if ((await findCustomer(tx, customerId)) === null) throw noSuch('customer', customerId, 'customer')
  if (params.list('allowed_payment_method_types').some((type) => type !== 'card')) {
    throw refuse('There are only cards here.', { param: 'allowed_payment_method_types' })
  }
  const id = `seti_${random.token(18)}`
  const intent = await insertIntent(tx, {
    id,
    kind: 'setup',
    customer_id: customerId,
    payment_method_id: null,
    amount_minor: null,
    currency: null,
    connected_account_id: null,
    application_fee_minor: null,
    client_secret: `${id}_secret_${random.token(18)}`,
    status: 'requires_payment_method',
    metadata: params.members('metadata'),
    created_at: clock.now(),
  })
  return render(call, intent)
}

/** GET /v1/setup_intents/:id */
export const retrieveSetupIntent: Handler = async (call) =>
  render(call, requireOwn(call, await findIntent(call.tx, 'setup', call.id)))

function requireOwn({ id, params, withSecretKey }: FakeCall, intent: IntentRow | null): IntentRow {
  const isOwn = withSecretKey || intent?.client_secret === params.find('client_secret')
  if (intent === null || !isOwn) throw noSuch('setupintent', id, 'intent')
  return intent
}

/** Answers with a setup intent; its payment method is an object when the request expands it, else its id. */
async function render({ tx, params }: FakeCall, intent: IntentRow): Promise<Answer> {
  const card = params.list('expand').includes('payment_method') ? await findCard(tx, intent.payment_method_id) : null
  return { status: 200, body: toSetupIntent(intent, card === null ? intent.payment_method_id : toPaymentMethod(card)) }
}

/** GET /v1/setup_intents */
export const listSetupIntents: Handler = async ({ tx, params }) => {
  const limit = params.findInteger('limit') ?? LIST_LIMIT
  if (limit < 1 || limit > LIST_LIMIT_MAX) throw refuse('The limit must be from 1 to 100.', { param: 'limit' })
  const rows = await listIntents(tx, {
    kind: 'setup',
    customerId: params.find('customer'),
    createdFrom: new Date((params.findInteger('created[gte]') ?? 0) * 1000),
    after: params.find('starting_after'),
    limit: limit + 1,
  })
  const data = rows.slice(0, limit).map((intent) => toSetupIntent(intent, intent.payment_method_id))
  return { status: 200, body: toList('/v1/setup_intents', data, rows.length > limit) }
}

/** POST /v1/setup_intents/:id/confirm, with the name of a test card as payment method. */
export const confirmSetupIntent: Handler = async (call) => {
  const intent = requireOwn(call, await lockIntent(call.tx, 'setup', call.id))
  const name = call.params.get('payment_method')
  const card = testCardOfPaymentMethod(name)
  if (card === null) throw noSuch('PaymentMethod', name, 'payment_method')
  if (intent.status === 'succeeded') {
    throw refuse('You cannot confirm this SetupIntent because it has already succeeded.', {
      code: 'setup_intent_unexpected_state',
    })
  }
  return render(call, await enrolCard(call, intent, { card, deliveries: 1 }))
}

/** Saves a test card for an intent's customer and sends `setup_intent.succeeded` `deliveries` times at once. */
export async function enrolCard(
  source: EventSource,
  intent: IntentRow,
  { card, deliveries }: { card: TestCardName; deliveries: number },
): Promise<IntentRow> {
  const { tx } = source
  const row = newCard(source, intent.customer_id, card)
  await insertCard(tx, row)
  const enrolled = await decideIntent(tx, intent.id, {
    status: 'succeeded',
    payment_method_id: row.payment_method_id,
  })
  const object = toSetupIntent(enrolled, row.payment_method_id)
  await announce(source, { type: 'setup_intent.succeeded', data: { object } }, { deliveries })
  return enrolled
}

function newCard({ random, clock }: EventSource, customerId: string, name: TestCardName): CardRow {
  const { number, brand } = testCards[name]
  return {
    payment_method_id: `pm_${random.token(18)}`,
    customer_id: customerId,
    behaviour: name,
    brand,
    last4: number.slice(-4),
    exp_month: 12,
    exp_year: clock.now().getUTCFullYear() + CARD_VALID_YEARS,
    detached_at: null,
    created_at: clock.now(),
  }
}
