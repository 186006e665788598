import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MERCHANT, type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { sql } from '../../base/core/sql'
import {
  applyDispute,
  type DisputeStatus,
  listPayments,
  type NamedPayment,
  type PaymentFilter,
  type PaymentPage,
  readPayment,
  readWalletPaymentHistory,
} from '.'
import { readPaymentHistoryEndpoint } from './contract'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

async function pay(
  person: Person,
  options: { amountMinor?: number; currency?: string; merchant?: string; agentId?: string } = {},
) {
  const answer = await money.settle(await money.mandate(person, options))
  return JSON.parse(answer.body).payment_intent_id as string
}

const statusOf = async (id: string) => {
  const [row] = await money.platform.db.query<{ status: string }>(
    sql`SELECT status FROM payments WHERE payment_intent_id = ${id}`,
  )
  return row?.status
}

const dispute = (paymentIntentId: string, status: DisputeStatus) =>
  money.platform.db.transaction((tx) =>
    applyDispute(tx, { paymentIntentId, status, platform: money.platform, now: money.clock.now() }),
  )

const entriesOf = async (person: Person) => {
  const rows = await money.platform.db.query<{ payload: string }>(
    sql`SELECT payload FROM audit_entries WHERE principal_id = ${person.principalId} AND event = 'oid4ac.payment.disputed' ORDER BY seq`,
  )
  return rows.map(({ payload }) => JSON.parse(payload).dispute_status as string)
}

describe('disputes', () => {
  test('disputes move along their edges only, in any order and number of events', async () => {
    const person = await money.person()
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom<DisputeStatus>('pending', 'won', 'lost'), { maxLength: 6 }),
        async (news) => {
          const before = (await entriesOf(person)).length
          const id = await pay(person, { amountMinor: 10 })
          for (const status of news) await dispute(id, status)
          const decided = news.find((status) => status !== 'pending')
          const expected =
            decided === undefined ? (news.length > 0 ? 'disputed_pending' : 'succeeded') : `disputed_${decided}`
          expect(await statusOf(id)).toBe(expected)
          const steps = news.length === 0 ? [] : ['pending', ...(decided === undefined ? [] : [decided])]
          expect((await entriesOf(person)).slice(before)).toEqual(steps)
        },
      ),
      { numRuns: 25 },
    )
  })

  test('a dispute that is won and lost at the same time has one of the two results', async () => {
    const person = await money.person()
    const id = await pay(person)
    await Promise.all(Array.from({ length: 10 }, (_, at) => dispute(id, at % 2 === 0 ? 'won' : 'lost')))
    const entries = await entriesOf(person)
    expect(entries).toHaveLength(2)
    expect(await statusOf(id)).toBe(`disputed_${entries[1]}`)
  })

  test('disputes about a payment that is not ours change nothing', async () => {
    expect(await dispute('pi_unknown', 'lost')).toBe(false)
  })
})

describe('GET /wallet/payment-history', () => {
  const history = (person: Person, query: Record<string, string> = {}) =>
    readWalletPaymentHistory.verb(money.wallet(person), readPaymentHistoryEndpoint.query.parse(query)) as Promise<{
      payments: { payment_intent_id: string; status: string }[]
      total_count: number
      has_more: boolean
    }>

  test('the payment history has the person’s own payments, newest first, bounded, with or without disputed ones', async () => {
    const [person, other] = [await money.person(), await money.person()]
    await pay(other)
    const ids: string[] = []
    for (let turn = 0; turn < 3; turn += 1) {
      ids.unshift(await pay(person))
      money.clock.advance(60)
    }
    await dispute(ids[0] ?? '', 'pending')
    const all = await history(person)
    expect(all.payments.map((payment) => payment.payment_intent_id)).toEqual(ids)
    expect(all.payments[0]).toMatchObject({
      status: 'disputed_pending',
      agent_client_id: person.agentId,
      merchant_audience: MERCHANT,
    })
    expect([all.total_count, all.has_more]).toEqual([3, false])
    expect(await history(person, { limit: '2' })).toMatchObject({ total_count: 3, has_more: true })
    expect(
      (await history(person, { include_disputed: 'false' })).payments.map(({ payment_intent_id: id }) => id),
    ).toEqual(ids.slice(1))
    const since = new Date(money.clock.now().getTime() - 121_000).toISOString()
    expect((await history(person, { from_iso: since })).payments).toHaveLength(2)
  })

  test.each([
    { limit: '0' },
    { limit: '101' },
    { limit: '1e1' },
    { include_disputed: 'yes' },
    { from_iso: 'yesterday' },
  ])('the query %j does not pass the contract', (query) => {
    expect(readPaymentHistoryEndpoint.query.safeParse(query).success).toBe(false)
  })
})

