import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '@/test/support/database'
import {
  FAKE_PUBLISHABLE_KEY,
  FAKE_SECRET_KEY,
  type ServedFake,
  saveFaults,
  serveStripeFake,
} from '@/test/support/stripe-fake'
import { type PaymentOutcome, ProcessorRefused, ProcessorUnreachable } from '../../core/processor'
import { sql } from '../../core/sql'
import type { OpenDatabase } from '../database/client'
import { DISPUTE_DELAY_SECONDS, LATE_ANSWER_SECONDS } from './sandbox'
import { magicAmounts, type TestCardName, testCardNames } from './sandbox-cards'
import { createStripeProcessor, type StripeOptions } from './stripe'

let db: OpenDatabase
let fake: ServedFake
let now = new Date('2026-11-22T10:00:00Z')
/** Answers a request in place of the fake; null lets it pass. */
let intercept: (request: Request) => Response | null = () => null

beforeAll(async () => {
  db = await openTestDatabase()
  fake = await serveStripeFake({ db, clock: { now: () => now }, intercept: (request) => intercept(request) })
})
afterAll(async () => {
  await fake.close()
  await db.close()
})

const connect = (changes: Partial<StripeOptions<'stripe'>> = {}) =>
  createStripeProcessor({
    kind: 'stripe',
    secretKey: FAKE_SECRET_KEY,
    publishableKey: FAKE_PUBLISHABLE_KEY,
    apiBase: fake.url,
    ...changes,
  })
