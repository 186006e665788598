import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { applyDispute } from '../../../money/payments'
import { readAgentDetail } from '../agents/read-agents'
import { readSpending } from './read-spending'

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

describe('spending', () => {
  test('is added up by day and by merchant, each currency for itself, without lost disputes', async () => {
    const [ada, eve] = [await fixture.person(), await fixture.person()]
    const start = fixture.clock.now()
    await pay(ada, { amountMinor: 100 })
    fixture.clock.advance(86_400)
    await pay(ada, { amountMinor: 250 })
    await pay(ada, { amountMinor: 50 })
    await pay(ada, { amountMinor: 700, currency: 'JPY' })
    await dispute(await pay(ada, { amountMinor: 9_900 }), 'lost')
    await pay(eve, { amountMinor: 5 })
    const { from, to, currencies } = await readSpending(fixture.wallet(ada))
    expect([from, to]).toEqual(['2026-10-24', '2026-11-22'])
    expect(currencies.map(({ currency, amount_minor, count }) => [currency, amount_minor, count])).toEqual([
      ['EUR', 400, 3],
      ['JPY', 700, 1],
    ])
    const { spent_this_month, spent_by_merchant } = await readAgentDetail(fixture.wallet(ada), {
      client_id: ada.agentId,
    })
    expect(spent_this_month).toContainEqual({ currency: 'EUR', amount_minor: 400 })
    expect(spent_by_merchant).toContainEqual(
      expect.objectContaining({ currency: 'EUR', amount_minor: 400, payments: 3 }),
    )
    const [euro] = currencies
    expect(euro?.days).toHaveLength(30)
    expect(euro?.days.filter(({ count }) => count > 0)).toEqual([
      { day: '2026-11-21', amount_minor: 100, count: 1 },
      { day: '2026-11-22', amount_minor: 300, count: 2 },
    ])
    expect(euro?.merchants).toEqual([
      { merchant_audience: 'https://tallow.example', merchant_name: 'Tallow Books', amount_minor: 400, count: 3 },
    ])
    fixture.clock.advance(29 * 86_400)
    expect((await readSpending(fixture.wallet(ada))).currencies[0]?.amount_minor).toBe(300)
    fixture.clock.advance(86_400)
    expect((await readSpending(fixture.wallet(ada))).currencies).toEqual([])
    fixture.clock.set(start)
  })

  test('names eight merchants of a currency, and the rest in one line', async () => {
    const ada = await fixture.person()
    for (let at = 1; at <= 10; at += 1)
      await pay(ada, { amountMinor: at * 100, merchant: `https://shop-${at}.example` })
    const [euro] = (await readSpending(fixture.wallet(ada))).currencies
    expect(euro?.merchants.map(({ merchant_audience: at, amount_minor }) => [at, amount_minor])).toEqual([
      ...[10, 9, 8, 7, 6, 5, 4, 3].map((at) => [`https://shop-${at}.example`, at * 100]),
      [null, 300],
    ])
  })
})
