import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { sql } from '../../base/core/sql'
import { applyDispute } from '../../money/payments'
import { listRequests, readDevelopers } from './developers/read-developers'
import { readHome } from './home/read-home'
import { listBumps } from './limits/list-bumps'
import { readPaymentDetail } from './payments/read-payment'
import { readSpending } from './payments/read-spending'
import { verifyReceipt } from './payments/verify-receipt'

let fixture: MoneyFixture
beforeAll(async () => {
  fixture = await openMoneyFixture()
})
afterAll(() => fixture.close())

interface Purchase {
  readonly amountMinor: number
  readonly currency?: string
  readonly merchant?: string
}

async function pay(person: Person, purchase: Purchase): Promise<string> {
  const answer = await fixture.settle(await fixture.mandate(person, purchase))
  return (JSON.parse(answer.body) as { payment_intent_id: string }).payment_intent_id
}

const dispute = (paymentIntentId: string, status: 'pending' | 'lost') =>
  fixture.platform.db.transaction((tx) =>
    applyDispute(tx, { paymentIntentId, status, platform: fixture.platform, now: fixture.clock.now() }),
  )

describe('spending', () => {
  test('is added up by day and by merchant, each currency for itself, without what came back', async () => {
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

describe("a payment's page", () => {
  test('says what was agreed beside what was charged, and that a receipt was signed', async () => {
    const ada = await fixture.person()
    const id = await pay(ada, { amountMinor: 1_200 })
    const detail = await readPaymentDetail(fixture.wallet(ada), { id })
    expect(detail).toMatchObject({ agreed: { amount_minor: 1_200, currency: 'EUR' }, rule: { method: null } })
    expect(detail.timeline.map(({ what }) => what)).toEqual(['authorised', 'submitted', 'paid', 'receipt'])
  })

  test('verifies the receipt: its signature, and that it is for this payment', async () => {
    const [ada, eve] = [await fixture.person(), await fixture.person()]
    const id = await pay(ada, { amountMinor: 1_200 })
    const other = await pay(ada, { amountMinor: 1_300 })
    const verdict = async () => (await verifyReceipt(fixture.wallet(ada), { id })).verdict
    expect(await verdict()).toBe('valid')
    await fixture.platform.db.query(
      sql`UPDATE payments SET receipt_jws = (SELECT receipt_jws FROM payments WHERE payment_intent_id = ${other})
        WHERE payment_intent_id = ${id}`,
    )
    expect(await verdict()).toBe('other_payment')
    await fixture.platform.db.query(
      sql`UPDATE payments SET receipt_jws = left(receipt_jws, -4) || 'AAAA' WHERE payment_intent_id = ${id}`,
    )
    expect(await verdict()).toBe('invalid')
    await expect(verifyReceipt(fixture.wallet(eve), { id })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('home', () => {
  const alertsOf = async (person: Person) => (await readHome(fixture.wallet(person))).alerts

  test('names an open dispute until it is closed, and only to its person', async () => {
    const [ada, eve] = [await fixture.person(), await fixture.person()]
    const id = await pay(ada, { amountMinor: 1_200 })
    expect(await alertsOf(ada)).toEqual([])
    await dispute(id, 'pending')
    expect(await alertsOf(ada)).toEqual([
      {
        kind: 'dispute',
        payment_intent_id: id,
        amount_minor: 1_200,
        currency: 'EUR',
        merchant_name: 'Tallow Books',
        merchant_audience: 'https://tallow.example',
      },
    ])
    expect(await alertsOf(eve)).toEqual([])
    await dispute(id, 'lost')
    expect(await alertsOf(ada)).toEqual([])
  })

  test.each([
    ['2026-11-30T23:59:59Z', 11, 2026, ['card_expiring']],
    ['2026-12-01T00:00:00Z', 11, 2026, ['card_expired']],
    ['2026-11-21T10:00:00Z', 12, 2026, ['card_expiring']],
    ['2026-11-21T10:00:00Z', 1, 2027, []],
    ['2026-12-04T10:00:00Z', 1, 2027, ['card_expiring']],
  ])('at %s warns of a card that works to the end of %i/%i: %j', async (at, month, year, kinds) => {
    const start = fixture.clock.now()
    const ada = await fixture.person()
    await fixture.platform.db.query(
      sql`UPDATE card_mandates SET exp_month = ${month}, exp_year = ${year} WHERE principal_id = ${ada.principalId}`,
    )
    fixture.clock.set(new Date(at))
    expect((await alertsOf(ada)).map(({ kind }) => kind)).toEqual(kinds)
    fixture.clock.set(start)
  })

  test('counts the requests to go over a limit, which are listed with the name of the merchant', async () => {
    const ada = await fixture.person()
    const now = fixture.clock.now()
    await fixture.platform.db.query(
      sql`INSERT INTO limit_bumps (id, principal_id, agent_client_id, merchant_audience, kind, day, currency, current_minor,
                                requested_minor, created_at, expires_at)
       VALUES ('bump-1', ${ada.principalId}, ${ada.agentId}, 'https://tallow.example', 'daily_cap', ${now.toISOString().slice(0, 10)}::date, 'EUR', 100, 200, ${now}, ${new Date(now.getTime() + 60_000)})`,
    )
    expect(await alertsOf(ada)).toEqual([{ kind: 'limit_requests', count: 1 }])
    expect(await listBumps(fixture.wallet(ada))).toMatchObject({
      limit_bumps: [{ id: 'bump-1', merchant_audience: 'https://tallow.example', merchant_name: 'Tallow Books' }],
    })
  })
})

describe('the page for developers', () => {
  test('shows what can be tried in the sandbox, and nothing of it outside', async () => {
    const ada = await fixture.person()
    const inSandbox = await readDevelopers(fixture.wallet(ada))
    expect(inSandbox.endpoints.map(({ url }) => url)).toContain(
      `${fixture.platform.config.baseUrl}/.well-known/oauth-authorization-server`,
    )
    expect(inSandbox.sandbox?.merchants.map(({ name }) => name)).toContain('Tallow Books')
    expect(inSandbox.sandbox?.amounts).toContainEqual({ amount_minor: 402_001, behaviour: 'generic_decline' })
    expect(inSandbox.sandbox?.cards).not.toEqual([])
    const live = { ...fixture.platform, config: { ...fixture.platform.config, sandbox: false } }
    expect((await readDevelopers(fixture.wallet(ada, live))).sandbox).toBeNull()
    expect(await listRequests(fixture.wallet(ada, live))).toEqual({ kept: false, requests: [] })
  })
})
