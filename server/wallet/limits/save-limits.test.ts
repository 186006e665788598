import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { sql } from '../../base/core/sql'
import { readLimits, saveLimits } from '.'
import { saveLimitsBody, saveLimitsEndpoint } from './contract'

let money: MoneyFixture
let person: Person
beforeAll(async () => {
  money = await openMoneyFixture()
  person = await money.person()
})
afterAll(() => money.close())

/** Saves limits and returns the parsed response. */
const save = async (body: Record<string, unknown>) =>
  saveLimitsEndpoint.output.parse(await saveLimits.verb(money.wallet(person), saveLimitsBody.parse(body)))

describe('POST /wallet/limits', () => {
  test('GET /wallet/limits answers null until limits are saved', async () => {
    expect(await readLimits.verb(money.wallet(await money.person()))).toBeNull()
  })

  test('saving replaces the limits as a whole, and the same payload again only moves updated_at', async () => {
    const body = { daily_cap_minor: 5_000, currency: 'EUR', velocity_count: 3, velocity_window_seconds: 3_600 }
    const row = {
      single_txn_cap_minor: null,
      weekly_cap_minor: null,
      monthly_cap_minor: null,
      time_zone: 'UTC',
      ...body,
    }
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

  test('limits per week and month and the time zone stay when they are left out, and null takes them away', async () => {
    const body = { weekly_cap_minor: 9_000, monthly_cap_minor: 20_000, currency: 'EUR', time_zone: 'Europe/Berlin' }
    expect(await save(body)).toMatchObject(body)
    expect(await save({ daily_cap_minor: 5_000, currency: 'EUR' })).toMatchObject({ ...body, daily_cap_minor: 5_000 })
    expect(await save({ weekly_cap_minor: null, currency: 'EUR' })).toMatchObject({ ...body, weekly_cap_minor: null })
    const removed = { weekly_cap_minor: null, monthly_cap_minor: null, time_zone: null }
    expect(await save(removed)).toMatchObject({ ...removed, time_zone: 'UTC', currency: null })
  })

  test('a limit per week that another currency would change has to be sent again', async () => {
    const call = money.wallet(await money.person())
    await saveLimits.verb(call, { weekly_cap_minor: 9_000, currency: 'EUR' })
    await expect(saveLimits.verb(call, { daily_cap_minor: 5_000, currency: 'USD' })).rejects.toMatchObject({
      issues: [{ loc: ['body', 'weekly_cap_minor'], type: 'value_error' }],
    })
    expect(await readLimits.verb(call)).toMatchObject({ weekly_cap_minor: 9_000, currency: 'EUR' })
  })

  test.each([
    [{ daily_cap_minor: 5_000 }, { daily_cap_minor: 5_000, currency: 'EUR' }],
    [
      { weekly_cap_minor: 5_000, currency: null },
      { weekly_cap_minor: 5_000, currency: 'EUR' },
    ],
    [{ currency: 'USD' }, { currency: 'USD' }],
    [{ velocity_count: 2 }, { velocity_count: 2, velocity_window_seconds: 3_600 }],
    [{ velocity_window_seconds: 60 }, { velocity_count: null, velocity_window_seconds: 60 }],
    [{}, {}],
  ])('every member is optional: of somebody without limits %j makes %j', async (body, changed) => {
    const call = money.wallet(await money.person())
    const none = {
      daily_cap_minor: null,
      weekly_cap_minor: null,
      monthly_cap_minor: null,
      single_txn_cap_minor: null,
      currency: null,
      velocity_count: null,
      velocity_window_seconds: null,
      time_zone: 'UTC',
    }
    const updated_at = money.clock.now().toISOString()
    expect(saveLimitsEndpoint.output.parse(await saveLimits.verb(call, saveLimitsBody.parse(body)))).toEqual({
      ...none,
      ...changed,
      updated_at,
    })
  })

  test('a cap without a currency is in that of the limits before, and a count without a window in theirs', async () => {
    const call = money.wallet(await money.person())
    const before = { weekly_cap_minor: 9_000, currency: 'USD', velocity_count: 5, velocity_window_seconds: 60 }
    await saveLimits.verb(call, before)
    const after = await saveLimits.verb(call, { daily_cap_minor: 100, velocity_count: 2 })
    expect(after).toMatchObject({ ...before, daily_cap_minor: 100, velocity_count: 2 })
    expect(await saveLimits.verb(call, {})).toMatchObject({
      weekly_cap_minor: 9_000,
      currency: 'USD',
      daily_cap_minor: null,
      velocity_count: null,
    })
  })

  test.each([
    [{ daily_cap_minor: -1, currency: 'EUR' }, 'daily_cap_minor', 'greater_than_equal'],
    [{ single_txn_cap_minor: -5, currency: 'EUR' }, 'single_txn_cap_minor', 'greater_than_equal'],
    [{ daily_cap_minor: 2 ** 52, currency: 'EUR' }, 'daily_cap_minor', 'less_than_equal'],
    [{ velocity_count: -1, velocity_window_seconds: 60 }, 'velocity_count', 'greater_than_equal'],
    [{ velocity_count: 1, velocity_window_seconds: 0 }, 'velocity_window_seconds', 'greater_than_equal'],
    [{ velocity_count: 1, velocity_window_seconds: 2_678_401 }, 'velocity_window_seconds', 'less_than_equal'],
    [{ weekly_cap_minor: -1, currency: 'EUR' }, 'weekly_cap_minor', 'greater_than_equal'],
    [{ monthly_cap_minor: 2 ** 52, currency: 'EUR' }, 'monthly_cap_minor', 'less_than_equal'],
    [{ time_zone: 'Europe/Atlantis' }, 'time_zone', 'value_error'],
    [{ time_zone: '+02:00' }, 'time_zone', 'value_error'],
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
    [{ yearly_cap_minor: 1 }],
    [{ weekly_cap_minor: '1' }],
    [{ monthly_cap_minor: 0.5 }],
    [{ time_zone: '' }],
    [{ time_zone: 'x'.repeat(65) }],
    [{ time_zone: 1 }],
  ])('the body %j does not pass the contract', (body) => {
    expect(saveLimitsBody.safeParse(body).success).toBe(false)
  })
})
