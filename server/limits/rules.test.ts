import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Grant, type Judged, judge, type LimitKind, NO_LIMITS } from './rules'

const unset = { limits: NO_LIMITS, usage: { usedTodayMinor: 0, recentCount: 0 }, grants: [] }
const euros = (amountMinor: number) => ({ amountMinor, currency: 'EUR' })

const amount = fc.integer({ min: 0, max: 50 })
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const grant = fc.record({
  bumpId: fc.uuid(),
  kind: fc.constantFrom<LimitKind>('single_txn_cap', 'daily_cap', 'velocity'),
  currency: fc.constantFrom('EUR', 'USD'),
  current: amount,
  requested: amount,
})
const judged: fc.Arbitrary<Judged> = fc.record({
  limits: fc.record({
    dailyCapMinor: maybe(amount),
    singleTxnCapMinor: maybe(amount),
    currency: fc.constant('EUR'),
    velocityCount: maybe(fc.integer({ min: 0, max: 5 })),
    velocityWindowSeconds: fc.constant(60),
  }),
  usage: fc.record({ usedTodayMinor: amount, recentCount: fc.integer({ min: 0, max: 6 }) }),
  grants: fc.array(grant, { maxLength: 4 }),
})

/** The rule in other words: what each limit would have to be, and whether limit and best grant reach it. */
function model({ limits, usage, grants }: Judged, asked: number): Set<LimitKind> {
  const needs: [LimitKind, number | null, number][] = [
    ['single_txn_cap', limits.singleTxnCapMinor, asked],
    ['daily_cap', limits.dailyCapMinor, usage.usedTodayMinor + asked],
    ['velocity', limits.velocityCount, usage.recentCount + 1],
  ]
  const broken = needs.filter(([kind, limit, need]) => {
    if (limit === null || need <= limit) return false
    const lent = grants
      .filter((one) => one.kind === kind && one.current <= limit && (kind === 'velocity' || one.currency === 'EUR'))
      .map((one) => one.requested - one.current)
    return Math.max(0, ...lent) + limit < need
  })
  return new Set(broken.map(([kind]) => kind))
}

describe('judge', () => {
  test('agrees with the model for any limits, usage and grants', () => {
    fc.assert(
      fc.property(judged, fc.integer({ min: 1, max: 60 }), (state, asked) => {
        const judgement = judge(state, euros(asked))
        const broken = model(state, asked)
        if (judgement.outcome === 'exceeded') {
          expect(new Set([judgement.kind, ...judgement.others.map(({ kind }) => kind)])).toEqual(broken)
        } else {
          expect([judgement.outcome, broken.size]).toEqual(['within', 0])
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('uses at most one grant per limit, and none that is not needed', () => {
    fc.assert(
      fc.property(judged, fc.integer({ min: 1, max: 60 }), (state, asked) => {
        const judgement = judge(state, euros(asked))
        if (judgement.outcome !== 'within') return
        const kinds = judgement.grants.map(({ kind }) => kind)
        expect(new Set(kinds).size).toBe(kinds.length)
        for (const used of judgement.grants) {
          const without = { ...state, grants: state.grants.filter(({ kind }) => kind !== used.kind) }
          expect(judge(without, euros(asked)).outcome).toBe('exceeded')
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('a payment that passes would pass with less of it, or less used before', () => {
    fc.assert(
      fc.property(judged, fc.integer({ min: 2, max: 60 }), (state, asked) => {
        if (judge(state, euros(asked)).outcome !== 'within') return
        expect(judge(state, euros(asked - 1)).outcome).toBe('within')
        const lighter = { ...state, usage: { usedTodayMinor: 0, recentCount: 0 } }
        expect(judge(lighter, euros(asked)).outcome).toBe('within')
      }),
    )
  })

  test('without limits everything passes, in any currency', () => {
    expect(judge(unset, { amountMinor: Number.MAX_SAFE_INTEGER, currency: 'JPY' }).outcome).toBe('within')
  })

  test('a cap in another currency refuses; a count alone has no currency', () => {
    const capped = { ...unset, limits: { ...NO_LIMITS, dailyCapMinor: 100, currency: 'USD' } }
    expect(judge(capped, euros(1))).toEqual({ outcome: 'currency_mismatch', currency: 'USD' })
    const counted = { ...unset, limits: { ...NO_LIMITS, velocityCount: 1, velocityWindowSeconds: 60, currency: 'USD' } }
    expect(judge(counted, euros(1)).outcome).toBe('within')
  })

  test('a grant lends its excess, not the limit that it was asked for', () => {
    const bump: Grant = { bumpId: 'b', kind: 'single_txn_cap', currency: 'EUR', current: 500, requested: 800 }
    const state = { ...unset, limits: { ...NO_LIMITS, singleTxnCapMinor: 1_000, currency: 'EUR' }, grants: [bump] }
    expect(judge(state, euros(1_300))).toEqual({ outcome: 'within', grants: [bump] })
    expect(judge(state, euros(1_301)).outcome).toBe('exceeded')
  })
})
