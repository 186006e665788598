import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertBump, insertConsent } from '@/test/support/browser'
import { type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { sql } from '../../../base/core/sql'
import { applyDispute } from '../../../money/payments'
import { saveLimits } from '../../../wallet/limits'
import { listBumps } from '../limits/list-bumps'
import { readHome } from './read-home'

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

  test('E35 lists what met a limit with the names of merchant and agent, and not what an approval exceeds', async () => {
    const ada = await fixture.person()
    const id = await insertBump(fixture.platform, ada)
    await insertBump(fixture.platform, ada, await insertConsent(fixture.platform, ada))
    expect(await alertsOf(ada)).toEqual([])
    expect(await listBumps(fixture.wallet(ada))).toMatchObject({
      limit_bumps: [{ id, amount_minor: 1_200, merchant_name: 'Tallow Books', agent_label: 'Claude on my laptop' }],
    })
  })

  test('says of each request whether its shop is verified', async () => {
    const ada = await fixture.person()
    const known = await insertConsent(fixture.platform, ada)
    const unknown = await insertConsent(fixture.platform, ada)
    await fixture.platform.db.query(
      sql`UPDATE consents SET merchant_audience = 'https://tallow.example.other' WHERE authorization_id = ${unknown}`,
    )
    const { pending } = await readHome(fixture.wallet(ada))
    const verified = pending.map((consent) => [consent.authorization_id, consent.merchant_verified])
    expect(Object.fromEntries(verified)).toEqual({ [known]: true, [unknown]: false })
  })

  test('says what was spent this week and month where these are limited, and how many agents are paused', async () => {
    const ada = await fixture.person()
    const home = () => readHome(fixture.wallet(ada))
    await pay(ada, { amountMinor: 1_200 })
    expect(await home()).toMatchObject({ longer_spend: [], agents: 1, paused_agents: 0 })
    const limits = { weekly_cap_minor: 10_000, monthly_cap_minor: 30_000, currency: 'EUR' }
    await saveLimits.verb(fixture.wallet(ada), limits)
    await fixture.platform.db.query(
      sql`UPDATE clients SET paused_at = ${fixture.clock.now()} WHERE id = ${ada.agentId}`,
    )
    expect(await home()).toMatchObject({
      longer_spend: [
        { period: 'week', currency: 'EUR', used_minor: 1_200, cap_minor: 10_000 },
        { period: 'month', currency: 'EUR', used_minor: 1_200, cap_minor: 30_000 },
      ],
      agents: 1,
      paused_agents: 1,
    })
  })
})
