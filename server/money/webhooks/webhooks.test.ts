import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MoneyFixture, openMoneyFixture } from '@/test/support/money-fixture'
import { ProcessorUnreachable } from '../../base/core/processor'
import { sql } from '../../base/core/sql'
import { asSandbox, DISPUTE_DELAY_SECONDS, LATE_ANSWER_SECONDS } from '../../base/platform/processor/sandbox'
import { signWebhook } from '../../base/platform/processor/webhook-signature'
import { createLane } from '../../transport/http'
import { findSettlementDetails } from '../settlement/store'
import { receiveProcessorWebhook } from '.'

let money: MoneyFixture
let server: Server
let baseUrl: string
let isDown = false

beforeAll(async () => {
  money = await openMoneyFixture()
  const lane = createLane({ operations: [receiveProcessorWebhook], platform: money.platform, mode: 'direct' })
  server = createServer((request, response) => {
    if (isDown) response.writeHead(503).end()
    else void lane.handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await money.close()
})

async function post(body: string | Buffer, headers: Record<string, string> = {}) {
  const bytes = new Uint8Array(Buffer.from(body))
  const answer = await fetch(`${baseUrl}/webhooks/stripe`, { method: 'POST', body: bytes, headers })
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> }
}

const sign = (body: string | Buffer, shift = 0) =>
  signWebhook({
    body,
    secret: money.platform.config.secrets.processorWebhook,
    now: new Date(money.clock.now().getTime() + shift * 1000),
  })

const event = (type: string, object: Record<string, unknown>, id = `evt_${randomUUID()}`) =>
  JSON.stringify({ id, type, data: { object } })

async function deliver(): Promise<void> {
  const sandbox = asSandbox(money.platform.processor)
  await sandbox?.deliverDueEvents(baseUrl)
}

describe('the order of the checks', () => {
  const body = event('some.thing', {})

  test('503: an event while the switch is off, before any other check', async () => {
    await money.platform.switches.set('processor_webhook', false)
    expect(await post(body)).toMatchObject({ status: 503, json: { error: 'service_unavailable' } })
    await money.platform.switches.set('processor_webhook', true)
  })

  test.each<[string, () => Record<string, string>]>([
    ['no header', () => ({})],
    [
      'another secret',
      () => ({ 'processor-signature': signWebhook({ body, secret: 'guess', now: money.clock.now() }) }),
    ],
    ['another body', () => ({ 'processor-signature': sign('{}') })],
    ['an old signature', () => ({ 'processor-signature': sign(body, -301) })],
    ['a signature of the future', () => ({ 'processor-signature': sign(body, 301) })],
    ['no signature at all', () => ({ 'processor-signature': 'nonsense' })],
  ])('400: an event with %s', async (_, headers) => {
    expect(await post(body, headers())).toMatchObject({ status: 400, json: { error: 'invalid_signature' } })
  })

  test.each([
    '',
    'null',
    '[]',
    '{}',
    '{"id":"evt_1"}',
    '{"id":1,"type":"x","data":{"object":{}}}',
    Buffer.from([0xff]),
  ])('400: a signed body that is no event: %j', async (text) => {
    expect(await post(text, { 'processor-signature': sign(text) })).toMatchObject({
      status: 400,
      json: { error: 'invalid_request' },
    })
  })

  test('413: an event beyond 256 KiB', async () => {
    const large = 'x'.repeat(262_145)
    expect((await post(large, { 'processor-signature': sign(large) })).status).toBe(413)
  })

  test('200: an event without an effect, under either header; a duplicate is marked as one', async () => {
    const unknown = event('customer.created', { id: 'cus_1' }, 'evt_unknown')
    expect(await post(unknown, { 'processor-signature': sign(unknown) })).toEqual({
      status: 200,
      json: { received: true, event_id: 'evt_unknown' },
    })
    expect(await post(unknown, { 'stripe-signature': sign(unknown) })).toEqual({
      status: 200,
      json: { received: true, event_id: 'evt_unknown', duplicate: true },
    })
    const odd = event('constructor', {}, 'evt_odd')
    expect((await post(odd, { 'processor-signature': sign(odd) })).status).toBe(200)
  })
})

describe('effects of events', () => {
  test('an event about a success that the processor does not know is ignored', async () => {
    const person = await money.person({ card: 'decline' })
    const answer = await money.settle(await money.mandate(person))
    const [row] = await money.platform.db.query<{ payment_intent_id: string }>(
      sql`SELECT payment_intent_id FROM settlements WHERE id = ${answer.settlementId}`,
    )
    await money.webhook({ type: 'payment_intent.succeeded', object: { id: row?.payment_intent_id } })
    await money.webhook({ type: 'payment_intent.succeeded', object: { id: 'pi_forged' } })
    await money.webhook({
      type: 'charge.dispute.created',
      object: { payment_intent: row?.payment_intent_id, status: 'needs_response' },
    })
    expect(await money.count('payments', sql`principal_id = ${person.principalId}`)).toBe(0)
  })

  test.each(['constructor', '__proto__', 'toString'])('a dispute whose status is %s has no effect', async (status) => {
    const person = await money.person({ card: 'success' })
    const answer = await money.settle(await money.mandate(person))
    const [row] = await money.platform.db.query<{ payment_intent_id: string }>(
      sql`SELECT payment_intent_id FROM settlements WHERE id = ${answer.settlementId}`,
    )
    const object = { payment_intent: row?.payment_intent_id, status }
    expect(await money.webhook({ type: 'charge.dispute.created', object })).toMatchObject({ received: true })
    expect(await money.count('payments', sql`principal_id = ${person.principalId} AND status = 'succeeded'`)).toBe(1)
  })

  test('an event is consumed only with its effect, and is sent again while the processor cannot be reached', async () => {
    const person = await money.person({ card: 'timeout' })
    const mandate = await money.mandate(person)
    await money.settle(mandate, { key: 'away' }).catch(() => undefined)
    money.clock.advance(LATE_ANSWER_SECONDS)
    const [row] = await money.platform.db.query<{ payment_intent_id: string }>(
      sql`SELECT payment_intent_id FROM settlements WHERE mandate_id = ${mandate.id}`,
    )
    const away = money.withProcessor({ retrievePaymentIntent: () => Promise.reject(new ProcessorUnreachable('away')) })
    const news = { id: 'evt_away', type: 'payment_intent.succeeded', object: { id: row?.payment_intent_id } }
    await expect(money.webhook(news, away)).rejects.toMatchObject({ status: 502 })
    expect(await money.webhook(news)).toEqual({ received: true, event_id: 'evt_away' })
    expect(await money.count('payments', sql`principal_id = ${person.principalId}`)).toBe(1)
  })

  test('one event sent twenty times at once has its effect once', async () => {
    const person = await money.person({ card: 'timeout' })
    const mandate = await money.mandate(person)
    await money.settle(mandate).catch(() => undefined)
    money.clock.advance(LATE_ANSWER_SECONDS)
    const [row] = await money.platform.db.query<{ payment_intent_id: string }>(
      sql`SELECT payment_intent_id FROM settlements WHERE mandate_id = ${mandate.id}`,
    )
    const body = event('payment_intent.succeeded', { id: row?.payment_intent_id })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(body, { 'processor-signature': sign(body) })),
    )
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(answers.filter(({ json }) => json['duplicate'] === undefined)).toHaveLength(1)
    expect(
      await money.count(
        'audit_entries',
        sql`principal_id = ${person.principalId} AND event = 'oid4ac.payment.succeeded'`,
      ),
    ).toBe(1)
  })
})

