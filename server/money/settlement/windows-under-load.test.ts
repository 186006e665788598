import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import type { ServiceError } from '../../base/core/errors'
import { approveLimitBump, saveAgentLimits, saveCurrency, saveLimits } from '../../wallet/limits'
import { windowsAt } from '../../wallet/limits/windows'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

type LimitsInput = Parameters<typeof saveLimits.verb>[1]
type Scope = 'wallet' | 'agent'

const limit = (person: Person, limits: LimitsInput) => saveLimits.verb(money.wallet(person), limits)

/** Saves limits of the wallet, or of the person's first agent; the time zone is always the person's. */
async function limitOf(scope: Scope, person: Person, { time_zone: timeZone, ...limits }: LimitsInput) {
  const zone = timeZone === undefined ? {} : { time_zone: timeZone }
  if (scope === 'wallet') return limit(person, { ...limits, ...zone })
  await limit(person, zone)
  return saveAgentLimits.verb(money.wallet(person), { client_id: person.agentId, ...limits })
}

/** Settles one payment at an instant; returns whether it passed, or the limit that it exceeded. */
async function pay(person: Person, amountMinor: number, now = money.clock.now()): Promise<unknown> {
  money.clock.set(now)
  return payIn('EUR', person, amountMinor)
}

async function payIn(currency: string, person: Person, amountMinor: number): Promise<unknown> {
  const mandate = await money.mandate(person, { amountMinor, currency })
  return money.settle(mandate).then(
    ({ status }) => (status === 200 ? 'paid' : 'declined'),
    (error: ServiceError) => error.members['limit'] ?? error.code,
  )
}

async function settleMany(person: Person, count: number, amountMinor: number, currency = 'EUR') {
  const order = { amountMinor, currency }
  const mandates = await Promise.all(Array.from({ length: count }, () => money.mandate(person, order)))
  const results = await Promise.allSettled(mandates.map((mandate) => money.settle(mandate)))
  return results.filter(({ status }) => status === 'fulfilled').length
}

const EUR = { currency: 'EUR' }

describe.each<Scope>(['wallet', 'agent'])('limits per week and month of the %s', (scope) => {
  test.each(['weekly_cap_minor', 'monthly_cap_minor'] as const)(
    'a %s of ten payments lets ten of forty at once pass',
    async (cap) => {
      money.clock.set(new Date('2027-03-17T12:00:00Z'))
      const person = await money.person()
      await limitOf(scope, person, { [cap]: 1_000, ...EUR, time_zone: 'Europe/Berlin' })
      expect(await pay(person, 100, new Date('2027-03-16T12:00:00Z'))).toBe('paid')
      money.clock.set(new Date('2027-03-17T12:00:00Z'))
      expect(await settleMany(person, 40, 100)).toBe(9)
    },
  )

  test('a week begins on Monday 00:00 and a month on the 1st 00:00 in the zone of the person', async () => {
    const person = await money.person()
    money.clock.set(new Date('2027-03-20T12:00:00Z'))
    await limitOf(scope, person, { weekly_cap_minor: 1_000, ...EUR, time_zone: 'Europe/Berlin' })
    expect(await pay(person, 1_000, new Date('2027-03-21T12:00:00Z'))).toBe('paid')
    expect(await pay(person, 1, new Date('2027-03-21T22:59:59.999Z'))).toBe('weekly_cap')
    expect(await pay(person, 1_000, new Date('2027-03-21T23:00:00Z'))).toBe('paid')
    expect(await pay(person, 1, new Date('2027-03-22T10:00:00Z'))).toBe('weekly_cap')
    // Clocks go forward on 28 March.
    expect(await pay(person, 1, new Date('2027-03-28T21:59:59.999Z'))).toBe('weekly_cap')
    expect(await pay(person, 1_000, new Date('2027-03-28T22:00:00Z'))).toBe('paid')
    await limitOf(scope, person, { weekly_cap_minor: null, monthly_cap_minor: 3_000, ...EUR })
    expect(await pay(person, 1, new Date('2027-03-31T21:59:59.999Z'))).toBe('monthly_cap')
    expect(await pay(person, 3_000, new Date('2027-03-31T22:00:00Z'))).toBe('paid')
  })

  test('money that was given back by a declined charge is free again', async () => {
    money.clock.set(new Date('2027-05-05T12:00:00Z'))
    const person = await money.person({ card: 'decline' })
    await limitOf(scope, person, { weekly_cap_minor: 1_000, monthly_cap_minor: 1_000, ...EUR, time_zone: 'Asia/Tokyo' })
    for (let turn = 0; turn < 3; turn += 1) expect(await pay(person, 1_000)).toBe('declined')
  })

  test('money that is held counts', async () => {
    money.clock.set(new Date('2027-05-05T12:00:00Z'))
    const person = await money.person()
    await limitOf(scope, person, { weekly_cap_minor: 1_000, ...EUR })
    const silent = money.withProcessor({ confirmPaymentIntent: () => Promise.resolve({ status: 'unknown' }) })
    const held = await money.mandate(person, { amountMinor: 700 })
    await expect(money.settle(held, {}, silent)).rejects.toMatchObject({ status: 502 })
    expect(await pay(person, 301)).toBe('weekly_cap')
    expect(await pay(person, 300)).toBe('paid')
  })

  test('one question names day, week and month, and its approval lifts them for this payment once', async () => {
    money.clock.set(new Date('2027-05-05T12:00:00Z'))
    const person = await money.person()
    const caps = { daily_cap_minor: 500, weekly_cap_minor: 600, monthly_cap_minor: 700 }
    await limitOf(scope, person, { ...caps, ...EUR })
    const mandate = await money.mandate(person, { amountMinor: 800 })
    const refusal = (await money.settle(mandate).catch((error: unknown) => error)) as ServiceError
    expect(refusal.code).toBe('limit_exceeded')
    const approved = await approveLimitBump.verb(money.wallet(person), {
      bump_id: String(refusal.members['bump_id']),
    })
    expect(approved.exceeds).toEqual([
      { kind: 'daily_cap', scope, current_minor: 500, requested_minor: 800 },
      { kind: 'weekly_cap', scope, current_minor: 600, requested_minor: 800 },
      { kind: 'monthly_cap', scope, current_minor: 700, requested_minor: 800 },
    ])
    expect((await money.settle(mandate)).status).toBe(200)
    expect(await pay(person, 1)).toBe('daily_cap')
  })

  test('moving to a zone where the next week has begun frees nothing before the week ends', async () => {
    // A Sunday in UTC; on Kiritimati it is Monday.
    money.clock.set(new Date('2027-06-06T12:00:00Z'))
    const person = await money.person()
    await limitOf(scope, person, { weekly_cap_minor: 1_000, ...EUR })
    expect(await pay(person, 1_000)).toBe('paid')
    await limitOf(scope, person, { weekly_cap_minor: 1_000, ...EUR, time_zone: 'Pacific/Kiritimati' })
    expect(await pay(person, 1)).toBe('weekly_cap')
    expect(await pay(person, 1, new Date('2027-06-06T23:59:59.999Z'))).toBe('weekly_cap')
    // The payment was in the new zone's week too, and counts until that week ends.
    expect(await pay(person, 1, new Date('2027-06-07T00:00:00Z'))).toBe('weekly_cap')
    expect(await pay(person, 1_000, new Date('2027-06-13T10:00:00Z'))).toBe('paid')
  })
})

