import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  MERCHANT,
  MERCHANT_ACCOUNT,
  type MoneyFixture,
  openMoneyFixture,
  type Person,
} from '@/test/support/money-fixture'
import { FAKE_PUBLISHABLE_KEY, FAKE_SECRET_KEY, saveFaults, serveStripeFake } from '@/test/support/stripe-fake'
import type { ServiceError } from '../../base/core/errors'
import { ProcessorUnreachable } from '../../base/core/processor'
import { type Sql, sql } from '../../base/core/sql'
import { createStripeProcessor } from '../../base/platform/processor/stripe'
import { verifyReceipt } from '../../base/protocol/receipt'
import type { MandateRow } from '../../oauth/mandates'
import { readMessages } from '../../shared/notifications'
import type { SettlementAnswer } from './answers'
import { resolveUnknown } from './resolve-unknown'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

const refusal = (work: Promise<unknown>): Promise<ServiceError> =>
  work.then(
    (value) => expect.fail(`not refused: ${JSON.stringify(value)}`),
    (error: ServiceError) => error,
  )

async function stateOf(key: string) {
  const [row] = await money.platform.db.query<{ state: string; id: string; payment_intent_id: string | null }>(
    sql`SELECT id, state, payment_intent_id FROM settlements WHERE idempotency_key = ${key}`,
  )
  return row
}

async function counterOf(principalId: string) {
  const [row] = await money.platform.db.query<{ reserved_minor: number; spent_minor: number }>(
    sql`SELECT reserved_minor, spent_minor FROM spend_counters WHERE principal_id = ${principalId}`,
  )
  return row ?? { reserved_minor: 0, spent_minor: 0 }
}

describe('200', () => {
  test('the card is charged once, and receipt, payment, message and audit entry say so', async () => {
    const person = await money.person()
    const mandate = await money.mandate(person, { amountMinor: 1_234 })
    const answer = await money.settle(mandate, { connectedAccountId: MERCHANT_ACCOUNT, feeMinor: 34 })
    expect(answer.status).toBe(200)
    const body = JSON.parse(answer.body)
    expect(body).toEqual({
      settlement_id: expect.any(String),
      status: 'succeeded',
      mandate_id: mandate.id,
      payment_intent_id: expect.stringMatching(/^pi_/),
      amount_minor: 1_234,
      currency: 'EUR',
      merchant_audience: MERCHANT,
      application_fee_minor: 34,
      connected_account_id: MERCHANT_ACCOUNT,
      settled_at: money.clock.now().toISOString(),
      receipt_jws: expect.any(String),
    })
    const { claims: receipt } = await verifyReceipt(body.receipt_jws, {
      issuer: money.platform.config.baseUrl,
      audience: MERCHANT,
      now: money.clock.now(),
      findKey: (kid) => money.platform.keys.find('receipt', kid),
    })
    expect(receipt).toMatchObject({
      mandate_id: mandate.id,
      amount_minor: 1_234,
      currency: 'EUR',
      jti: body.settlement_id,
    })
    const charges = await money.platform.db.query(
      sql`SELECT amount_minor, currency FROM sandbox_processor_charges WHERE settlement_id = ${body.settlement_id}`,
    )
    expect(charges).toEqual([{ amount_minor: 1_234, currency: 'EUR' }])
    expect(await money.count('payments', sql`settlement_id = ${body.settlement_id}`)).toBe(1)
    const [message] = await readMessages(money.platform, 1)
    expect(message?.subject).toBe('You paid 12.34 EUR to Tallow Books')
    const [entry] = await money.platform.db.query<{ payload: string }>(
      sql`SELECT payload FROM audit_entries WHERE principal_id = ${person.principalId} AND event = 'oid4ac.payment.succeeded'`,
    )
    expect(JSON.parse(entry?.payload ?? '')).toEqual({
      mandate_id: mandate.id,
      payment_intent_id: body.payment_intent_id,
      amount_minor: 1_234,
      currency: 'EUR',
      merchant_audience: MERCHANT,
    })
    expect(await counterOf(person.principalId)).toEqual({ reserved_minor: 0, spent_minor: 1_234 })
  })

  test('the same request again gets the same bytes, even when the mandate is long gone and comes with key binding', async () => {
    const mandate = await money.mandate(await money.person())
    const first = await money.settle(mandate, { key: 'again' })
    money.clock.advance(86_400 * 31)
    const second = await money.settle(mandate, {
      key: 'again',
      presented: `mandate-${mandate.id}~disclosure~kb.jwt.here`,
    })
    expect(second).toEqual({ ...first, replayed: true })
  })

  test('fifty equal requests at once charge once, and all 200s are alike', async () => {
    const mandate = await money.mandate(await money.person())
    const answers = await Promise.all(Array.from({ length: 50 }, () => money.settle(mandate, { key: 'fifty' })))
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(await money.count('sandbox_processor_charges', sql`settlement_id = ${answers[0]?.settlementId ?? ''}`)).toBe(
      1,
    )
  })

  test('keys of different agents are independent', async () => {
    const [one, two] = [await money.person(), await money.person()]
    const [first, second] = [await money.mandate(one), await money.mandate(two)]
    expect((await money.settle(first, { key: 'shared' })).settlementId).not.toBe(
      (await money.settle(second, { key: 'shared' })).settlementId,
    )
  })
})