describe('the sandbox processor', () => {
  test('the sandbox processor delivers signed events until they are taken', async () => {
    const person = await money.person({ card: 'timeout' })
    const mandate = await money.mandate(person)
    await money.settle(mandate, { key: 'webhook' }).catch(() => undefined)
    money.clock.advance(LATE_ANSWER_SECONDS)
    isDown = true
    await deliver()
    isDown = false
    await deliver()
    expect(await money.count('payments', sql`principal_id = ${person.principalId}`)).toBe(0)
    money.clock.advance(10)
    await deliver()
    expect(await money.count('payments', sql`principal_id = ${person.principalId}`)).toBe(1)
    expect((await money.settle(mandate, { key: 'webhook' })).status).toBe(200)
  })

  test('the sandbox processor plays the cardholder and sends an event as often as requested', async () => {
    const person = await money.person({ card: null })
    const intent = await money.sandbox.createSetupIntent({
      principalId: person.principalId,
      customerId: await money.sandbox.createCustomer(person.principalId),
      idempotencyKey: randomUUID(),
    })
    expect(await money.sandbox.enrolTestCard({ setupIntentId: 'seti_unknown', card: 'success' })).toBeNull()
    const enrolled = await money.sandbox.enrolTestCard({ setupIntentId: intent.id, card: 'success', deliveries: 20 })
    expect(enrolled?.status).toBe('succeeded')
    expect(await money.sandbox.enrolTestCard({ setupIntentId: intent.id, card: 'decline' })).toEqual(enrolled)
    await deliver()
    expect(await money.count('card_mandates', sql`principal_id = ${person.principalId}`)).toBe(1)
    expect(
      await money.count(
        'sandbox_processor_events',
        sql`deliveries_left > 0 AND type = 'setup_intent.succeeded' AND body LIKE ${`%${intent.id}%`}`,
      ),
    ).toBe(0)
  })

  test('the sandbox processor disputes the payments of the dispute card, and others on request', async () => {
    const statusOf = async (id: string) => {
      const [row] = await money.platform.db.query<{ status: string }>(
        sql`SELECT status FROM payments WHERE payment_intent_id = ${id}`,
      )
      return row?.status
    }
    const pay = async (card: 'success' | 'dispute') =>
      JSON.parse((await money.settle(await money.mandate(await money.person({ card })))).body)
        .payment_intent_id as string
    const [disputed, calm] = [await pay('dispute'), await pay('success')]
    money.clock.advance(DISPUTE_DELAY_SECONDS)
    await deliver()
    expect([await statusOf(disputed), await statusOf(calm)]).toEqual(['disputed_pending', 'succeeded'])
    expect(await money.sandbox.openDispute(disputed, 'won')).toBe('moved')
    expect(await money.sandbox.openDispute(calm, 'lost')).toBe('moved')
    expect(await money.sandbox.openDispute('pi_unknown', 'lost')).toBe('unknown')
    await deliver()
    expect([await statusOf(disputed), await statusOf(calm)]).toEqual(['disputed_won', 'disputed_lost'])
  })

  test('the sandbox processor makes one intent per settlement and one charge per intent, also in parallel', async () => {
    const person = await money.person()
    const mandate = await money.mandate(person)
    const settlementId = (await money.settle(mandate)).settlementId
    const settlement = (await findSettlementDetails(money.platform.db, settlementId)) ?? expect.fail('no settlement')
    const request = {
      settlementId,
      amountMinor: 1_000,
      currency: 'EUR',
      customerId: settlement.customer_id,
      paymentMethodId: settlement.payment_method_id,
      connectedAccountId: settlement.connected_account_id,
      applicationFeeMinor: 0,
    }
    const intents = await Promise.all(Array.from({ length: 5 }, () => money.sandbox.createPaymentIntent(request)))
    expect(new Set(intents.map(({ id }) => id)).size).toBe(1)
    const id = intents[0]?.id ?? ''
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => money.sandbox.confirmPaymentIntent(id, settlementId)),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill('succeeded'))
    expect(await money.count('sandbox_processor_charges', sql`payment_intent_id = ${id}`)).toBe(1)
    await expect(money.sandbox.confirmPaymentIntent(id, 'another')).rejects.toThrow('its own payment intent')
  })
})
