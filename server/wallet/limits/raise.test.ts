import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isCapped, NO_CAPS, withCaps } from './currencies'
import { compareLimits, hasWindows, isRaise } from './raise'
import { evaluateLimits, type Limits, NO_LIMITS } from './rules'

const cap = fc.option(fc.integer({ min: 0, max: 6 }), { nil: null })
const anyCaps = fc.option(
  fc.record({ dailyCapMinor: cap, weeklyCapMinor: cap, monthlyCapMinor: cap, singleTxnCapMinor: cap }),
  { nil: NO_CAPS },
)
const anyLimits: fc.Arbitrary<Limits> = fc
  .record({
    timeZone: fc.constantFrom('UTC', 'Asia/Tokyo'),
    caps: fc.record({ EUR: anyCaps, GBP: anyCaps, USD: anyCaps }),
    velocity: fc.option(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1, max: 5 })), { nil: null }),
  })
  .map(({ velocity, caps, timeZone }) => ({
    ...Object.entries(caps)
      .filter(([, each]) => isCapped(each))
      .reduce((limits, [currency, each]) => withCaps(limits, currency, each), NO_LIMITS),
    velocityCount: velocity?.[0] ?? null,
    velocityWindowSeconds: velocity?.[1] ?? null,
    timeZone,
  }))
  // The time zone is left out where it makes no difference, so that equal limits are written alike.
  .map((limits) => ({ ...limits, timeZone: hasWindows(limits) ? limits.timeZone : null }))

const used = fc.integer({ min: 0, max: 8 })
const usedByZone = fc.record({ UTC: used, 'Asia/Tokyo': used })

/** A payment to check, with the amounts already used and the ages of earlier payments in seconds. */
const anyPayment = fc.record({
  amountMinor: fc.integer({ min: 1, max: 8 }),
  currency: fc.constantFrom('EUR', 'GBP', 'USD'),
  usedTodayMinor: used,
  /** The amount used in the week, which begins at another time in each zone. */
  week: usedByZone,
  month: usedByZone,
  agesSeconds: fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 6 }),
})

function passes(limits: Limits, payment: typeof anyPayment extends fc.Arbitrary<infer P> ? P : never): boolean {
  const window = limits.velocityWindowSeconds ?? 0
  const recentCount = payment.agesSeconds.filter((age) => age < window).length
  const zone = limits.timeZone === 'Asia/Tokyo' ? 'Asia/Tokyo' : 'UTC'
  const usage = {
    usedTodayMinor: payment.usedTodayMinor,
    usedThisWeekMinor: payment.week[zone],
    usedThisMonthMinor: payment.month[zone],
    recentCount,
  }
  return (
    evaluateLimits({ wallet: { limits, usage }, agent: { limits: NO_LIMITS, usage }, grants: [] }, payment).outcome ===
    'within'
  )
}

describe('a raise', () => {
  test('a change that lets a payment pass that did not pass before is a raise', () => {
    fc.assert(
      fc.property(anyLimits, anyLimits, anyPayment, (before, after, payment) => {
        const letsMorePass = passes(after, payment) && !passes(before, payment)
        expect(isRaise(before, after) || !letsMorePass).toBe(true)
      }),
      { numRuns: 3_000 },
    )
  })

  test('a change that is a raise in neither direction is between equal limits', () => {
    fc.assert(
      fc.property(anyLimits, anyLimits, (one, other) => {
        const neither = !isRaise(one, other) && !isRaise(other, one)
        expect(neither).toBe(compareLimits(one, other).length === 0)
        expect(neither).toBe(JSON.stringify(one) === JSON.stringify(other))
      }),
      { numRuns: 500 },
    )
  })

  test('steps that are no raises add up to no raise', () => {
    fc.assert(
      fc.property(anyLimits, anyLimits, anyLimits, (a, b, c) => {
        expect(isRaise(a, b) || isRaise(b, c) || !isRaise(a, c)).toBe(true)
      }),
      { numRuns: 3_000 },
    )
  })

  const eur: Limits = { ...NO_LIMITS, currency: 'EUR', dailyCapMinor: 5_000, singleTxnCapMinor: 2_000 }
  const one = { ...NO_CAPS, dailyCapMinor: 1 }
  const paced: Limits = { ...NO_LIMITS, velocityCount: 5, velocityWindowSeconds: 3_600 }
  test.each<[string, Limits, Limits, boolean]>([
    ['a higher daily cap', eur, { ...eur, dailyCapMinor: 5_001 }, true],
    ['a lower daily cap', eur, { ...eur, dailyCapMinor: 0 }, false],
    ['one cap up and another down', eur, { ...eur, dailyCapMinor: 1, singleTxnCapMinor: 2_001 }, true],
    ['a cap that goes', eur, { ...eur, singleTxnCapMinor: null }, true],
    ['a first cap', NO_LIMITS, eur, false],
    ['no limits any more', eur, NO_LIMITS, true],
    [
      'another currency, with less of it',
      eur,
      { ...eur, currency: 'JPY', dailyCapMinor: 1, singleTxnCapMinor: 1 },
      true,
    ],
    ['a currency that no cap uses', paced, { ...paced, currency: 'JPY' }, false],
    ['more payments', paced, { ...paced, velocityCount: 6 }, true],
    ['fewer payments in a longer time', paced, { ...paced, velocityCount: 4, velocityWindowSeconds: 7_200 }, false],
    ['fewer payments in a shorter time', paced, { ...paced, velocityCount: 1, velocityWindowSeconds: 600 }, true],
    ['a further currency', eur, withCaps(eur, 'USD', one), true],
    ['one of several currencies that goes', withCaps(eur, 'USD', one), eur, false],
    ["the row's own currency that goes", withCaps(eur, 'USD', one), { ...NO_LIMITS, currency: 'USD', ...one }, false],
    ['more of a further currency', withCaps(eur, 'USD', one), withCaps(eur, 'USD', { ...one, dailyCapMinor: 2 }), true],
    [
      'less of a further currency',
      withCaps(eur, 'USD', one),
      withCaps(eur, 'USD', { ...one, dailyCapMinor: 0 }),
      false,
    ],
    ['two first currencies', NO_LIMITS, withCaps(eur, 'USD', one), false],
    ['no more of two currencies', withCaps(eur, 'USD', one), NO_LIMITS, true],
    ['the same', eur, eur, false],
  ])('a raise is told from other changes: %s', (_name, before, after, expected) => {
    expect(isRaise(before, after)).toBe(expected)
  })
})