describe('402', () => {
  test('a decline is final for its key, recorded as failed, and leaves mandate and cap untouched', async () => {
    const person = await money.person({ card: 'insufficient_funds' })
    const mandate = await money.mandate(person)
    const first = await money.settle(mandate, { key: 'declined' })
    expect(first.status).toBe(402)
    expect(JSON.parse(first.body)).toEqual({
      error: 'payment_declined',
      error_description: 'The card has insufficient funds.',
      settlement_id: first.settlementId,
      status: 'failed',
      failure: { code: 'insufficient_funds' },
    })
    const told = (await readMessages(money.platform, 1_000)).filter(({ text }) => text.includes('insufficient funds'))
    expect(told).toMatchObject([
      {
        subject: 'A payment of 10.00 EUR to Tallow Books did not go through',
        links: [`${money.platform.config.baseUrl}/activity?event=oid4ac.payment.failed`],
      },
    ])
    expect(await money.settle(mandate, { key: 'declined' })).toEqual({ ...first, replayed: true })
    expect((await money.settle(mandate, { key: 'declined-2' })).status).toBe(402)
    expect(await counterOf(person.principalId)).toEqual({ reserved_minor: 0, spent_minor: 0 })
    expect(
      await money.count('audit_entries', sql`principal_id = ${person.principalId} AND event = 'oid4ac.payment.failed'`),
    ).toBe(2)
    expect(await money.count('sandbox_processor_charges', sql`settlement_id = ${first.settlementId}`)).toBe(0)
  })
})

describe('429', () => {
  /** Lets charges of new mandates of an agent fail; returns what became of each. */
  async function failOften(person: Person, count: number): Promise<(number | string)[]> {
    const answers: (number | string)[] = []
    for (let attempt = 0; attempt < count; attempt += 1) {
      const settling = money.settle(await money.mandate(person))
      answers.push(
        await settling.then(
          ({ status }) => status,
          ({ code }: ServiceError) => code,
        ),
      )
    }
    return answers
  }

  test('after ten failed charges a mandate is refused until it expires, and only repeats are answered', async () => {
    const person = await money.person({ card: 'decline' })
    const mandate = await money.mandate(person)
    const attempts = Array.from({ length: 10 }, (_, number) => `failed-${number}`)
    const answers: SettlementAnswer[] = []
    for (const key of attempts) {
      answers.push(await money.settle(mandate, { key }))
      money.clock.advance(6)
    }
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(402))
    for (const _ of [1, 2]) {
      const error = await refusal(money.settle(mandate, { key: 'eleventh' }))
      expect([error.status, error.code, error.headers]).toEqual([429, 'rate_limited', { 'retry-after': '240' }])
    }
    expect(await stateOf('eleventh')).toBeUndefined()
    for (const [number, key] of attempts.entries()) {
      expect(await money.settle(mandate, { key })).toEqual({ ...answers[number], replayed: true })
    }
    const told = await money.count('messages', sql`principal_id = ${person.principalId}`)
    expect(told).toBe(10)
    expect(await failOften(person, 1)).toEqual([402])
  })

  test('of an agent sixty charges fail in any hour, and those that succeed and other agents do not count', async () => {
    const person = await money.person({ card: 'decline' })
    const other = { ...person, agentId: await money.agent(person.principalId) }
    expect(await failOften(person, 30)).toEqual(Array(30).fill(402))
    money.clock.advance(1_800)
    expect(await failOften(person, 31)).toEqual([...Array(30).fill(402), 'rate_limited'])
    const { headers } = await refusal(money.settle(await money.mandate(person)))
    expect(headers).toEqual({ 'retry-after': '1800' })
    expect(await failOften(other, 1)).toEqual([402])
    money.clock.advance(1_800)
    expect(await failOften(person, 31)).toEqual([...Array(30).fill(402), 'rate_limited'])

    const good = await money.person()
    for (let paid = 0; paid < 61; paid += 1) {
      expect((await money.settle(await money.mandate(good))).status).toBe(200)
    }
  })
})

