import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { addPasskey } from '@/test/support/passkey-holder'
import type { WalletCall } from '../../base/core/call'
import { sql } from '../../base/core/sql'
import { FRESH_SESSION_SECONDS } from '../../identity/passkeys/contract'
import {
  listLimitChanges,
  listUsedCurrencies,
  readLimits,
  readSavedLimits,
  removeCurrency,
  saveCurrency,
  saveLimits,
  undoLowering,
} from './index'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

const NONE = { daily_cap_minor: null, weekly_cap_minor: null, monthly_cap_minor: null, single_txn_cap_minor: null }
const EUR = { currency: 'EUR', daily_cap_minor: 5_000, velocity_count: 9, velocity_window_seconds: 60 }
const usd = (daily: number | null, more: object = {}) => ({ ...NONE, daily_cap_minor: daily, ...more, currency: 'USD' })
const conflict = { code: 'conflict', status: 409 }

function oldSession(person: Person): WalletCall {
  const call = money.wallet(person)
  const authenticatedAt = new Date(call.now.getTime() - FRESH_SESSION_SECONDS * 1000)
  return { ...call, actor: { ...call.actor, session: { id: 'old', method: 'magic_link', authenticatedAt } } }
}

const stored = (person: Person) => readSavedLimits(money.wallet(person))

/** Creates a person with limits in euros and dollars. */
async function withTwo(): Promise<Person> {
  const person = await money.person()
  await saveLimits.verb(money.wallet(person), EUR)
  await saveCurrency(money.wallet(person), usd(2_000))
  return person
}

describe('limits in several currencies', () => {
  test('a further currency stands beside the first, and the interface goes on saying the first alone', async () => {
    const person = await withTwo()
    expect(await stored(person)).toMatchObject({
      ...EUR,
      other_currencies: { USD: { ...NONE, daily_cap_minor: 2_000 } },
    })
    const overHttp = await readLimits.verb(money.wallet(person))
    expect(overHttp).toMatchObject(EUR)
    expect(overHttp).not.toHaveProperty('other_currencies')
    expect(await listUsedCurrencies(money.platform.db, person.principalId)).toEqual(['EUR', 'USD'])
  })

  test('a save of the row leaves the other currencies, until it is in one of them', async () => {
    const person = await withTwo()
    await saveCurrency(money.wallet(person), { ...NONE, currency: 'GBP', weekly_cap_minor: 7 })
    const gbp = { ...NONE, weekly_cap_minor: 7 }
    const saved = await saveLimits.verb(money.wallet(person), { ...EUR, daily_cap_minor: 1 })
    expect(saved).not.toHaveProperty('other_currencies')
    expect(await stored(person)).toMatchObject({ other_currencies: { GBP: gbp, USD: { daily_cap_minor: 2_000 } } })
    await saveLimits.verb(money.wallet(person), {})
    expect(await stored(person)).toMatchObject({ ...NONE, other_currencies: { GBP: gbp } })
    await saveLimits.verb(money.wallet(person), { currency: 'USD', daily_cap_minor: 1 })
    expect(await stored(person)).toMatchObject({ currency: 'USD', other_currencies: { GBP: gbp } })
    expect((await stored(person))?.other_currencies).not.toHaveProperty('USD')
  })

  test('a limit per week of another currency stays when the row is saved in it without one', async () => {
    const person = await withTwo()
    await saveCurrency(money.wallet(person), usd(2_000, { weekly_cap_minor: 3_000 }))
    await saveLimits.verb(money.wallet(person), { currency: 'USD', daily_cap_minor: 1 })
    expect(await stored(person)).toMatchObject({ currency: 'USD', daily_cap_minor: 1, weekly_cap_minor: 3_000 })
  })

  test('a person without limits starts with the one that they set, at once', async () => {
    const person = await money.person()
    await saveCurrency(oldSession(person), usd(2_000))
    expect(await stored(person)).toMatchObject({ currency: 'USD', daily_cap_minor: 2_000, time_zone: 'UTC' })
  })

  test('no limit at all, and one that is out of range, are refused', async () => {
    const call = money.wallet(await withTwo())
    for (const wrong of [usd(null), usd(-1), usd(Number.MAX_SAFE_INTEGER)]) {
      await expect(saveCurrency(call, wrong)).rejects.toMatchObject({ issues: [{ loc: ['body', 'daily_cap_minor'] }] })
    }
  })
})