describe('the portal', () => {
  const page = (person: Person, filter: PaymentFilter = {}, before: NamedPayment | null = null, limit = 50) =>
    listPayments(money.wallet(person), { filter, before, limit })

  test('the totals of any time are those of the payments of that time', async () => {
    const person = await money.person()
    const times = [
      '2026-11-01T00:00:00.000Z',
      '2026-11-01T23:59:59.999Z',
      '2026-11-02T00:00:00.000Z',
      '2026-11-04T12:00:00.000Z',
    ]
    for (const [at, time] of times.entries()) {
      const id = await pay(person, { amountMinor: 10 ** at, currency: at === 1 ? 'USD' : 'EUR' })
      await money.platform.db.query(sql`UPDATE payments SET processed_at = ${time} WHERE payment_intent_id = ${id}`)
      if (at === 2) await dispute(id, 'pending')
    }
    const instants = [
      ...times,
      '2026-11-01T00:00:00.001Z',
      '2026-11-03T00:00:00.000Z',
      '2026-11-05T00:00:00.000Z',
      undefined,
    ].map((instant) => (instant === undefined ? undefined : new Date(instant)))
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          from: fc.constantFrom(...instants),
          to: fc.constantFrom(...instants),
          status: fc.constantFrom('succeeded' as const, 'disputed_pending' as const, undefined),
        }),
        async (filter) => {
          const { payments, totals } = await page(person, filter)
          const currencies = [...new Set(payments.map(({ currency }) => currency))].toSorted()
          const sums = currencies.map((currency) => {
            const amounts = payments.flatMap((payment) => (payment.currency === currency ? [payment.amountMinor] : []))
            return { currency, count: amounts.length, amountMinor: amounts.reduce((sum, amount) => sum + amount) }
          })
          expect(totals).toEqual(sums)
        },
      ),
      { numRuns: 200 },
    )
  })

  test('the portal filters payments, pages without gaps, and never adds up different currencies', async () => {
    const person = await money.person()
    const second = await money.agent(person.principalId)
    for (const amountMinor of [100, 200, 300]) await pay(person, { amountMinor })
    await pay(person, { amountMinor: 7, currency: 'JPY', agentId: second, merchant: 'https://other.example' })
    const all = await page(person)
    expect(all.totals).toEqual([
      { currency: 'EUR', count: 3, amountMinor: 600 },
      { currency: 'JPY', count: 1, amountMinor: 7 },
    ])
    const seen: string[] = []
    for (let before: NamedPayment | null = null, more = true; more; ) {
      const next: PaymentPage = await page(person, {}, before, 1)
      const [payment] = next.payments
      if (payment === undefined) break
      seen.push(payment.paymentIntentId)
      before = payment
      more = next.hasMore
    }
    expect(seen).toEqual(all.payments.map(({ paymentIntentId }) => paymentIntentId))
    expect((await page(person, { clientId: second })).payments).toMatchObject([{ currency: 'JPY', merchantName: null }])
    expect((await page(person, { merchantAudience: MERCHANT })).payments).toHaveLength(3)
    expect((await page(person, { status: 'disputed_won' })).payments).toEqual([])
  })

  test('the portal finds payments by shop, item and exact or beginning amount', async () => {
    const person = await money.person()
    await pay(person, { amountMinor: 1_200 })
    await pay(person, { amountMinor: 4_510 })
    await pay(person, { amountMinor: 45, currency: 'JPY', merchant: 'https://other.example' })
    const found = async (words: string) =>
      (await page(person, { words })).payments.map(({ amountMinor }) => amountMinor).toSorted((one, two) => one - two)
    expect(await found('TALLOW b')).toEqual([1_200, 4_510])
    expect(await found('other.example')).toEqual([45])
    expect(await found('45')).toEqual([45, 4_510])
    expect(await found('45,1')).toEqual([4_510])
    expect(await found('€45.10')).toEqual([4_510])
    expect(await found('45.10.')).toEqual([])
    expect(await found('%')).toEqual([])
    expect(await found(' ')).toHaveLength(3)
    expect((await page(person, { words: '12.00' })).totals).toEqual([{ currency: 'EUR', count: 1, amountMinor: 1_200 }])
    await pay(person, { amountMinor: 123_450 })
    for (const words of ['1,234.50', '€1,234.5', '1.234,50 €', '1234,50']) expect(await found(words)).toEqual([123_450])
    expect(await found('1,2345')).toEqual([])
    await pay(person, { amountMinor: 1_250, currency: 'JPY', merchant: 'https://other.example' })
    await pay(person, { amountMinor: 1_234_567, currency: 'JPY', merchant: 'https://other.example' })
    await pay(person, { amountMinor: 1_230, currency: 'KWD', merchant: 'https://other.example' })
    for (const words of ['1,250', '¥1,250', '1.250', '1’250']) expect(await found(words)).toEqual([1_250])
    for (const words of ['¥1,234,567', '1.234.567']) expect(await found(words)).toEqual([1_234_567])
    expect(await found('1,234')).toEqual([123_450, 1_234_567])
    expect(await found('1,230')).toEqual([1_230])
    await money.platform.db.query(
      sql`UPDATE mandates SET line_items = '[{"sku":"b-1","qty":1,"title":"Left Hand of Darkness"}]'::jsonb
        WHERE principal_id = ${person.principalId} AND amount_minor = 4510`,
    )
    expect(await found('hand of')).toEqual([4_510])
    expect(await found('title')).toEqual([])
  })

  test('the portal shows one payment with its settlement and receipt, and another person’s is not found', async () => {
    const [person, other] = [await money.person(), await money.person()]
    const id = await pay(person, { amountMinor: 100 })
    const payment = await readPayment(money.wallet(person), { payment_intent_id: id })
    expect(payment).toMatchObject({
      amountMinor: 100,
      merchantName: 'Tallow Books',
      agentName: 'Claude on my laptop',
      card: { brand: 'visa', last4: '4242' },
      consent: null,
    })
    for (const foreign of [id, 'pi_unknown']) {
      await expect(readPayment(money.wallet(other), { payment_intent_id: foreign })).rejects.toMatchObject({
        code: 'not_found',
      })
    }
  })
})