test('a payment passes exactly when it fits day, week and month of any zone, over any stretch of time', async () => {
  const caps = { daily_cap_minor: 900, weekly_cap_minor: 1_500, monthly_cap_minor: 3_000 }
  const payment = fc.record({
    afterHours: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 12 }), fc.integer({ min: 12, max: 240 })),
    amountMinor: fc.integer({ min: 1, max: 700 }),
  })
  const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Kiritimati', 'Etc/GMT+12', 'Asia/Kathmandu')
  await fc.assert(
    fc.asyncProperty(zone, fc.array(payment, { minLength: 4, maxLength: 25 }), async (timeZone, payments) => {
      money.clock.set(new Date('2028-02-20T21:30:00Z'))
      const person = await money.person()
      await limit(person, { ...caps, ...EUR, time_zone: timeZone })
      const paid: { readonly at: Date; readonly amountMinor: number }[] = []
      for (const { afterHours, amountMinor } of payments) {
        money.clock.advance(afterHours * 3_600)
        const now = money.clock.now()
        const { week, month } = windowsAt(now, timeZone)
        const midnight = new Date(`${now.toISOString().slice(0, 10)}T00:00:00Z`)
        const usedSince = (from: Date) =>
          paid.filter(({ at }) => at >= from).reduce((sum, { amountMinor: minor }) => sum + minor, amountMinor)
        const fits =
          usedSince(midnight) <= caps.daily_cap_minor &&
          usedSince(week.from) <= caps.weekly_cap_minor &&
          usedSince(month.from) <= caps.monthly_cap_minor
        expect((await pay(person, amountMinor)) === 'paid').toBe(fits)
        if (fits) paid.push({ at: now, amountMinor })
      }
    }),
    { numRuns: 12, endOnFailure: true },
  )
}, 120_000)