describe('a server whose clock was an hour ahead', () => {
  test('a server whose clock was an hour ahead leaves nothing undecided for that hour', async () => {
    const mandate = await money.mandate(await money.person())
    const away = money.withProcessor({ createPaymentIntent: () => Promise.reject(new ProcessorUnreachable('away')) })
    expect((await refusal(money.settle(mandate, { key: 'ahead' }, away))).code).toBe('bad_gateway')
    await money.platform.db.query(
      sql`UPDATE settlements SET lease_until = ${new Date(money.clock.now().getTime() + 3_600_000)} WHERE mandate_id = ${mandate.id}`,
    )
    await resolveUnknown(money.platform)
    expect((await money.settle(mandate, { key: 'ahead' })).status).toBe(200)
  })
})

describe('401, 403, 400, 422', () => {
  test('an expired mandate and a revoked one are refused, and nothing is written', async () => {
    const person = await money.person()
    const expired = await money.mandate(person)
    money.clock.advance(301)
    expect((await refusal(money.settle(expired, { key: 'expired' }))).code).toBe('invalid_token')
    const revoked = await money.mandate(person)
    await money.platform.db.query(
      sql`UPDATE token_families SET revoked_at = ${money.clock.now()} WHERE id = ${revoked.family_id}`,
    )
    expect((await refusal(money.settle(revoked, { key: 'revoked' }))).code).toBe('invalid_token')
    expect(await money.count('settlements', sql`principal_id = ${person.principalId}`)).toBe(0)
    expect(await money.count('spend_counters', sql`principal_id = ${person.principalId}`)).toBe(0)
  })

  test('money goes to no account but the one that the merchant registered', async () => {
    const mandate = await money.mandate(await money.person())
    const error = await refusal(money.settle(mandate, { connectedAccountId: 'acct_thief' }))
    expect([error.code, error.status]).toEqual(['forbidden', 403])
  })

  test('a fee beyond what the merchant allows is refused', async () => {
    const mandate = await money.mandate(await money.person(), { amountMinor: 199 })
    for (const feeMinor of [200, 20]) {
      const error = await refusal(money.settle(mandate, { feeMinor }))
      expect([feeMinor, error.code, error.status]).toEqual([feeMinor, 'forbidden', 403])
    }
    expect((await money.settle(mandate, { feeMinor: 19 })).status).toBe(200)
  })

  test('an agent that the merchant policy denies cannot settle what it was issued before', async () => {
    const mandate = await money.mandate(await money.person())
    await money.platform.db.query(
      sql`INSERT INTO merchant_rules (tenant_id, merchant_audience, client_id, verdict, updated_at) VALUES (${money.tenantId}, ${MERCHANT}, ${mandate.client_id}, 'deny', ${money.clock.now()})`,
    )
    expect((await refusal(money.settle(mandate))).code).toBe('forbidden')
  })

  test('a settlement without a card on file is refused', async () => {
    const mandate = await money.mandate(await money.person({ card: null }))
    expect((await refusal(money.settle(mandate))).code).toBe('card_required')
  })

  test('the switch also refuses a request that was admitted before it was turned off', async () => {
    const mandate = await money.mandate(await money.person())
    await money.platform.switches.set('settlement', false)
    expect((await refusal(money.settle(mandate, { key: 'off' }))).status).toBe(503)
    await money.platform.switches.set('settlement', true)
    expect((await money.settle(mandate, { key: 'off' })).status).toBe(200)
  })
})