const advance = (seconds: number): void => {
  now = new Date(now.getTime() + seconds * 1000)
}
/** Answers matching requests in place of the fake until the test ends. */
function disturb(pattern: RegExp, answer: () => Response): void {
  intercept = (request) => (pattern.test(`${request.method} ${new URL(request.url).pathname}`) ? answer() : null)
  onTestFinished(() => {
    intercept = () => null
  })
}
/** Makes the next matching request, and all others with its key, fail with a saved error until the test ends. */
function failForGood(pattern: RegExp): void {
  let left = 1
  intercept = saveFaults(({ method, url }) => pattern.test(`${method} ${new URL(url).pathname}`) && left-- > 0)
  onTestFinished(() => {
    intercept = () => null
  })
}
/** Sends a request directly to the fake, to do the work of a request that got an error. */
const doAllTheSame = (path: string, params: Record<string, string> = {}) =>
  fetch(`${fake.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${FAKE_SECRET_KEY}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(params).toString(),
  })
const stripeError = (status: number, error: Record<string, unknown>, headers: Record<string, string> = {}) =>
  Response.json({ error }, { status, headers })

let count = 0
const next = (): string => `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`

interface Paying {
  readonly card?: TestCardName
  readonly amountMinor?: number
  readonly currency?: string
  readonly connectedAccountId?: string | null
  readonly applicationFeeMinor?: number
}

/** Creates a customer with a card, and an unconfirmed payment intent for them. */
async function order({ card = 'success', ...rest }: Paying = {}) {
  const stripe = connect()
  const principalId = next()
  const customerId = await stripe.createCustomer(principalId)
  const setup = await stripe.createSetupIntent({ principalId, customerId, idempotencyKey: next() })
  await fake.enterCard({ setupIntentId: setup.id, card })
  const enrolled = await stripe.retrieveSetupIntent(setup.id)
  const paymentMethodId = enrolled?.card?.paymentMethodId ?? ''
  const request = {
    settlementId: next(),
    amountMinor: 1_000,
    currency: 'EUR',
    customerId,
    paymentMethodId,
    connectedAccountId: null,
    applicationFeeMinor: 0,
    ...rest,
  }
  const { id } = await stripe.createPaymentIntent(request)
  return { stripe, id, request, settlementId: request.settlementId, principalId, setup, enrolled }
}

const charged = (amountMinor = 1_000) => ({ status: 'succeeded', amountMinor, currency: 'EUR' }) as const
const chargesOf = async (paymentIntentId: string): Promise<number> =>
  (await db.query(sql`SELECT 1 FROM sandbox_processor_charges WHERE payment_intent_id = ${paymentIntentId}`)).length
const refundsOf = async (paymentIntentId: string): Promise<number> =>
  (
    await db.query(
      sql`SELECT 1 FROM sandbox_processor_refunds r JOIN sandbox_processor_charges c ON c.id = r.charge_id
        WHERE c.payment_intent_id = ${paymentIntentId}`,
    )
  ).length
const bodiesOf = async (id: string) => {
  const rows = await db.query<{ body: string }>(
    sql`SELECT body FROM sandbox_processor_events WHERE body LIKE ${`%"${id}"%`} ORDER BY created_at, next_attempt_at`,
  )
  return rows.map(({ body }) => JSON.parse(body) as { type: string })
}

describe('a card', () => {
  test('a card is set up for charges without its holder, and known once they have entered it', async () => {
    const { setup, enrolled, principalId, request } = await order()
    expect(setup).toMatchObject({ status: 'requires_payment_method', principalId, card: null })
    expect(setup.clientSecret).toContain(setup.id)
    expect(enrolled).toEqual({
      ...setup,
      status: 'succeeded',
      customerId: request.customerId,
      card: {
        paymentMethodId: expect.stringMatching(/^pm_/),
        brand: 'visa',
        last4: '4242',
        expMonth: 12,
        expYear: 2030,
      },
    })
  })

  test('a card of one person belongs to one customer, however often it is asked for', async () => {
    const stripe = connect()
    const ids = await Promise.all(Array.from({ length: 5 }, () => stripe.createCustomer('the same person')))
    expect(new Set(ids).size).toBe(1)
  })

  test('a card that is detached is not charged any more, and detaching it again is fine', async () => {
    const { stripe, id, settlementId, request } = await order()
    await stripe.detachCard(request.paymentMethodId)
    await stripe.detachCard(request.paymentMethodId)
    await stripe.detachCard('pm_unknown')
    await expect(stripe.confirmPaymentIntent(id, settlementId)).rejects.toThrow(ProcessorRefused)
    await expect(stripe.createPaymentIntent({ ...request, settlementId: next() })).rejects.toThrow(ProcessorRefused)
    expect(await chargesOf(id)).toBe(0)
  })

  test('a customer that is deleted is not charged any more, and deleting it again is fine', async () => {
    const { stripe, request } = await order()
    await stripe.deleteCustomer(request.customerId)
    await stripe.deleteCustomer(request.customerId)
    await stripe.deleteCustomer('cus_unknown')
    await expect(stripe.createPaymentIntent({ ...request, settlementId: next() })).rejects.toThrow(ProcessorRefused)
  })

  test.each(['seti_unknown', '', 'pi_1/confirm', '../v1/customers'])(
    'a setup intent that does not exist is null: %j',
    async (id) => {
      expect(await connect().retrieveSetupIntent(id)).toBeNull()
    },
  )
})

const cardOutcomes: Readonly<Record<TestCardName, PaymentOutcome>> = {
  success: charged(),
  decline: { status: 'failed', code: 'card_declined' },
  insufficient_funds: { status: 'failed', code: 'insufficient_funds' },
  authentication_required: { status: 'requires_action' },
  timeout: { status: 'unknown' },
  dispute: charged(),
}

describe('a confirmation', () => {
  test.each(testCardNames)(
    'a confirmation of a payment with the card %s: confirmed, repeated and read it says the same',
    async (card) => {
      const { stripe, id, settlementId } = await order({ card })
      const outcome = cardOutcomes[card]
      expect(await stripe.confirmPaymentIntent(id, settlementId)).toEqual(outcome)
      expect(await stripe.confirmPaymentIntent(id, settlementId)).toEqual(outcome)
      expect(await stripe.retrievePaymentIntent(id)).toMatchObject({ id, settlementId, outcome })
      expect(await chargesOf(id)).toBe(['success', 'timeout', 'dispute'].includes(card) ? 1 : 0)
    },
  )

  const magicOutcomes: [number, PaymentOutcome, number, string[]][] = [
    [402_001, { status: 'failed', code: 'card_declined' }, 0, ['payment_intent.payment_failed']],
    [402_002, { status: 'requires_action' }, 0, ['payment_intent.payment_failed']],
    [402_003, charged(402_003), 1, ['payment_intent.succeeded']],
    [402_004, charged(402_004), 1, ['payment_intent.succeeded']],
    [402_006, charged(402_006), 1, ['payment_intent.succeeded', 'charge.dispute.created']],
    [402_007, { status: 'failed', code: 'insufficient_funds' }, 0, ['payment_intent.payment_failed']],
    [402_008, { status: 'unknown' }, 1, ['payment_intent.succeeded']],
  ]
  test.each(magicOutcomes)('a confirmation of the amount %d', async (amountMinor, outcome, charges, events) => {
    const { stripe, id, settlementId } = await order({ amountMinor })
    expect(await stripe.confirmPaymentIntent(id, settlementId)).toEqual(outcome)
    expect(await chargesOf(id)).toBe(charges)
    expect((await bodiesOf(id)).map(({ type }) => type)).toEqual(events)
  })

  test('every magic amount is tried in a confirmation', () => {
    const tried = [402_005, ...magicOutcomes.map(([amount]) => amount)].toSorted((one, other) => one - other)
    expect(tried).toEqual(Object.keys(magicAmounts).map(Number))
  })

  test('a confirmation of the amount 402005 fails on the way once, charges nothing, and works when it is repeated', async () => {
    const { stripe, id, settlementId } = await order({ amountMinor: 402_005 })
    await expect(stripe.confirmPaymentIntent(id, settlementId)).rejects.toThrow(ProcessorUnreachable)
    expect(await chargesOf(id)).toBe(0)
    expect(await stripe.retrievePaymentIntent(id)).toMatchObject({ outcome: { status: 'unknown' } })
    expect(await stripe.confirmPaymentIntent(id, settlementId)).toEqual(charged(402_005))
    expect(await chargesOf(id)).toBe(1)
  })

  test('a confirmation that was answered "processing" is looked up when it is repeated: the saved answer is old', async () => {
    const { stripe, id, settlementId } = await order({ card: 'timeout' })
    expect(await stripe.confirmPaymentIntent(id, settlementId)).toEqual({ status: 'unknown' })
    advance(LATE_ANSWER_SECONDS)
    expect(await stripe.confirmPaymentIntent(id, settlementId)).toEqual(charged())
  })

  test('a confirmation that its cardholder answered meanwhile is looked up, too', async () => {
    const { stripe, id, settlementId } = await order({ card: 'authentication_required' })
    await stripe.confirmPaymentIntent(id, settlementId)
    expect(await fake.authenticatePayment(id, 'succeed')).toBe(true)
    expect(await stripe.confirmPaymentIntent(id, settlementId)).toEqual(charged())
    expect(await chargesOf(id)).toBe(1)
  })

  test('a confirmation under other parameters than before is looked up: money may have moved', async () => {
    const { stripe, id, settlementId } = await order()
    await stripe.confirmPaymentIntent(id, settlementId)
    disturb(/confirm$/, () => stripeError(400, { type: 'idempotency_error', message: 'other parameters' }))
    expect(await stripe.confirmPaymentIntent(id, settlementId)).toEqual(charged())
  })

  test('a confirmation of an intent that has failed is refused by its state, and returns the failure', async () => {
    const { stripe, id, settlementId } = await order({ card: 'decline' })
    await stripe.confirmPaymentIntent(id, settlementId)
    advance(86_401)
    expect(await stripe.confirmPaymentIntent(id, settlementId)).toEqual({ status: 'failed', code: 'card_declined' })
    expect((await bodiesOf(id)).map(({ type }) => type)).toEqual(['payment_intent.payment_failed'])
  })

  test('twenty confirmations at once charge once', async () => {
    const { stripe, request } = await order()
    const again = { ...request, settlementId: next() }
    const created = await Promise.all(Array.from({ length: 20 }, () => stripe.createPaymentIntent(again)))
    expect(new Set(created.map(({ id }) => id)).size).toBe(1)
    const id = created[0]?.id ?? ''
    const confirmed = await Promise.all(
      Array.from({ length: 20 }, () => stripe.confirmPaymentIntent(id, again.settlementId)),
    )
    expect(confirmed.map(({ status }) => status)).toEqual(Array(20).fill('succeeded'))
    expect(await chargesOf(id)).toBe(1)
  })

  test.each([
    ['a decline that says no more', { code: 'card_declined', decline_code: 'generic_decline' }, 'card_declined'],
    ['a decline with the bank’s reason', { code: 'card_declined', decline_code: 'lost_card' }, 'lost_card'],
    ['an error of its own', { code: 'expired_card', decline_code: 'do_not_honor' }, 'expired_card'],
    ['nothing at all', {}, 'card_declined'],
    ['a step-up that was a decline', { code: 'card_declined', decline_code: 'authentication_required' }, null],
    ['a step-up', { code: 'authentication_required' }, null],
  ])('a confirmation answered with %s and without an intent', async (_, error, code) => {
    const { stripe, id, settlementId } = await order()
    disturb(/confirm$/, () => stripeError(402, { type: 'card_error', message: 'Declined.', ...error }))
    expect(await stripe.confirmPaymentIntent(id, settlementId)).toEqual(
      code === null ? { status: 'requires_action' } : { status: 'failed', code },
    )
  })
})

describe('what the bank asked', () => {
  test.each([
    ['succeed' as const, charged(), 1, 'payment_intent.succeeded'],
    [
      'fail' as const,
      { status: 'failed', code: 'payment_intent_authentication_failure' },
      0,
      'payment_intent.payment_failed',
    ],
  ])('the cardholder answers the bank once: %s', async (answer, outcome, charges, event) => {
    const { stripe, id, settlementId } = await order({ card: 'authentication_required' })
    expect(await fake.authenticatePayment(id, answer)).toBe(false)
    await stripe.confirmPaymentIntent(id, settlementId)
    expect(await fake.authenticatePayment(id, answer)).toBe(true)
    expect(await fake.authenticatePayment(id, 'succeed')).toBe(false)
    expect((await stripe.retrievePaymentIntent(id))?.outcome).toEqual(outcome)
    expect(await chargesOf(id)).toBe(charges)
    expect((await bodiesOf(id)).at(-1)?.type).toBe(event)
  })

  test('what the bank asked is void once the intent is canceled', async () => {
    const { stripe, id, settlementId } = await order({ card: 'authentication_required' })
    await stripe.confirmPaymentIntent(id, settlementId)
    expect(await stripe.cancelPaymentIntent(id)).toEqual({ status: 'failed', code: 'canceled' })
    expect(await fake.authenticatePayment(id, 'succeed')).toBe(false)
    expect(await chargesOf(id)).toBe(0)
  })
})

describe('a payment intent', () => {
  test('a payment intent is read as it was ordered, and charged with that amount', async () => {
    const { stripe, id, settlementId } = await order({ amountMinor: 5, currency: 'ISK' })
    const intent = { id, settlementId, clientSecret: expect.stringContaining(`${id}_secret_`) }
    expect(await stripe.retrievePaymentIntent(id)).toEqual({ ...intent, outcome: { status: 'unknown' } })
    const outcome = { status: 'succeeded', amountMinor: 5, currency: 'ISK' }
    expect(await stripe.confirmPaymentIntent(id, settlementId)).toEqual(outcome)
    expect(await stripe.retrievePaymentIntent(id)).toEqual({ ...intent, outcome })
  })

  test('a payment intent pays the connected account, less the fee, and takes no fee without one', async () => {
    const [paid, own] = [
      await order({ connectedAccountId: 'acct_1', applicationFeeMinor: 34 }),
      await order({ applicationFeeMinor: 34 }),
    ]
    const rows = await db.query(
      sql`SELECT connected_account_id, application_fee_minor FROM sandbox_processor_intents WHERE id = ANY(${[paid.id, own.id]})
        ORDER BY connected_account_id NULLS LAST`,
    )
    expect(rows).toEqual([
      { connected_account_id: 'acct_1', application_fee_minor: 34 },
      { connected_account_id: null, application_fee_minor: null },
    ])
  })

  test.each([
    ['an unknown one', (id: string) => `${id}0`],
    ['nothing', () => ''],
    ['another path', (id: string) => `${id}/confirm`],
  ])('a payment intent is null for %s', async (_, change) => {
    const { stripe, id } = await order()
    expect(await stripe.retrievePaymentIntent(change(id))).toBeNull()
  })

  test('a payment intent is found by its settlement among more than a page of others', async () => {
    const { stripe, id, request, settlementId } = await order()
    advance(1)
    for (let index = 0; index < 105; index += 1) {
      await stripe.createPaymentIntent({ ...request, settlementId: next() })
    }
    const since = { settlementId, customerId: request.customerId, createdAfter: now }
    expect(await stripe.findPaymentIntent(since)).toMatchObject({ id, settlementId })
    expect(await stripe.findPaymentIntent({ ...since, settlementId: next() })).toBeNull()
    expect(await stripe.findPaymentIntent({ ...since, customerId: 'cus_unknown' })).toBeNull()
    const later = new Date(now.getTime() + 3_600_000)
    expect(await stripe.findPaymentIntent({ ...since, createdAfter: later })).toBeNull()
  })

  test('a payment intent that is canceled never moves money; one that has moved it says so', async () => {
    const open = await order()
    expect(await open.stripe.cancelPaymentIntent(open.id)).toEqual({ status: 'failed', code: 'canceled' })
    expect(await open.stripe.cancelPaymentIntent(open.id)).toEqual({ status: 'failed', code: 'canceled' })
    expect(await open.stripe.confirmPaymentIntent(open.id, open.settlementId)).toEqual({
      status: 'failed',
      code: 'canceled',
    })
    expect(await chargesOf(open.id)).toBe(0)
    const paid = await order()
    await paid.stripe.confirmPaymentIntent(paid.id, paid.settlementId)
    expect(await paid.stripe.cancelPaymentIntent(paid.id)).toEqual(charged())
    const late = await order({ card: 'timeout' })
    await late.stripe.confirmPaymentIntent(late.id, late.settlementId)
    expect(await late.stripe.cancelPaymentIntent(late.id)).toEqual({ status: 'unknown' })
  })

  test('a payment intent that is canceled and confirmed at once has one outcome for all callers', async () => {
    const { stripe, id, settlementId } = await order()
    const [confirmed, canceled] = await Promise.all([
      stripe.confirmPaymentIntent(id, settlementId),
      stripe.cancelPaymentIntent(id),
    ])
    expect(confirmed).toEqual(canceled)
    expect(await chargesOf(id)).toBe(confirmed.status === 'succeeded' ? 1 : 0)
  })
})

describe('a refund', () => {
  test.each([
    ['to the connected account', { connectedAccountId: 'acct_1', applicationFeeMinor: 34 }],
    ['without a fee', { connectedAccountId: 'acct_1' }],
    ['without a connected account', {}],
  ])('a refund gives the whole charge back, once, however often it is asked: %s', async (_, paying) => {
    const { stripe, id, settlementId } = await order(paying)
    await expect(stripe.refundPayment(id)).rejects.toThrow(ProcessorRefused)
    await stripe.confirmPaymentIntent(id, settlementId)
    await Promise.all([stripe.refundPayment(id), stripe.refundPayment(id)])
    advance(86_401)
    await stripe.refundPayment(id)
    expect(await refundsOf(id)).toBe(1)
  })

  test.each(['failed', 'canceled'])('a refund that Stripe says has %s is no refund', async (status) => {
    const { stripe, id, settlementId } = await order()
    await stripe.confirmPaymentIntent(id, settlementId)
    disturb(/POST \/v1\/refunds/, () => Response.json({ object: 'refund', status }))
    await expect(stripe.refundPayment(id)).rejects.toMatchObject({ code: 'refund_failed' })
  })
})

test('a dispute is known from the moment it is opened, and as the bank decides it', async () => {
  const { stripe, id, settlementId } = await order({ card: 'dispute' })
  await stripe.confirmPaymentIntent(id, settlementId)
  const [row] = await db.query<{ id: string }>(
    sql`SELECT d.id FROM sandbox_processor_disputes d JOIN sandbox_processor_charges c ON c.id = d.charge_id
      WHERE c.payment_intent_id = ${id}`,
  )
  const disputeId = row?.id ?? ''
  expect(await stripe.retrieveDispute(disputeId)).toBeNull()
  advance(DISPUTE_DELAY_SECONDS)
  expect(await stripe.retrieveDispute(disputeId)).toEqual({
    id: disputeId,
    paymentIntentId: id,
    status: 'needs_response',
  })
  await expect(stripe.refundPayment(id)).rejects.toMatchObject({ code: 'charge_disputed' })
  expect(await fake.openDispute(id, 'won')).toBe('moved')
  expect(await stripe.retrieveDispute(disputeId)).toMatchObject({ status: 'won' })
})

describe('a fault that Stripe has saved under the key', () => {
  const processorError = { name: 'ProcessorRefused', code: 'processor_error' }

  test('a saved fault of a confirmation that did nothing is final, and the intent can be closed', async () => {
    const { stripe, id, settlementId } = await order()
    failForGood(/confirm$/)
    await expect(stripe.confirmPaymentIntent(id, settlementId)).rejects.toThrow(ProcessorUnreachable)
    await expect(stripe.confirmPaymentIntent(id, settlementId)).rejects.toMatchObject(processorError)
    expect(await stripe.cancelPaymentIntent(id)).toEqual({ status: 'failed', code: 'canceled' })
    expect(await chargesOf(id)).toBe(0)
  })

  test.each<[TestCardName, PaymentOutcome, number]>([
    ['success', charged(), 1],
    ['timeout', { status: 'unknown' }, 1],
    ['decline', { status: 'failed', code: 'card_declined' }, 0],
    ['authentication_required', { status: 'requires_action' }, 0],
  ])(
    'a saved fault of a confirmation that was made all the same tells what it came to: %s',
    async (card, outcome, charges) => {
      const { stripe, id, settlementId } = await order({ card })
      failForGood(/confirm$/)
      await expect(stripe.confirmPaymentIntent(id, settlementId)).rejects.toThrow(ProcessorUnreachable)
      await doAllTheSame(`/v1/payment_intents/${id}/confirm`, { off_session: 'true' })
      expect(await stripe.confirmPaymentIntent(id, settlementId)).toEqual(outcome)
      expect(await chargesOf(id)).toBe(charges)
    },
  )

  test('a saved refusal of a confirmation is final, and gives its reason', async () => {
    const { stripe, id, settlementId } = await order()
    const refusal = { type: 'invalid_request_error', code: 'payment_method_invalid_parameter', message: 'No.' }
    disturb(/confirm$/, () => stripeError(400, refusal, { 'idempotent-replayed': 'true' }))
    await expect(stripe.confirmPaymentIntent(id, settlementId)).rejects.toMatchObject({ code: refusal.code })
  })

  test('a saved fault of an intent’s creation is final', async () => {
    const { stripe, request } = await order()
    const again = { ...request, settlementId: next() }
    failForGood(/POST \/v1\/payment_intents$/)
    await expect(stripe.createPaymentIntent(again)).rejects.toThrow(ProcessorUnreachable)
    await expect(stripe.createPaymentIntent(again)).rejects.toMatchObject(processorError)
  })

  test('a refund is made under another key, once', async () => {
    const { stripe, id, settlementId } = await order({ connectedAccountId: 'acct_1', applicationFeeMinor: 34 })
    await stripe.confirmPaymentIntent(id, settlementId)
    failForGood(/POST \/v1\/refunds/)
    await expect(stripe.refundPayment(id)).rejects.toThrow(ProcessorUnreachable)
    await Promise.all([stripe.refundPayment(id), stripe.refundPayment(id)])
    await stripe.refundPayment(id)
    expect(await refundsOf(id)).toBe(1)
  })

  test('a refund that was made all the same is not made again', async () => {
    const { stripe, id, settlementId } = await order()
    await stripe.confirmPaymentIntent(id, settlementId)
    failForGood(/POST \/v1\/refunds/)
    await expect(stripe.refundPayment(id)).rejects.toThrow(ProcessorUnreachable)
    await doAllTheSame('/v1/refunds', { payment_intent: id })
    await stripe.refundPayment(id)
    expect(await refundsOf(id)).toBe(1)
  })

  test('a customer is created under another key, the same for all who ask', async () => {
    const stripe = connect()
    failForGood(/POST \/v1\/customers/)
    await expect(stripe.createCustomer('who met a fault')).rejects.toThrow(ProcessorUnreachable)
    const ids = await Promise.all(Array.from({ length: 5 }, () => stripe.createCustomer('who met a fault')))
    expect(new Set(ids).size).toBe(1)
  })

  test('a processor that fails under every key is one that cannot be reached', async () => {
    const faulty = saveFaults(() => true)
    intercept = faulty
    onTestFinished(() => {
      intercept = () => null
    })
    for (let time = 0; time < 30; time += 1) {
      await expect(connect().createCustomer('without luck')).rejects.toThrow(ProcessorUnreachable)
    }
  })
})

describe('a processor that cannot be relied on', () => {
  const asks = {
    'POST /v1/payment_intents/pi_x/confirm': () => connect().confirmPaymentIntent('pi_x', 'stl'),
    'GET /v1/payment_intents/pi_x': () => connect().retrievePaymentIntent('pi_x'),
    'POST /v1/customers': () => connect().createCustomer('somebody'),
  }
  const names = Object.keys(asks) as (keyof typeof asks)[]

  test.each<[string, () => Response]>([
    ['429', () => stripeError(429, { type: 'invalid_request_error', code: 'rate_limit', message: 'Slow down.' })],
    ['409, the key is in use', () => stripeError(409, { type: 'idempotency_error', code: 'idempotency_key_in_use' })],
    ['409, the object is locked', () => stripeError(409, { type: 'invalid_request_error', code: 'lock_timeout' })],
    ['500', () => stripeError(500, { type: 'api_error', message: 'Oh.' })],
    ['503 of a proxy', () => new Response('<html>busy</html>', { status: 503 })],
    ['401', () => stripeError(401, { type: 'invalid_request_error', message: `Invalid API Key: ${FAKE_SECRET_KEY}` })],
    ['403', () => stripeError(403, { type: 'invalid_request_error', code: 'account_invalid', message: 'No.' })],
    ['another service’s 200', () => Response.json({ hello: 'world' })],
    ['another service’s 404', () => Response.json({ message: 'not found' }, { status: 404 })],
    [
      'an intent without its amount',
      () => Response.json({ object: 'payment_intent', id: 'pi_x', status: 'succeeded' }),
    ],
  ])('a processor that cannot be relied on is one that could not be reached: %s', async (_, answer) => {
    disturb(/./, answer)
    for (const name of names) {
      const error: unknown = await asks[name]().catch((thrown: unknown) => thrown)
      expect(error, name).toBeInstanceOf(ProcessorUnreachable)
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(FAKE_SECRET_KEY)
    }
  })

  test('a key that Stripe does not take fails no payment', async () => {
    const { id, settlementId } = await order()
    const wrong = connect({ secretKey: 'sk_test_of_somebody_else' })
    await expect(wrong.confirmPaymentIntent(id, settlementId)).rejects.toThrow(ProcessorUnreachable)
    expect(await chargesOf(id)).toBe(0)
  })

  test('a question that is refused is one without an answer', async () => {
    disturb(/GET/, () => stripeError(400, { type: 'invalid_request_error', message: 'No.' }))
    await expect(connect().retrievePaymentIntent('pi_x')).rejects.toThrow(ProcessorUnreachable)
  })

  test('a refusal of the request itself is final', async () => {
    const { stripe, request } = await order()
    const wrong = { ...request, settlementId: next(), customerId: 'cus_unknown' }
    await expect(stripe.createPaymentIntent(wrong)).rejects.toMatchObject({
      name: 'ProcessorRefused',
      code: 'resource_missing',
    })
    await expect(stripe.createPaymentIntent({ ...request, currency: 'UGX' })).rejects.toMatchObject({
      code: 'currency_not_supported',
    })
  })

  test('a host that is not there or says nothing in time is a processor that cannot be reached', async () => {
    const server = createServer(() => undefined)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const apiBase = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const slow = connect({ apiBase, timeoutMilliseconds: 50 })
    await expect(slow.retrievePaymentIntent('pi_x')).rejects.toThrow(ProcessorUnreachable)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await expect(connect({ apiBase }).retrievePaymentIntent('pi_x')).rejects.toThrow(ProcessorUnreachable)
  })
})
