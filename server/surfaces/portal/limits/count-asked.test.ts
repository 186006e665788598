import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MERCHANT, type MoneyFixture, openMoneyFixture } from '@/test/support/money-fixture'
import { evaluateLimits, saveCurrency, UNLIMITED, windowsAt } from '../../../wallet/limits'
import { NO_CAPS } from '../../../wallet/limits/currencies'
import { NO_LIMITS } from '../../../wallet/limits/rules'
import { evaluatePast, type PastPayment } from './count-asked'
import { readAskedCount } from './read-asked-count'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture(new Date('2027-03-01T10:00:00Z'))
})
afterAll(() => money.close())

const START = Date.parse('2027-01-15T00:00:00Z')
const cap = fc.option(fc.integer({ min: 0, max: 900 }), { nil: null })
const somePayments: fc.Arbitrary<PastPayment[]> = fc
  .array(
    fc.record({
      afterMinutes: fc.oneof(fc.integer({ min: 0, max: 120 }), fc.integer({ min: 0, max: 9_000 })),
      amountMinor: fc.integer({ min: 1, max: 400 }),
      currency: fc.constantFrom('EUR', 'EUR', 'USD', 'GBP'),
    }),
    { maxLength: 30 },
  )
  .map((steps) => {
    let at = START
    return steps.map(({ afterMinutes, ...payment }) => {
      at += afterMinutes * 60_000
      return { ...payment, at: new Date(at) }
    })
  })

describe('evaluatePast', () => {
  test('past payments are evaluated as if each had come while the limits held', () => {
    const limits = fc.record({
      dailyCapMinor: cap,
      weeklyCapMinor: cap,
      monthlyCapMinor: cap,
      singleTxnCapMinor: cap,
      velocityCount: fc.option(fc.integer({ min: 0, max: 4 }), { nil: null }),
      timeZone: fc.constantFrom('UTC', 'Pacific/Kiritimati', 'America/New_York'),
    })
    fc.assert(
      fc.property(limits, somePayments, fc.integer({ min: 0, max: 40 }), (some, payments, days) => {
        const others = { USD: { ...NO_CAPS, dailyCapMinor: 300, monthlyCapMinor: 700 } }
        const whole = { ...NO_LIMITS, ...some, currency: 'EUR', others, velocityWindowSeconds: 7_200 }
        const from = new Date(START + days * 86_400_000)
        const outcomes = payments.flatMap((payment, index) => {
          const before = payments.slice(0, index)
          const since = (start: Date) =>
            before
              .filter(({ at, currency }) => at >= start && currency === payment.currency)
              .reduce((sum, { amountMinor }) => sum + amountMinor, 0)
          const { week, month } = windowsAt(payment.at, whole.timeZone)
          const usage = {
            usedTodayMinor: since(new Date(payment.at.toISOString().slice(0, 10))),
            usedThisWeekMinor: since(week.from),
            usedThisMonthMinor: since(month.from),
            recentCount: before.filter(({ at }) => at.getTime() > payment.at.getTime() - 7_200_000).length,
          }
          const limitState = { wallet: { limits: whole, usage }, agent: UNLIMITED, grants: [] }
          return payment.at < from ? [] : [evaluateLimits(limitState, payment).outcome]
        })
        const { asked, ...counts } = evaluatePast(whole, payments, from)
        expect({ ...counts, asked: asked.length }).toEqual({
          payments: outcomes.length,
          asked: outcomes.filter((outcome) => outcome === 'exceeded').length,
          refused: outcomes.filter((outcome) => outcome === 'currency_mismatch').length,
        })
      }),
      { numRuns: 300 },
    )
  })
})

describe('readAskedCount', () => {
  test('only the person’s own payments of the last 30 days count, and earlier ones of the month are used up', async () => {
    const [person, other] = [await money.person(), await money.person()]
    const pay = async (amountMinor: number, at: string, whose = person) => {
      money.clock.set(new Date(at))
      expect((await money.settle(await money.mandate(whose, { amountMinor }))).status).toBe(200)
    }
    await pay(700, '2027-03-01T10:00:00Z')
    await pay(200, '2027-03-20T10:00:00Z')
    await pay(300, '2027-03-21T10:00:00Z')
    await pay(900, '2027-03-22T10:00:00Z', other)
    money.clock.set(new Date('2027-04-01T12:00:00Z'))
    const count = (limits: object) => readAskedCount(money.wallet(person), limits)
    const monthly = { monthly_cap_minor: 1_000, currency: 'EUR' }
    expect(await count(monthly)).toMatchObject({ payments: 2, asked: 1, refused: 0 })
    expect(await count({})).toMatchObject({ payments: 2, asked: 0, refused: 0, asked_about: [] })
    expect(await count({ ...monthly, currency: 'USD' })).toMatchObject({ payments: 2, asked: 0, refused: 2 })
    const dollars = { ...monthly, currency: 'USD' }
    const euros = { daily_cap_minor: null, weekly_cap_minor: null, monthly_cap_minor: null, single_txn_cap_minor: 200 }
    expect(await count({ ...dollars, other_currencies: { EUR: euros } })).toMatchObject({ asked: 1, refused: 0 })
    await saveCurrency(money.wallet(person), { ...euros, currency: 'GBP' })
    await saveCurrency(money.wallet(person), { ...euros, currency: 'EUR' })
    expect(await count({ ...dollars })).toMatchObject({ asked: 1, refused: 0 })
    expect(await count({ ...dollars, other_currencies: {} })).toMatchObject({ asked: 0, refused: 2 })
    await expect(count({ monthly_cap_minor: -1 })).rejects.toMatchObject({
      issues: [{ loc: ['body', 'monthly_cap_minor'] }],
    })
  })

  test('the payments that would have needed an approval are listed, the newest first', async () => {
    const person = await money.person()
    for (const [amountMinor, day] of [
      [700, 10],
      [200, 11],
      [800, 12],
    ] as const) {
      money.clock.set(new Date(`2027-05-${day}T10:00:00Z`))
      expect((await money.settle(await money.mandate(person, { amountMinor }))).status).toBe(200)
    }
    const limits = { single_txn_cap_minor: 500, currency: 'EUR' }
    const { asked, asked_about: told } = await readAskedCount(money.wallet(person), limits)
    expect(asked).toBe(2)
    const shop = { currency: 'EUR', merchant_audience: MERCHANT, merchant_name: 'Tallow Books' }
    const id = expect.stringMatching(/^pi_/) as string
    expect(told).toEqual([
      { ...shop, payment_intent_id: id, amount_minor: 800, at: '2027-05-12T10:00:00.000Z' },
      { ...shop, payment_intent_id: id, amount_minor: 700, at: '2027-05-10T10:00:00.000Z' },
    ])
  })
})
