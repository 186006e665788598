import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MERCHANT, type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { sql } from '../../base/core/sql'
import { approveBump, declineBump, judge, openBump, readJudged, readLimits, saveLimits } from '.'
import { saveLimitsBody, saveLimitsEndpoint } from './contract'

let money: MoneyFixture
let person: Person
beforeAll(async () => {
  money = await openMoneyFixture()
  person = await money.person()
})
afterAll(() => money.close())

/** What the interface answers. */
const save = async (body: Record<string, unknown>) =>
  saveLimitsEndpoint.output.parse(await saveLimits.verb(money.wallet(person), saveLimitsBody.parse(body)))

describe('POST /wallet/limits', () => {
  test('GET /wallet/limits answers null until limits are saved', async () => {
    expect(await readLimits.verb(money.wallet(await money.person()))).toBeNull()
  })

  test('saving replaces the limits as a whole, and the same payload again only moves updated_at', async () => {
    const body = { daily_cap_minor: 5_000, currency: 'EUR', velocity_count: 3, velocity_window_seconds: 3_600 }
    const row = { single_txn_cap_minor: null, ...body }
    expect(await save(body)).toEqual({ ...row, updated_at: money.clock.now().toISOString() })
    money.clock.advance(1)
    expect(await save(body)).toEqual({ ...row, updated_at: money.clock.now().toISOString() })
    expect(await save({ single_txn_cap_minor: 10, currency: 'EUR' })).toMatchObject({
      daily_cap_minor: null,
      velocity_count: null,
    })
    expect(await readLimits.verb(money.wallet(person))).toMatchObject({
      single_txn_cap_minor: 10,
      daily_cap_minor: null,
    })
    expect(await money.count('wallet_limits', sql`principal_id = ${person.principalId}`)).toBe(1)
  })

  test.each([
    [{ daily_cap_minor: -1, currency: 'EUR' }, 'daily_cap_minor', 'greater_than_equal'],
    [{ single_txn_cap_minor: -5, currency: 'EUR' }, 'single_txn_cap_minor', 'greater_than_equal'],
    [{ daily_cap_minor: 2 ** 52, currency: 'EUR' }, 'daily_cap_minor', 'less_than_equal'],
    [{ velocity_count: -1, velocity_window_seconds: 60 }, 'velocity_count', 'greater_than_equal'],
    [{ velocity_count: 1, velocity_window_seconds: 0 }, 'velocity_window_seconds', 'greater_than_equal'],
    [{ velocity_count: 1, velocity_window_seconds: 2_678_401 }, 'velocity_window_seconds', 'less_than_equal'],
    [{ velocity_count: 1 }, 'velocity_window_seconds', 'value_error'],
    [{ velocity_window_seconds: 60 }, 'velocity_count', 'value_error'],
    [{ daily_cap_minor: 1 }, 'currency', 'value_error'],
  ])('the limits %j are refused with the 422 of the interface', async (body, field, type) => {
    await expect(save(body)).rejects.toMatchObject({
      issues: [{ loc: ['body', field], type, msg: expect.any(String) }],
    })
  })

  test.each([
    [{ daily_cap_minor: 1.5 }],
    [{ daily_cap_minor: 2 ** 53 }],
    [{ daily_cap_minor: '1' }],
    [{ currency: 'eur' }],
    [{ currency: 'XXX' }],
    [{ weekly_cap_minor: 1 }],
  ])('the body %j does not pass the contract', (body) => {
    expect(saveLimitsBody.safeParse(body).success).toBe(false)
  })
})

describe('a bump that a consent names', () => {
  const judged = async (payment: Parameters<typeof readJudged>[1]) =>
    judge(await readJudged(money.platform.db, payment), { amountMinor: 150, currency: 'EUR' })
  const ask = async () => {
    const agentClientId = await money.agent(person.principalId)
    await save({ single_txn_cap_minor: 100, currency: 'EUR' })
    const payment = {
      principalId: person.principalId,
      agentClientId,
      merchantAudience: MERCHANT,
      currency: 'EUR',
      now: money.clock.now(),
    }
    const judgement = await judged(payment)
    if (judgement.outcome !== 'exceeded') throw new Error('the payment fits')
    return { payment, exceeded: judgement }
  }
  const call = () => ({ platform: money.platform, now: money.clock.now() })
  const open = (asked: Awaited<ReturnType<typeof ask>>) =>
    money.platform.db.transaction((tx) =>
      openBump(tx, call(), { ...asked.payment, exceeded: asked.exceeded, mandateId: null }),
    )

  test('a consent names the same bump for the same excess, and a bump of its own for another', async () => {
    const asked = await ask()
    const [one, two] = await Promise.all([open(asked), open(asked)])
    expect(one).toBe(two)
    expect(await open({ ...asked, exceeded: { ...asked.exceeded, requested: 160 } })).not.toBe(one)
  })

  test('the next early check sees a bump that was approved', async () => {
    const asked = await ask()
    const id = await open(asked)
    await money.platform.db.transaction((tx) =>
      approveBump(tx, call(), { id, principalId: person.principalId, consentId: 'one' }),
    )
    expect(await judged(asked.payment)).toMatchObject({ outcome: 'within', grants: [{ bumpId: id }] })
  })

  test('a second consent over the same bump brings a grant of its own, whatever became of the first', async () => {
    const asked = await ask()
    const id = await open(asked)
    const named = (consentId: string) => ({ id, principalId: person.principalId, consentId })
    await money.platform.db.transaction((tx) => approveBump(tx, call(), named('one')))
    await money.platform.db.transaction((tx) => declineBump(tx, call(), named('two')))
    await money.platform.db.transaction((tx) => approveBump(tx, call(), named('three')))
    const granted = sql`agent_client_id = ${asked.payment.agentClientId} AND status = 'approved'`
    expect(await money.count('limit_bumps', granted)).toBe(2)
  })

  test('another person cannot approve the bump', async () => {
    const asked = await ask()
    const id = await open(asked)
    const stranger = await money.person()
    await money.platform.db.transaction((tx) =>
      approveBump(tx, call(), { id, principalId: stranger.principalId, consentId: 'one' }),
    )
    expect(
      await money.count('limit_bumps', sql`agent_client_id = ${asked.payment.agentClientId} AND status = 'approved'`),
    ).toBe(0)
  })
})
