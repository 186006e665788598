import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NO_CAPS } from './currencies'
import {
  type Allowance,
  type Exceeded,
  evaluateLimits,
  type Grant,
  type LimitKind,
  type LimitScope,
  type LimitState,
  NO_LIMITS,
  UNLIMITED,
} from './rules'

const unset: LimitState = { wallet: UNLIMITED, agent: UNLIMITED, grants: [] }
const euros = (amountMinor: number) => ({ amountMinor, currency: 'EUR' })

const amount = fc.integer({ min: 0, max: 50 })
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const scope = fc.constantFrom<LimitScope>('wallet', 'agent')
const named: fc.Arbitrary<Exceeded> = fc.record({
  scope,
  kind: fc.constantFrom<LimitKind>('single_txn_cap', 'daily_cap', 'weekly_cap', 'monthly_cap', 'velocity'),
  current_minor: amount,
  requested_minor: amount,
})
const grant: fc.Arbitrary<Grant> = fc.record({
  bumpId: fc.uuid(),
  exceeds: fc.tuple(named, fc.array(named, { maxLength: 5 })).map(([first, others]) => [first, ...others] as const),
})
const allowance: fc.Arbitrary<Allowance> = fc.record({
  limits: fc.record({
    dailyCapMinor: maybe(amount),
    weeklyCapMinor: maybe(amount),
    monthlyCapMinor: maybe(amount),
    timeZone: fc.constant('UTC'),
    others: fc.constant({}),
    singleTxnCapMinor: maybe(amount),
    currency: fc.constant('EUR'),
    velocityCount: maybe(fc.integer({ min: 0, max: 5 })),
    velocityWindowSeconds: fc.constant(60),
  }),
  usage: fc.record({
    usedTodayMinor: amount,
    usedThisWeekMinor: amount,
    usedThisMonthMinor: amount,
    recentCount: fc.integer({ min: 0, max: 6 }),
  }),
})
const limitState: fc.Arbitrary<LimitState> = fc.record({
  wallet: allowance,
  agent: allowance,
  grants: fc.array(grant, { maxLength: 4 }),
})
const asked = fc.integer({ min: 1, max: 60 })

/** The same rule written differently: for each limit the value that it would have to have. */
function brokenLimits(state: LimitState, amountMinor: number): Exceeded[] {
  return (['wallet', 'agent'] as const).flatMap((whose) => {
    const { limits, usage } = state[whose]
    const needs: [LimitKind, number | null, number][] = [
      ['single_txn_cap', limits.singleTxnCapMinor, amountMinor],
      ['daily_cap', limits.dailyCapMinor, usage.usedTodayMinor + amountMinor],
      ['weekly_cap', limits.weeklyCapMinor, usage.usedThisWeekMinor + amountMinor],
      ['monthly_cap', limits.monthlyCapMinor, usage.usedThisMonthMinor + amountMinor],
      ['velocity', limits.velocityCount, usage.recentCount + 1],
    ]
    return needs.flatMap(([kind, limit, need]) =>
      limit === null || need <= limit ? [] : [{ kind, scope: whose, current_minor: limit, requested_minor: need }],
    )
  })
}

/** Returns whether the grant alone covers all exceeded limits. */
function isLifted({ exceeds }: Grant, broken: readonly Exceeded[]): boolean {
  return broken.every(({ kind, scope: whose, current_minor: limit, requested_minor: need }) => {
    const lent = exceeds
      .filter((one) => one.scope === whose && one.kind === kind && one.current_minor <= limit)
      .map((one) => one.requested_minor - one.current_minor)
    return Math.max(0, ...lent) + limit >= need
  })
}

/** Returns every exceeded limit, as `scope kind`. */
function exceededBy(state: LimitState, amountMinor: number): Set<string> {
  const evaluation = evaluateLimits({ ...state, grants: [] }, euros(amountMinor))
  if (evaluation.outcome !== 'exceeded') return new Set()
  return new Set(evaluation.exceeds.map((one) => `${one.scope} ${one.kind}`))
}