describe('which changes are confirmed', () => {
  test('a further currency and more of it are, less of it is not', async () => {
    const person = await money.person()
    await saveLimits.verb(money.wallet(person), EUR)
    const old = oldSession(person)
    const stepUp = { code: 'step_up_required', status: 403 }
    await expect(saveCurrency(old, usd(2_000))).rejects.toMatchObject(stepUp)
    await saveCurrency(money.wallet(person), usd(2_000))
    await expect(saveCurrency(old, usd(2_001))).rejects.toMatchObject(stepUp)
    await saveCurrency(old, usd(1_999))
    expect((await stored(person))?.other_currencies).toMatchObject({ USD: { daily_cap_minor: 1_999 } })
  })

  test('the passkey signs the limits of all currencies', async () => {
    const person = await money.person()
    await saveLimits.verb(money.wallet(person), EUR)
    const call = money.wallet(person)
    const passkey = await addPasskey(call)
    const { updated_at: _, ...row } = (await stored(person)) ?? {}
    const subject = (daily: number) => ({
      client_id: null,
      limits: { ...row, other_currencies: { USD: { ...NONE, daily_cap_minor: daily } } },
    })
    const other = await passkey.confirm(call, { purpose: 'limits.raise', subject: subject(1_999) })
    await expect(saveCurrency(call, { ...usd(2_000), proof: other })).rejects.toMatchObject({ status: 403 })
    const proof = await passkey.confirm(call, { purpose: 'limits.raise', subject: subject(2_000) })
    await saveCurrency(call, { ...usd(2_000), proof })
    expect((await stored(person))?.other_currencies).toMatchObject({ USD: { daily_cap_minor: 2_000 } })
  })

  test('removing one of several takes any session, and the last one stays', async () => {
    const person = await withTwo()
    await expect(removeCurrency(oldSession(person), { currency: 'GBP' })).rejects.toMatchObject({ status: 404 })
    await removeCurrency(oldSession(person), { currency: 'EUR' })
    expect(await stored(person)).toMatchObject({ ...EUR, ...usd(2_000) })
    expect(await stored(person)).not.toHaveProperty('other_currencies')
    await expect(removeCurrency(oldSession(person), { currency: 'USD' })).rejects.toMatchObject(conflict)
  })

  test('of two removals at once one leaves a currency', async () => {
    const person = await withTwo()
    const both = ['EUR', 'USD'].map((currency) => removeCurrency(money.wallet(person), { currency }))
    const results = await Promise.allSettled(both)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await stored(person))?.daily_cap_minor).not.toBeNull()
  })
})

describe('the history of limits in several currencies', () => {
  test('a removal and a lowering of another currency are undone as they were', async () => {
    const person = await withTwo()
    const before = await stored(person)
    for (const lower of [
      () => removeCurrency(money.wallet(person), { currency: 'EUR' }),
      () => saveCurrency(money.wallet(person), usd(1)),
    ]) {
      const { undo } = await lower()
      await undoLowering(money.wallet(person), { change_id: String(undo) })
      expect({ ...(await stored(person)), updated_at: before?.updated_at }).toEqual(before)
    }
  })

  test('an undo is refused once another currency has changed', async () => {
    const person = await withTwo()
    const { undo } = await saveCurrency(money.wallet(person), usd(1))
    await saveLimits.verb(money.wallet(person), { ...EUR, daily_cap_minor: 1 })
    await expect(undoLowering(money.wallet(person), { change_id: String(undo) })).rejects.toMatchObject(conflict)
  })

  test('the changes and the audit chain name the currency', async () => {
    const person = await withTwo()
    const [last] = await listLimitChanges(money.platform.db, { principalId: person.principalId, clientId: null }, 1)
    expect(last?.before?.others).toEqual({})
    expect(last?.after?.others).toMatchObject({ USD: { dailyCapMinor: 2_000 } })
    const [entry] = await money.platform.db.query<{ payload: string }>(
      sql`SELECT payload FROM audit_entries WHERE event = 'oid4ac.limits.changed' ORDER BY seq DESC LIMIT 1`,
    )
    expect(JSON.parse(entry?.payload ?? '')).toMatchObject({
      what: 'limits_raised',
      to: { other_currencies: { USD: usdCaps(2_000) } },
    })
  })

  test('another time zone carries the running week also where another currency alone counts in weeks', async () => {
    const person = await withTwo()
    await saveCurrency(money.wallet(person), usd(2_000, { weekly_cap_minor: 9 }))
    await expect(saveLimits.verb(oldSession(person), { ...EUR, time_zone: 'Asia/Tokyo' })).rejects.toMatchObject({
      status: 403,
    })
    await saveLimits.verb(money.wallet(person), { ...EUR, time_zone: 'Asia/Tokyo' })
    const [row] = await money.platform.db.query<{ carried: boolean }>(
      sql`SELECT carried_windows IS NOT NULL AS carried FROM wallet_limits WHERE principal_id = ${person.principalId}`,
    )
    expect(row?.carried).toBe(true)
  })
})

const usdCaps = (daily: number) => ({ ...NONE, daily_cap_minor: daily })
