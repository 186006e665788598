import { Stripe } from 'stripe'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '@/test/support/database'
import { FAKE_PUBLISHABLE_KEY, FAKE_SECRET_KEY, type ServedFake, serveStripeFake } from '@/test/support/stripe-fake'
import { sql } from '../../../core/sql'
import type { OpenDatabase } from '../../database/client'
import { STRIPE_API_VERSION } from '../stripe'

let db: OpenDatabase
let fake: ServedFake
let stripe: Stripe
let now = new Date('2026-11-22T10:00:00Z')
let intercept: () => Response | null = () => null

const connect = (key: string): Stripe => {
  const { hostname, port } = new URL(fake.url)
  return new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false })
}

beforeAll(async () => {
  db = await openTestDatabase()
  fake = await serveStripeFake({ db, clock: { now: () => now }, intercept: () => intercept() })
  stripe = connect(FAKE_SECRET_KEY)
})
afterAll(async () => {
  await fake.close()
  await db.close()
})

const idOf = (value: string | { readonly id: string } | null): string =>
  (typeof value === 'string' ? value : value?.id) ?? ''

async function customerWithCard(card = 'pm_card_visa') {
  const customer = await stripe.customers.create({ metadata: { principal_id: 'p-1' } })
  const intent = await stripe.setupIntents.create({ customer: customer.id, usage: 'off_session' })
  const confirmed = await stripe.setupIntents.confirm(intent.id, { payment_method: card })
  return { customer: customer.id, payment_method: idOf(confirmed.payment_method) }
}

async function newIntent(card?: string, params: Partial<Stripe.PaymentIntentCreateParams> = {}) {
  const payer = await customerWithCard(card)
  return stripe.paymentIntents.create({ amount: 1_234, currency: 'eur', ...payer, ...params })
}