describe('409', () => {
  test('the same key with another request is a conflict and changes nothing', async () => {
    const person = await money.person()
    const mandate = await money.mandate(person)
    await money.settle(mandate, { key: 'once' })
    const other = await money.mandate(person)
    const changes = await Promise.all([
      refusal(money.settle(other, { key: 'once' })),
      refusal(money.settle(mandate, { key: 'once', feeMinor: 1 })),
      refusal(money.settle(mandate, { key: 'once', connectedAccountId: MERCHANT_ACCOUNT })),
    ])
    expect(changes.map(({ code }) => code)).toEqual(Array(3).fill('idempotency_conflict'))
    expect(await money.count('settlements', sql`principal_id = ${person.principalId}`)).toBe(1)
  })

  test('a mandate is settled once by twenty requests at a time with different keys', async () => {
    const person = await money.person()
    const mandate = await money.mandate(person)
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => money.settle(mandate, { key: `race-${at}` })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const codes = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))
    expect(new Set(codes)).toEqual(new Set(['mandate_consumed']))
    expect(await counterOf(person.principalId)).toEqual({ reserved_minor: 0, spent_minor: 1_000 })
  })
})

describe('502', () => {
  test('an unknown outcome counts against the cap, and the webhook makes it final', async () => {
    const person = await money.person({ card: 'timeout' })
    const mandate = await money.mandate(person)
    const error = await refusal(money.settle(mandate, { key: 'late' }))
    expect([error.code, error.status, error.headers['retry-after']]).toEqual(['bad_gateway', 502, '2'])
    expect((await refusal(money.settle(mandate, { key: 'late' }))).code).toBe('bad_gateway')
    expect(await counterOf(person.principalId)).toEqual({ reserved_minor: 1_000, spent_minor: 0 })
    const intentId = (await stateOf('late'))?.payment_intent_id
    const event = { id: 'evt_late', type: 'payment_intent.succeeded', object: { id: intentId } }
    await expect(money.webhook(event)).rejects.toMatchObject({ status: 503 })
    money.clock.advance(3)
    expect(await money.webhook(event)).toEqual({ received: true, event_id: 'evt_late' })
    expect(await money.webhook(event)).toEqual({ received: true, event_id: 'evt_late', duplicate: true })
    const answer = await money.settle(mandate, { key: 'late' })
    expect([answer.status, answer.replayed]).toEqual([200, true])
    expect(await counterOf(person.principalId)).toEqual({ reserved_minor: 0, spent_minor: 1_000 })
    expect(
      await money.count(
        'audit_entries',
        sql`principal_id = ${person.principalId} AND event = 'oid4ac.payment.succeeded'`,
      ),
    ).toBe(1)
  })

  test('an unknown outcome is found out by the resolver, which charges nothing again', async () => {
    const mandate = await money.mandate(await money.person({ card: 'timeout' }))
    await refusal(money.settle(mandate, { key: 'look' }))
    await resolveUnknown(money.platform)
    expect((await stateOf('look'))?.state).toBe('unknown')
    money.clock.advance(60)
    await Promise.all([resolveUnknown(money.platform), resolveUnknown(money.platform)])
    const answer = await money.settle(mandate, { key: 'look' })
    expect(answer.status).toBe(200)
    expect(await money.count('sandbox_processor_charges', sql`settlement_id = ${answer.settlementId}`)).toBe(1)
  })

  test('a processor that charged and then lost the line is asked, not charged again', async () => {
    const mandate = await money.mandate(await money.person())
    const cut = money.withProcessor({
      confirmPaymentIntent: async (id, settlementId) => {
        await money.sandbox.confirmPaymentIntent(id, settlementId)
        throw new ProcessorUnreachable('cut off')
      },
    })
    expect((await refusal(money.settle(mandate, { key: 'cut' }, cut))).code).toBe('bad_gateway')
    money.clock.advance(5)
    await resolveUnknown(money.platform)
    const answer = await money.settle(mandate, { key: 'cut' })
    expect(answer.status).toBe(200)
    expect(await money.count('sandbox_processor_charges', sql`settlement_id = ${answer.settlementId}`)).toBe(1)
  })

  test('a processor that never saw the payment gets it when it is back', async () => {
    const mandate = await money.mandate(await money.person())
    const down = money.withProcessor({ createPaymentIntent: () => Promise.reject(new ProcessorUnreachable('down')) })
    expect((await refusal(money.settle(mandate, { key: 'down' }, down))).code).toBe('bad_gateway')
    money.clock.advance(5)
    await resolveUnknown(down)
    expect((await stateOf('down'))?.state).toBe('unknown')
    money.clock.advance(60)
    await resolveUnknown(money.platform)
    expect((await money.settle(mandate, { key: 'down' })).status).toBe(200)
  })

  test.each([
    ['created', /\/v1\/payment_intents$/],
    ['confirmed', /\/confirm$/],
  ])(
    'a payment that the processor failed at for good when it was %s is given up at the next look',
    async (step, path) => {
      const { clock, platform } = money
      const intercept = saveFaults(({ method, url }) => method === 'POST' && path.test(new URL(url).pathname))
      const fake = await serveStripeFake({ db: platform.db, clock, intercept })
      onTestFinished(() => fake.close())
      const processor = createStripeProcessor({
        kind: 'stripe',
        secretKey: FAKE_SECRET_KEY,
        publishableKey: FAKE_PUBLISHABLE_KEY,
        apiBase: fake.url,
      })
      const person = await money.person()
      const mandate = await money.mandate(person)
      const key = `fault-${step}`
      expect((await refusal(money.settle(mandate, { key }, { ...platform, processor }))).code).toBe('bad_gateway')
      clock.advance(5)
      await resolveUnknown({ ...platform, processor })
      const answer = await money.settle(mandate, { key })
      expect([answer.status, JSON.parse(answer.body).failure]).toEqual([402, { code: 'processor_error' }])
      expect(await counterOf(person.principalId)).toEqual({ reserved_minor: 0, spent_minor: 0 })
      expect(await money.count('sandbox_processor_charges', sql`settlement_id = ${answer.settlementId}`)).toBe(0)
      expect((await money.settle(mandate)).status).toBe(200)
    },
  )

  test('a settlement is not submitted any more after 23 hours, and its held money is released', async () => {
    const person = await money.person()
    const mandate = await money.mandate(person)
    const down = money.withProcessor({ createPaymentIntent: () => Promise.reject(new ProcessorUnreachable('down')) })
    await refusal(money.settle(mandate, { key: 'old' }, down))
    money.clock.advance(23 * 3600)
    await resolveUnknown(money.platform)
    const answer = await money.settle(mandate, { key: 'old' })
    expect(JSON.parse(answer.body).failure).toEqual({ code: 'processor_unavailable' })
    expect(await counterOf(person.principalId)).toEqual({ reserved_minor: 0, spent_minor: 0 })
  })

  const endings: [string, (mandate: MandateRow) => Sql][] = [
    ['revoked', ({ family_id: id }) => sql`UPDATE token_families SET revoked_at = now() WHERE id = ${id}`],
    ['paused', ({ client_id: id }) => sql`UPDATE clients SET paused_at = now() WHERE id = ${id}`],
    ['frozen', ({ principal_id: id }) => sql`UPDATE principals SET frozen_at = now() WHERE id = ${id}`],
    ['restricted', ({ principal_id: id }) => sql`UPDATE principals SET processing_restricted = true WHERE id = ${id}`],
  ]
  /** Returns a platform whose processor creates intents slowly: `end` has run and a freeze's wait is over by then. */
  const endingMeanwhile = (mandate: MandateRow, end: (mandate: MandateRow) => Sql) =>
    money.withProcessor({
      createPaymentIntent: async (request) => {
        await money.platform.db.query(end(mandate))
        money.clock.advance(6)
        return money.sandbox.createPaymentIntent(request)
      },
    })

  test.each(endings)('a settlement whose agent is %s while it is created is never submitted', async (_ending, end) => {
    const person = await money.person()
    const mandate = await money.mandate(person)
    const answer = await money.settle(mandate, {}, endingMeanwhile(mandate, end))
    expect([answer.status, JSON.parse(answer.body).failure]).toEqual([402, { code: 'authorization_withdrawn' }])
    expect(await money.count('sandbox_processor_charges', sql`settlement_id = ${answer.settlementId}`)).toBe(0)
    expect(await counterOf(person.principalId)).toEqual({ reserved_minor: 0, spent_minor: 0 })
  })

  test.each(endings)('a settlement whose agent is %s while it is submitted again is given up', async (ending, end) => {
    const mandate = await money.mandate(await money.person())
    const key = `again-${ending}`
    const down = money.withProcessor({ createPaymentIntent: () => Promise.reject(new ProcessorUnreachable('down')) })
    await refusal(money.settle(mandate, { key }, down))
    money.clock.advance(60)
    await resolveUnknown(endingMeanwhile(mandate, end))
    const answer = await money.settle(mandate, { key })
    expect([answer.status, JSON.parse(answer.body).failure]).toEqual([402, { code: 'authorization_withdrawn' }])
    expect(await money.count('sandbox_processor_charges', sql`settlement_id = ${answer.settlementId}`)).toBe(0)
  })

  test('settlements that an outage left without an outcome are all looked at once it is over', async () => {
    const person = await money.person()
    const down = money.withProcessor({ createPaymentIntent: () => Promise.reject(new ProcessorUnreachable('down')) })
    const mandates = await Promise.all(Array.from({ length: 45 }, () => money.mandate(person, { amountMinor: 10 })))
    await Promise.all(mandates.map((mandate) => refusal(money.settle(mandate, {}, down))))
    money.clock.advance(60)
    await resolveUnknown(money.platform)
    const own = sql`principal_id = ${person.principalId}`
    expect(await money.count('settlements', sql`${own} AND state = 'succeeded'`)).toBe(45)
  })

  test.each(
    endings.flatMap(([ending, end]) =>
      (['createPaymentIntent', 'confirmPaymentIntent'] as const).map((step) => [step, ending, end] as const),
    ),
  )('a settlement whose %s did not reach the processor is given up once its agent is %s', async (step, ending, end) => {
    const person = await money.person()
    const mandate = await money.mandate(person)
    const key = `${step}-${ending}`
    const down = money.withProcessor({ [step]: () => Promise.reject(new ProcessorUnreachable('down')) })
    expect((await refusal(money.settle(mandate, { key }, down))).code).toBe('bad_gateway')
    await money.platform.db.query(end(mandate))
    money.clock.advance(60)
    await resolveUnknown(money.platform)
    const answer = await money.settle(mandate, { key })
    expect([answer.status, JSON.parse(answer.body).failure]).toEqual([402, { code: 'authorization_withdrawn' }])
    expect(await money.count('sandbox_processor_charges', sql`settlement_id = ${answer.settlementId}`)).toBe(0)
    expect(await counterOf(person.principalId)).toEqual({ reserved_minor: 0, spent_minor: 0 })
  })

  test.each(endings)('a charge that the processor works on counts although its agent is %s', async (ending, end) => {
    const mandate = await money.mandate(await money.person({ card: 'timeout' }))
    const key = `works-${ending}`
    await refusal(money.settle(mandate, { key }))
    await money.platform.db.query(end(mandate))
    money.clock.advance(2)
    await resolveUnknown(money.platform)
    expect((await stateOf(key))?.state).toBe('unknown')
    money.clock.advance(60)
    await resolveUnknown(money.platform)
    expect((await money.settle(mandate, { key })).status).toBe(200)
  })

  test('an outcome that webhook, resolver and request learn at the same time is written once', async () => {
    const person = await money.person({ card: 'timeout' })
    const mandate = await money.mandate(person)
    await refusal(money.settle(mandate, { key: 'together' }))
    money.clock.advance(30)
    const intentId = (await stateOf('together'))?.payment_intent_id
    await Promise.all([
      ...Array.from({ length: 10 }, () =>
        money.webhook({ type: 'payment_intent.succeeded', object: { id: intentId } }),
      ),
      resolveUnknown(money.platform),
      resolveUnknown(money.platform),
    ])
    expect((await stateOf('together'))?.state).toBe('succeeded')
    expect(await money.count('payments', sql`principal_id = ${person.principalId}`)).toBe(1)
    expect(await counterOf(person.principalId)).toEqual({ reserved_minor: 0, spent_minor: 1_000 })
  })
})