describe('evaluateLimits', () => {
  test('evaluateLimits agrees with the model for any limits of wallet and agent, usage and grants', () => {
    fc.assert(
      fc.property(limitState, asked, (state, amountMinor) => {
        const broken = brokenLimits(state, amountMinor)
        const [lifting = null] = state.grants.filter((one) => isLifted(one, broken))
        const evaluation = evaluateLimits(state, euros(amountMinor))
        if (broken.length === 0) expect(evaluation).toEqual({ outcome: 'within', grant: null })
        else if (lifting === null) expect(evaluation).toEqual({ outcome: 'exceeded', exceeds: broken })
        else expect(evaluation).toEqual({ outcome: 'within', grant: lifting })
      }),
      { numRuns: 3_000 },
    )
  })

  test('the limits that a payment exceeds are those of wallet and agent, each evaluated alone', () => {
    fc.assert(
      fc.property(limitState, asked, (state, amountMinor) => {
        const alone = [
          ...exceededBy({ ...state, agent: UNLIMITED }, amountMinor),
          ...exceededBy({ ...state, wallet: UNLIMITED }, amountMinor),
        ]
        expect(exceededBy(state, amountMinor)).toEqual(new Set(alone))
      }),
      { numRuns: 2_000 },
    )
  })

  test('F37 a grant that leaves out one of the limits lifts none of them', () => {
    const capped = {
      ...UNLIMITED,
      limits: { ...NO_LIMITS, singleTxnCapMinor: 500, dailyCapMinor: 600, currency: 'EUR' },
    }
    const single = { kind: 'single_txn_cap', scope: 'wallet', current_minor: 500, requested_minor: 800 } as const
    const daily = { kind: 'daily_cap', scope: 'wallet', current_minor: 600, requested_minor: 800 } as const
    const lent = (bumpId: string, ...exceeds: Grant['exceeds']): Grant => ({ bumpId, exceeds })
    const state = { ...unset, wallet: capped, grants: [lent('one', single), lent('other', daily)] }
    expect(evaluateLimits(state, euros(800))).toEqual({ outcome: 'exceeded', exceeds: [single, daily] })
    const both = lent('both', daily, single)
    expect(evaluateLimits({ ...state, grants: [...state.grants, both] }, euros(800))).toEqual({
      outcome: 'within',
      grant: both,
    })
  })

  test('a payment that passes would also pass with a smaller amount, or with less used before', () => {
    fc.assert(
      fc.property(limitState, fc.integer({ min: 2, max: 60 }), scope, (state, amountMinor, whose) => {
        if (evaluateLimits(state, euros(amountMinor)).outcome !== 'within') return
        expect(evaluateLimits(state, euros(amountMinor - 1)).outcome).toBe('within')
        const lighter = { ...state, [whose]: { ...state[whose], usage: UNLIMITED.usage } }
        expect(evaluateLimits(lighter, euros(amountMinor)).outcome).toBe('within')
      }),
    )
  })

  test('a payment passes in any currency when there are no limits', () => {
    expect(evaluateLimits(unset, { amountMinor: Number.MAX_SAFE_INTEGER, currency: 'JPY' }).outcome).toBe('within')
  })

  test.each(['wallet', 'agent'] as const)(
    'a cap of the %s in another currency refuses; a count alone has no currency',
    (whose) => {
      const limited = (limits: Partial<Allowance['limits']>): LimitState => ({
        ...unset,
        [whose]: { ...UNLIMITED, limits: { ...NO_LIMITS, ...limits } },
      })
      for (const cap of [{ dailyCapMinor: 100 }, { singleTxnCapMinor: 100 }]) {
        expect(evaluateLimits(limited({ ...cap, currency: 'USD' }), euros(1))).toEqual({
          outcome: 'currency_mismatch',
          scope: whose,
          currencies: ['USD'],
        })
      }
      const counted = limited({ velocityCount: 1, velocityWindowSeconds: 60, currency: 'USD' })
      expect(evaluateLimits(counted, euros(1)).outcome).toBe('within')
    },
  )

  test('a payment meets the limits of its own currency, and is refused in one without', () => {
    const caps = { ...NO_CAPS, dailyCapMinor: 100 }
    const limits = { ...NO_LIMITS, currency: 'EUR', singleTxnCapMinor: 10, others: { USD: caps, GBP: caps } }
    const state = { ...unset, wallet: { ...UNLIMITED, limits } }
    const inDollars = (amountMinor: number) => evaluateLimits(state, { amountMinor, currency: 'USD' })
    expect(evaluateLimits(state, euros(11)).outcome).toBe('exceeded')
    expect(inDollars(100).outcome).toBe('within')
    expect(inDollars(101)).toMatchObject({ exceeds: [{ kind: 'daily_cap', current_minor: 100, requested_minor: 101 }] })
    const inYen = evaluateLimits(state, { amountMinor: 1, currency: 'JPY' })
    expect(inYen).toEqual({ outcome: 'currency_mismatch', scope: 'wallet', currencies: ['EUR', 'GBP', 'USD'] })
    // A process of an earlier version may have left the row's own currency without a cap.
    const withoutMain = { ...unset, wallet: { ...UNLIMITED, limits: { ...limits, singleTxnCapMinor: null } } }
    expect(evaluateLimits(withoutMain, euros(1)).outcome).toBe('currency_mismatch')
  })

  test('a grant allows its excess, not the requested limit, and only for the limit that was requested', () => {
    const capped = { ...UNLIMITED, limits: { ...NO_LIMITS, singleTxnCapMinor: 1_000, currency: 'EUR' } }
    const lent: Grant = {
      bumpId: 'b',
      exceeds: [{ scope: 'wallet', kind: 'single_txn_cap', current_minor: 500, requested_minor: 800 }],
    }
    const state = { ...unset, wallet: capped, grants: [lent] }
    expect(evaluateLimits(state, euros(1_300))).toEqual({ outcome: 'within', grant: lent })
    expect(evaluateLimits(state, euros(1_301)).outcome).toBe('exceeded')
    expect(evaluateLimits({ ...state, wallet: UNLIMITED, agent: capped }, euros(1_300)).outcome).toBe('exceeded')
  })
})