describe('limits in several currencies', () => {
  const NONE = { daily_cap_minor: null, weekly_cap_minor: null, monthly_cap_minor: null, single_txn_cap_minor: null }

  test.each(['daily_cap_minor', 'weekly_cap_minor', 'monthly_cap_minor'] as const)(
    'a %s in each of two currencies lets as many payments of each pass as fit it, all of them at once',
    async (cap) => {
      const person = await money.person()
      await limit(person, { [cap]: 700, ...EUR, time_zone: 'Asia/Tokyo' })
      await saveCurrency(money.wallet(person), { ...NONE, [cap]: 300, currency: 'USD' })
      const passed = await Promise.all([
        settleMany(person, 25, 100),
        settleMany(person, 25, 100, 'USD'),
        settleMany(person, 5, 100, 'GBP'),
      ])
      expect(passed).toEqual([7, 3, 0])
    },
  )

  test('a number of payments counts those of all currencies', async () => {
    const person = await money.person()
    await limit(person, { daily_cap_minor: 9_000, ...EUR, velocity_count: 6, velocity_window_seconds: 60 })
    await saveCurrency(money.wallet(person), { ...NONE, daily_cap_minor: 9_000, currency: 'USD' })
    const [euros, dollars] = await Promise.all([settleMany(person, 10, 1), settleMany(person, 10, 1, 'USD')])
    expect(euros + dollars).toBe(6)
  })

  test('a limit that is met names its currency, and its approval lifts it for this payment once', async () => {
    const person = await money.person()
    await limit(person, { daily_cap_minor: 1, ...EUR })
    await saveCurrency(money.wallet(person), { ...NONE, weekly_cap_minor: 500, currency: 'USD' })
    const mandate = await money.mandate(person, { amountMinor: 800, currency: 'USD' })
    const refusal = (await money.settle(mandate).catch((error: unknown) => error)) as ServiceError
    const approved = await approveLimitBump.verb(money.wallet(person), { bump_id: String(refusal.members['bump_id']) })
    expect(approved).toMatchObject({
      currency: 'USD',
      exceeds: [{ kind: 'weekly_cap', scope: 'wallet', current_minor: 500, requested_minor: 800 }],
    })
    expect((await money.settle(mandate)).status).toBe(200)
    expect(await payIn('USD', person, 1)).toBe('weekly_cap')
    expect(await payIn('EUR', person, 1)).toBe('paid')
    expect(await payIn('EUR', person, 1)).toBe('daily_cap')
  })

  test("an agent's own limits keep their currency, whichever the person's are in", async () => {
    const person = await money.person()
    await limit(person, { daily_cap_minor: 900, ...EUR })
    await saveCurrency(money.wallet(person), { ...NONE, daily_cap_minor: 900, currency: 'USD' })
    await saveAgentLimits.verb(money.wallet(person), { client_id: person.agentId, daily_cap_minor: 500, ...EUR })
    expect(await payIn('EUR', person, 501)).toBe('daily_cap')
    expect(await payIn('EUR', person, 500)).toBe('paid')
    expect(await payIn('USD', person, 1)).toBe('limit_currency_mismatch')
  })

  test('a payment passes exactly when it fits the limits of its own currency', async () => {
    const cap = fc.option(fc.integer({ min: 0, max: 900 }), { nil: null })
    const caps = fc.record({
      daily_cap_minor: cap,
      weekly_cap_minor: cap,
      monthly_cap_minor: cap,
      single_txn_cap_minor: cap,
    })
    const wanted = fc.record({ EUR: caps, GBP: caps, USD: caps })
    const payment = fc.record({
      currency: fc.constantFrom('EUR', 'GBP', 'USD', 'JPY'),
      afterHours: fc.constantFrom(0, 0, 5, 30, 200),
      amountMinor: fc.integer({ min: 1, max: 400 }),
    })
    const isSet = (some: Readonly<Record<keyof typeof NONE, number | null>>) =>
      Object.values(some).some((minor) => minor !== null)
    await fc.assert(
      fc.asyncProperty(wanted, fc.array(payment, { minLength: 6, maxLength: 20 }), async (all, payments) => {
        money.clock.set(new Date('2028-04-20T21:30:00Z'))
        const person = await money.person()
        const set = Object.entries(all).filter(([, some]) => isSet(some))
        for (const [currency, some] of set) await saveCurrency(money.wallet(person), { ...some, currency })
        const paid: { readonly at: Date; readonly amountMinor: number; readonly currency: string }[] = []
        for (const { afterHours, ...asked } of payments) {
          money.clock.advance(afterHours * 3_600)
          const at = money.clock.now()
          const { week, month } = windowsAt(at, 'UTC')
          const midnight = new Date(`${at.toISOString().slice(0, 10)}T00:00:00Z`)
          const usedSince = (from: Date) =>
            paid
              .filter((earlier) => earlier.at >= from && earlier.currency === asked.currency)
              .reduce((sum, { amountMinor }) => sum + amountMinor, asked.amountMinor)
          const [, own] = set.find(([currency]) => currency === asked.currency) ?? []
          const needs = [
            [own?.single_txn_cap_minor, asked.amountMinor],
            [own?.daily_cap_minor, usedSince(midnight)],
            [own?.weekly_cap_minor, usedSince(week.from)],
            [own?.monthly_cap_minor, usedSince(month.from)],
          ] as const
          const fits = own === undefined ? set.length === 0 : needs.every(([most, used]) => used <= (most ?? Infinity))
          expect((await payIn(asked.currency, person, asked.amountMinor)) === 'paid').toBe(fits)
          if (fits) paid.push({ at, ...asked })
        }
      }),
      { numRuns: 12, endOnFailure: true },
    )
  }, 120_000)
})
