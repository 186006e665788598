import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MERCHANT, type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { sql } from '../../../base/core/sql'
import { applyDispute } from '../../../money/payments'
import { readAgentDetail } from '../agents/read-agents'
import { readSpendingProcedure } from './contract'
import { listParties } from './list-parties'
import { readSpending } from './read-spending'
import { searchPayments } from './search-payments'
import type { SpendingBar } from './view'

let fixture: MoneyFixture
beforeAll(async () => {
  fixture = await openMoneyFixture()
})
afterAll(() => fixture.close())

async function pay(person: Person, purchase: Parameters<MoneyFixture['mandate']>[1]): Promise<string> {
  const answer = await fixture.settle(await fixture.mandate(person, purchase))
  return (JSON.parse(answer.body) as { payment_intent_id: string }).payment_intent_id
}

const dispute = (paymentIntentId: string, status: 'pending' | 'lost') =>
  fixture.platform.db.transaction((tx) =>
    applyDispute(tx, { paymentIntentId, status, platform: fixture.platform, now: fixture.clock.now() }),
  )

const spendingOf = (person: Person, period: string, per: 'day' | 'merchant' | 'agent' = 'day') =>
  readSpending(fixture.wallet(person), readSpendingProcedure.input.parse({ period, per }))

async function liveIn(person: Person, timeZone: string): Promise<void> {
  await fixture.platform.db.query(
    sql`INSERT INTO wallet_limits (principal_id, time_zone, updated_at) VALUES (${person.principalId}, ${timeZone}, ${fixture.clock.now()})`,
  )
}

const paidBars = (bars: readonly SpendingBar[] = []) =>
  bars.filter(({ count }) => count > 0).map(({ key, amount_minor: minor, count }) => [key, minor, count])

beforeEach(() => fixture.clock.set(new Date('2026-11-21T10:00:00Z')))