const errorOf = async (work: Promise<unknown>): Promise<Stripe.errors.StripeError> => {
  const error: unknown = await work.then(
    (value) => expect.fail(`not refused: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  )
  if (error instanceof Stripe.errors.StripeError) return error
  throw error
}
const events = async () => {
  const rows = await db.query<{ body: string }>(sql`SELECT body FROM sandbox_processor_events ORDER BY created_at`)
  return rows.map(({ body }) => JSON.parse(body) as Stripe.Event)
}
/** Sends a request that no client would send and returns the fake's answer. */
async function raw(method: string, path: string, init: { key?: string; body?: string; type?: string } = {}) {
  const answer = await fetch(`${fake.url}${path}`, {
    method,
    headers: {
      ...(init.key !== '' && { authorization: `Bearer ${init.key ?? FAKE_SECRET_KEY}` }),
      'content-type': init.type ?? 'application/x-www-form-urlencoded',
    },
    ...(init.body !== undefined && { body: init.body }),
  })
  return { status: answer.status, json: (await answer.json()) as { error?: Record<string, unknown> } }
}

describe('a payment', () => {
  test('a payment is created, confirmed, charged and refunded, and every object names the others', async () => {
    const created = await newIntent(undefined, {
      metadata: { settlement_id: 's-1', note: 'a b&c=d' },
      transfer_data: { destination: 'acct_1' },
      application_fee_amount: 34,
    })
    expect(created).toMatchObject({
      object: 'payment_intent',
      status: 'requires_confirmation',
      amount: 1_234,
      currency: 'eur',
      livemode: false,
      metadata: { settlement_id: 's-1', note: 'a b&c=d' },
      transfer_data: { destination: 'acct_1' },
      application_fee_amount: 34,
      latest_charge: null,
    })
    const confirmed = await stripe.paymentIntents.confirm(created.id, { off_session: true })
    expect(confirmed).toMatchObject({ status: 'succeeded', amount_received: 1_234 })
    const charge = await stripe.charges.retrieve(idOf(confirmed.latest_charge))
    expect(charge).toMatchObject({ payment_intent: created.id, paid: true, refunded: false, disputed: false })
    expect((await stripe.charges.list({ payment_intent: created.id })).data).toEqual([
      expect.objectContaining({ id: charge.id }),
    ])
    const refund = await stripe.refunds.create({
      payment_intent: created.id,
      reverse_transfer: true,
      refund_application_fee: true,
    })
    expect(refund).toMatchObject({ status: 'succeeded', charge: charge.id, amount: 1_234 })
    expect((await stripe.refunds.list({ payment_intent: created.id })).data).toHaveLength(1)
    expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({ id: refund.id })
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ refunded: true, amount_refunded: 1_234 })
    expect((await errorOf(stripe.refunds.create({ payment_intent: created.id }))).code).toBe('charge_already_refunded')
  })

  test('a payment is listed newest first, page by page, once each', async () => {
    const payer = await customerWithCard()
    const ids: string[] = []
    for (let index = 0; index < 7; index += 1) {
      now = new Date(now.getTime() + (index % 2) * 1000)
      ids.push((await stripe.paymentIntents.create({ amount: 100 + index, currency: 'eur', ...payer })).id)
    }
    const listed: Stripe.PaymentIntent[] = []
    for await (const intent of stripe.paymentIntents.list({ customer: payer.customer, limit: 2 })) listed.push(intent)
    expect(listed.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    expect(listed.map(({ created }) => created)).toEqual(listed.map(({ created }) => created).toSorted((a, b) => b - a))
    const since = { gte: Math.floor(now.getTime() / 1000) }
    expect((await stripe.paymentIntents.list({ customer: payer.customer, created: since })).data.length).toBeLessThan(7)
  })

  test('a dispute of a payment is visible to all processes', async () => {
    const { id } = await newIntent('pm_card_createDispute')
    const { latest_charge: charge } = await stripe.paymentIntents.confirm(id, { off_session: true })
    now = new Date(now.getTime() + 10_000)
    const opened = (await events()).find((event) => event.type === 'charge.dispute.created')
    if (opened?.type !== 'charge.dispute.created') return expect.fail('no dispute')
    expect(await stripe.disputes.retrieve(opened.data.object.id)).toMatchObject({
      status: 'needs_response',
      payment_intent: id,
      charge,
      reason: 'fraudulent',
    })
    expect((await errorOf(stripe.refunds.create({ payment_intent: id }))).code).toBe('charge_disputed')
  })
})

describe('the cardholder', () => {
  test('a payment off-session that needs the cardholder fails with 402, and the error holds the intent and the card', async () => {
    const { id } = await newIntent('pm_card_authenticationRequired')
    const error = await errorOf(stripe.paymentIntents.confirm(id, { off_session: true }))
    expect(error).toBeInstanceOf(Stripe.errors.StripeCardError)
    expect(error).toMatchObject({ statusCode: 402, code: 'authentication_required' })
    expect(error.payment_intent).toMatchObject({
      id,
      status: 'requires_payment_method',
      payment_method: null,
      last_payment_error: {
        code: 'authentication_required',
        decline_code: 'authentication_required',
        payment_method: { object: 'payment_method', type: 'card' },
      },
    })
  })

  test('a cardholder on-session is sent to the bank', async () => {
    const { id } = await newIntent('pm_card_authenticationRequired')
    expect(await stripe.paymentIntents.confirm(id)).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'use_stripe_sdk' },
    })
    expect(await fake.authenticatePayment(id, 'succeed')).toBe(true)
    expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: 'succeeded', next_action: null })
  })

  test('the cardholder answers in the browser with the client secret, and sees no other intent', async () => {
    const browser = connect(FAKE_PUBLISHABLE_KEY)
    const { id, client_secret: secret } = await newIntent('pm_card_authenticationRequired')
    const other = await newIntent()
    const failed = await errorOf(stripe.paymentIntents.confirm(id, { off_session: true }))
    const method = failed.payment_intent?.last_payment_error?.payment_method?.id ?? ''
    const client_secret = secret ?? ''
    expect((await errorOf(browser.paymentIntents.retrieve(other.id, { client_secret }))).code).toBe('resource_missing')
    expect((await errorOf(browser.paymentIntents.retrieve(id))).code).toBe('resource_missing')
    expect((await browser.paymentIntents.retrieve(id, { client_secret })).status).toBe('requires_payment_method')
    const confirm = { client_secret, payment_method: method }
    const answer = await raw('POST', `/v1/payment_intents/${id}/confirm`, {
      key: FAKE_PUBLISHABLE_KEY,
      body: new URLSearchParams(confirm).toString(),
    })
    expect(answer).toMatchObject({ status: 200, json: { status: 'succeeded' } })
    expect(await errorOf(browser.customers.create({}))).toBeInstanceOf(Stripe.errors.StripePermissionError)
  })

  test('the cardholder may pay with another card after a decline', async () => {
    const { id, customer } = await newIntent('pm_card_chargeDeclined')
    const declined = await errorOf(stripe.paymentIntents.confirm(id, { off_session: true }))
    expect(declined).toMatchObject({ statusCode: 402, code: 'card_declined', decline_code: 'generic_decline' })
    expect((await errorOf(stripe.paymentIntents.confirm(id, { off_session: true }))).code).toBe(
      'payment_intent_unexpected_state',
    )
    const setup = await stripe.setupIntents.create({ customer: idOf(customer) })
    const { payment_method: method } = await stripe.setupIntents.confirm(setup.id, { payment_method: 'success' })
    const paid = await stripe.paymentIntents.confirm(id, { off_session: true, payment_method: idOf(method) })
    expect(paid).toMatchObject({ status: 'succeeded', last_payment_error: null })
    const stranger = await customerWithCard()
    const theirs = { off_session: true, payment_method: stranger.payment_method }
    expect(await errorOf(stripe.paymentIntents.confirm((await newIntent()).id, theirs))).toMatchObject({
      param: 'payment_method',
    })
  })
})

describe('an idempotency key', () => {
  const key = (name: string) => ({ idempotencyKey: name })

  test('an idempotency key gives the very same answer again and does nothing, also when that was a decline', async () => {
    const { id } = await newIntent('pm_card_chargeDeclinedInsufficientFunds')
    const confirm = () => errorOf(stripe.paymentIntents.confirm(id, { off_session: true }, key('declined')))
    const [first, second] = [await confirm(), await confirm()]
    expect(first.headers?.['idempotent-replayed']).toBeUndefined()
    expect(second.headers?.['idempotent-replayed']).toBe('true')
    expect([second.statusCode, second.decline_code, second.payment_intent]).toEqual([
      402,
      'insufficient_funds',
      first.payment_intent,
    ])
    const failures = (await events()).filter(
      (event) => event.type === 'payment_intent.payment_failed' && event.data.object.id === id,
    )
    expect(failures).toHaveLength(1)
    expect(failures[0]?.request?.idempotency_key).toBe('declined')
  })

  test('an idempotency key does not take other parameters, nor another path', async () => {
    const customer = await stripe.customers.create({ metadata: { a: '1' } }, key('once'))
    expect((await stripe.customers.create({ metadata: { a: '1' } }, key('once'))).id).toBe(customer.id)
    for (const work of [
      stripe.customers.create({ metadata: { a: '2' } }, key('once')),
      stripe.setupIntents.create({ customer: customer.id }, key('once')),
    ]) {
      const error = await errorOf(work)
      expect(error).toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
      expect(error.statusCode).toBe(400)
    }
  })

  test('an idempotency key stays free when the request was refused as such', async () => {
    const payer = await customerWithCard()
    const create = (amount: number) =>
      stripe.paymentIntents.create({ amount, currency: 'eur', ...payer }, key('corrected'))
    expect((await errorOf(create(0))).param).toBe('amount')
    expect((await create(100)).status).toBe('requires_confirmation')
  })

  test('an idempotency key is forgotten after a day', async () => {
    const first = await stripe.customers.create({}, key('yesterday'))
    now = new Date(now.getTime() + 86_400_000)
    expect((await stripe.customers.create({}, key('yesterday'))).id).toBe(first.id)
    now = new Date(now.getTime() + 1)
    expect((await stripe.customers.create({}, key('yesterday'))).id).not.toBe(first.id)
  })

  test('an idempotency key used twenty times at once has its effect once', async () => {
    const payer = await customerWithCard()
    const intents = await Promise.all(
      Array.from({ length: 20 }, () =>
        stripe.paymentIntents.create({ amount: 100, currency: 'eur', ...payer }, key('crowd')),
      ),
    )
    expect(new Set(intents.map(({ id }) => id)).size).toBe(1)
    expect(
      intents.filter(({ lastResponse }) => lastResponse.headers['idempotent-replayed'] === undefined),
    ).toHaveLength(1)
  })

  test('the ledger holds one charge after twenty confirmations at once, with an idempotency key or none', async () => {
    const { id } = await newIntent()
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, () => stripe.paymentIntents.confirm(id, { off_session: true })),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await stripe.charges.list({ payment_intent: id })).data).toHaveLength(1)
  })
})

describe('errors', () => {
  test.each([
    ['no key', 'GET', '/v1/customers/cus_1', { key: '' }, 401, undefined],
    ['a wrong key', 'GET', '/v1/customers/cus_1', { key: 'sk_test_guess' }, 401, undefined],
    ['an unknown object', 'GET', '/v1/customers/cus_1', {}, 404, 'resource_missing'],
    ['an unknown dispute', 'GET', '/v1/disputes/dp_1', {}, 404, 'resource_missing'],
    ['an unknown path', 'GET', '/v1/payouts', {}, 404, undefined],
    ['the path of an object’s method', 'GET', '/v1/constructor/x', {}, 404, undefined],
    ['a missing parameter', 'POST', '/v1/payment_intents', { body: 'amount=1' }, 400, 'parameter_missing'],
    ['an unknown parameter', 'POST', '/v1/customers', { body: 'metdata[a]=1' }, 400, 'parameter_unknown'],
    ['no integer', 'POST', '/v1/payment_intents', { body: 'amount=1.5' }, 400, 'parameter_invalid_integer'],
    ['JSON', 'POST', '/v1/customers', { body: '{"metadata":{}}', type: 'application/json' }, 400, undefined],
    ['too much', 'POST', '/v1/customers', { body: 'x'.repeat(70_000) }, 413, undefined],
    ['a page that is too long', 'GET', '/v1/payment_intents?limit=101', {}, 400, undefined],
  ])('the error for %s', async (_, method, path, init, status, code) => {
    const answer = await raw(method, path, init)
    expect(answer.status).toBe(status)
    expect(answer.json.error).toMatchObject({ type: 'invalid_request_error', message: expect.any(String) })
    expect(answer.json.error?.['code']).toBe(code)
  })

  test.each<[number, string]>([
    [400, 'StripeInvalidRequestError'],
    [401, 'StripeAuthenticationError'],
    [403, 'StripePermissionError'],
    [404, 'StripeInvalidRequestError'],
    [429, 'StripeRateLimitError'],
    [500, 'StripeAPIError'],
    [502, 'StripeAPIError'],
  ])('an error that a proxy puts in front of the fake reaches the client: %d', async (status, type) => {
    intercept = () => Response.json({ error: { type: 'api_error', message: 'Injected.' } }, { status })
    onTestFinished(() => {
      intercept = () => null
    })
    expect(await errorOf(stripe.customers.create({}))).toMatchObject({ type, statusCode: status })
  })

  test('answers name the request and the version, and an unauthorised one changes nothing', async () => {
    const { lastResponse } = await stripe.customers.create({})
    expect(lastResponse.requestId).toMatch(/^req_/)
    expect(lastResponse.apiVersion).toBe(STRIPE_API_VERSION)
    const before = await db.query(sql`SELECT 1 FROM sandbox_processor_customers`)
    await raw('POST', '/v1/customers', { key: 'sk_test_guess' })
    expect(await db.query(sql`SELECT 1 FROM sandbox_processor_customers`)).toHaveLength(before.length)
  })
})

test('a canceled intent stays so, says since when, and is announced', async () => {
  const { id } = await newIntent()
  const canceled = await stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' })
  expect(canceled).toMatchObject({
    status: 'canceled',
    cancellation_reason: 'abandoned',
    canceled_at: Math.floor(now.getTime() / 1000),
  })
  expect((await errorOf(stripe.paymentIntents.confirm(id))).code).toBe('payment_intent_unexpected_state')
  expect((await events()).at(-1)).toMatchObject({
    object: 'event',
    type: 'payment_intent.canceled',
    api_version: STRIPE_API_VERSION,
    livemode: false,
    pending_webhooks: 1,
    request: { id: expect.stringMatching(/^req_/) },
    data: { object: { id, status: 'canceled' } },
  })
})

test('setup intents are listed, expanded on request, and confirmed once', async () => {
  const customer = await stripe.customers.create({})
  const { id } = await stripe.setupIntents.create({ customer: customer.id })
  expect((await errorOf(stripe.setupIntents.confirm(id, { payment_method: 'pm_card_amex' }))).code).toBe(
    'resource_missing',
  )
  await stripe.setupIntents.confirm(id, { payment_method: 'timeout' })
  expect((await errorOf(stripe.setupIntents.confirm(id, { payment_method: 'success' }))).code).toBe(
    'setup_intent_unexpected_state',
  )
  expect((await stripe.setupIntents.list({ customer: customer.id })).data).toMatchObject([{ id, status: 'succeeded' }])
  const { payment_method: method } = await stripe.setupIntents.retrieve(id, { expand: ['payment_method'] })
  expect(method).toMatchObject({ object: 'payment_method', customer: customer.id, card: { last4: '4087' } })
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ id: customer.id, livemode: false })
})