describe('spending', () => {
  test('spending is added up by day and currency, without lost disputes, beside the same days before', async () => {
    const [ada, eve] = [await fixture.person(), await fixture.person()]
    fixture.clock.set(new Date('2026-10-23T10:00:00Z'))
    await pay(ada, { amountMinor: 7_777 })
    fixture.clock.set(new Date('2026-10-22T10:00:00Z'))
    await pay(ada, { amountMinor: 150 })
    fixture.clock.set(new Date('2026-11-21T10:00:00Z'))
    await pay(ada, { amountMinor: 100 })
    fixture.clock.advance(86_400)
    await pay(ada, { amountMinor: 250 })
    await pay(ada, { amountMinor: 50 })
    await pay(ada, { amountMinor: 700, currency: 'JPY' })
    await dispute(await pay(ada, { amountMinor: 9_900 }), 'lost')
    await pay(eve, { amountMinor: 5 })
    const { currencies, ...rest } = await spendingOf(ada, 'this_month')
    expect(rest).toEqual({
      time_zone: 'UTC',
      days: { from: '2026-11-01', to: '2026-11-22' },
      before: { from: '2026-10-01', to: '2026-10-22' },
      per: 'day',
    })
    expect(currencies.map(({ bars: _bars, ...totals }) => totals)).toEqual([
      { currency: 'EUR', amount_minor: '400', count: 3, before_minor: '150' },
      { currency: 'JPY', amount_minor: '700', count: 1, before_minor: '0' },
    ])
    expect(currencies[0]?.bars).toHaveLength(22)
    expect(paidBars(currencies[0]?.bars)).toEqual([
      ['2026-11-21', '100', 1],
      ['2026-11-22', '300', 2],
    ])
    const { spent_this_month, spent_by_merchant } = await readAgentDetail(fixture.wallet(ada), {
      client_id: ada.agentId,
    })
    expect(spent_this_month).toContainEqual({ currency: 'EUR', amount_minor: 400 })
    expect(spent_by_merchant).toContainEqual(
      expect.objectContaining({ currency: 'EUR', amount_minor: 400, payments: 3 }),
    )
  })

  test('spending is grouped by the days of the person’s time zone, also where clocks change', async () => {
    const ada = await fixture.person()
    await liveIn(ada, 'Europe/Vienna')
    // 25 October has 25 hours in Vienna: from 22:00 UTC of the day before until 23:00 UTC.
    for (const [at, amountMinor] of [
      ['2026-10-24T21:59:59Z', 1],
      ['2026-10-24T22:00:00Z', 10],
      ['2026-10-25T22:59:59Z', 100],
      ['2026-10-25T23:00:00Z', 1_000],
    ] as const) {
      fixture.clock.set(new Date(at))
      await pay(ada, { amountMinor })
    }
    const { currencies, time_zone } = await spendingOf(ada, '2026-10-24..2026-10-26')
    expect(time_zone).toBe('Europe/Vienna')
    expect(paidBars(currencies[0]?.bars)).toEqual([
      ['2026-10-24', '1', 1],
      ['2026-10-25', '110', 2],
      ['2026-10-26', '1000', 1],
    ])
    const page = await searchPayments(fixture.wallet(ada), { from: '2026-10-25', to: '2026-10-25' })
    expect(page.totals).toEqual([{ currency: 'EUR', count: 2, amount_minor: 110 }])
  })

  test('spending of twelve months has a bar for each month', async () => {
    const ada = await fixture.person()
    await pay(ada, { amountMinor: 100 })
    const { per, currencies } = await spendingOf(ada, 'last_12_months')
    expect(per).toBe('month')
    expect(currencies[0]?.bars.map(({ key }) => key)).toEqual([
      '2025-12-01',
      ...Array.from({ length: 11 }, (_, at) => `2026-${String(at + 1).padStart(2, '0')}-01`),
    ])
    expect(paidBars(currencies[0]?.bars)).toEqual([['2026-11-01', '100', 1]])
  })

  test('spending by merchant names eight of a currency, and the rest in one line', async () => {
    const ada = await fixture.person()
    for (let at = 1; at <= 10; at += 1)
      await pay(ada, { amountMinor: at * 100, merchant: `https://shop-${at}.example` })
    await pay(ada, { amountMinor: 5_000 })
    const [euro] = (await spendingOf(ada, 'this_week', 'merchant')).currencies
    expect(euro?.bars.map(({ key, name, amount_minor: minor }) => [key, name, minor])).toEqual([
      ['https://tallow.example', 'Tallow Books', '5000'],
      ...[10, 9, 8, 7, 6, 5, 4].map((at) => [`https://shop-${at}.example`, null, String(at * 100)]),
      [null, null, '600'],
    ])
  })

  test('spending is added up by agent', async () => {
    const ada = await fixture.person()
    const second = await fixture.agent(ada.principalId)
    await pay(ada, { amountMinor: 100 })
    await pay(ada, { amountMinor: 300, agentId: second })
    const [euro] = (await spendingOf(ada, 'this_week', 'agent')).currencies
    expect(euro?.bars).toEqual([
      { key: second, name: 'Claude on my laptop', amount_minor: '300', count: 1 },
      { key: ada.agentId, name: 'Claude on my laptop', amount_minor: '100', count: 1 },
    ])
  })

  test('a sum stays exact beyond what a number holds', async () => {
    const ada = await fixture.person()
    const id = await pay(ada, { amountMinor: 1 })
    const { db } = fixture.platform
    await db.query(sql`UPDATE payments SET amount_minor = 9007199254740991 WHERE payment_intent_id = ${id}`)
    await pay(ada, { amountMinor: 2 })
    expect((await spendingOf(ada, 'this_month')).currencies[0]?.amount_minor).toBe('9007199254740993')
    expect((await spendingOf(ada, 'this_month', 'merchant')).currencies[0]?.bars[0]?.amount_minor).toBe(
      '9007199254740993',
    )
  })
})

describe('the parties of payments', () => {
  test('the parties of payments are the person’s agents that have paid and merchants that were paid', async () => {
    const [ada, eve] = [await fixture.person(), await fixture.person()]
    await fixture.agent(ada.principalId)
    const second = await fixture.agent(ada.principalId)
    await pay(eve, { merchant: 'https://eve.example' })
    expect(await listParties(fixture.wallet(ada))).toEqual({ agents: [], merchants: [], time_zone: 'UTC' })
    await pay(ada, {})
    await pay(ada, { agentId: second, merchant: 'https://a.example' })
    await pay(ada, { agentId: second })
    const { agents, merchants } = await listParties(fixture.wallet(ada))
    expect(agents.map(({ client_id: id }) => id).toSorted()).toEqual([ada.agentId, second].toSorted())
    expect(merchants).toEqual([
      { merchant_audience: 'https://a.example', merchant_name: null },
      { merchant_audience: MERCHANT, merchant_name: 'Tallow Books' },
    ])
  })
})
