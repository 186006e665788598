import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Allowance,
  type Grant,
  type Judged,
  judge,
  type LimitKind,
  type LimitScope,
  NO_LIMITS,
  UNLIMITED,
} from './rules'

const unset: Judged = { wallet: UNLIMITED, agent: UNLIMITED, grants: [] }
const euros = (amountMinor: number) => ({ amountMinor, currency: 'EUR' })

const amount = fc.integer({ min: 0, max: 50 })
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const scope = fc.constantFrom<LimitScope>('wallet', 'agent')
const grant = fc.record({
  bumpId: fc.uuid(),
  scope,
  kind: fc.constantFrom<LimitKind>('single_txn_cap', 'daily_cap', 'velocity'),
  currency: fc.constantFrom('EUR', 'USD'),
  current: amount,
  requested: amount,
})
const allowance: fc.Arbitrary<Allowance> = fc.record({
  limits: fc.record({
    dailyCapMinor: maybe(amount),
    singleTxnCapMinor: maybe(amount),
    currency: fc.constant('EUR'),
    velocityCount: maybe(fc.integer({ min: 0, max: 5 })),
    velocityWindowSeconds: fc.constant(60),
  }),
  usage: fc.record({ usedTodayMinor: amount, recentCount: fc.integer({ min: 0, max: 6 }) }),
})
const judged: fc.Arbitrary<Judged> = fc.record({
  wallet: allowance,
  agent: allowance,
  grants: fc.array(grant, { maxLength: 6 }),
})
const asked = fc.integer({ min: 1, max: 60 })

/** The rule in other words: what each limit would have to be, and whether limit and best grant reach it. */
function model(state: Judged, amountMinor: number): Set<string> {
  const broken = (['wallet', 'agent'] as const).flatMap((whose) => {
    const { limits, usage } = state[whose]
    const needs: [LimitKind, number | null, number][] = [
      ['single_txn_cap', limits.singleTxnCapMinor, amountMinor],
      ['daily_cap', limits.dailyCapMinor, usage.usedTodayMinor + amountMinor],
      ['velocity', limits.velocityCount, usage.recentCount + 1],
    ]
    return needs.flatMap(([kind, limit, need]) => {
      if (limit === null || need <= limit) return []
      const lent = state.grants
        .filter((one) => one.scope === whose && one.kind === kind && one.current <= limit)
        .filter((one) => kind === 'velocity' || one.currency === 'EUR')
        .map((one) => one.requested - one.current)
      return Math.max(0, ...lent) + limit < need ? [`${whose} ${kind}`] : []
    })
  })
  return new Set(broken)
}

/** Every limit in the way, as `scope kind`. */
function exceededBy(state: Judged, amountMinor: number): Set<string> {
  const judgement = judge(state, euros(amountMinor))
  if (judgement.outcome !== 'exceeded') return new Set()
  return new Set([judgement, ...judgement.others].map((one) => `${one.scope} ${one.kind}`))
}

describe('judge', () => {
  test('judge agrees with the model for any limits of wallet and agent, usage and grants', () => {
    fc.assert(
      fc.property(judged, asked, (state, amountMinor) => {
        const broken = model(state, amountMinor)
        expect(exceededBy(state, amountMinor)).toEqual(broken)
        expect(judge(state, euros(amountMinor)).outcome).toBe(broken.size === 0 ? 'within' : 'exceeded')
      }),
      { numRuns: 3_000 },
    )
  })

  test('the limits that a payment exceeds are those of wallet and agent, each judged alone', () => {
    fc.assert(
      fc.property(judged, asked, (state, amountMinor) => {
        const alone = [
          ...exceededBy({ ...state, agent: UNLIMITED }, amountMinor),
          ...exceededBy({ ...state, wallet: UNLIMITED }, amountMinor),
        ]
        expect(exceededBy(state, amountMinor)).toEqual(new Set(alone))
      }),
      { numRuns: 2_000 },
    )
  })

  test('a payment uses at most one grant per limit, and none that it does not need', () => {
    fc.assert(
      fc.property(judged, asked, (state, amountMinor) => {
        const judgement = judge(state, euros(amountMinor))
        if (judgement.outcome !== 'within') return
        const lifted = judgement.grants.map((one) => `${one.scope} ${one.kind}`)
        expect(new Set(lifted).size).toBe(lifted.length)
        for (const used of judgement.grants) {
          const others = state.grants.filter((one) => one.scope !== used.scope || one.kind !== used.kind)
          expect(exceededBy({ ...state, grants: others }, amountMinor)).toEqual(new Set([`${used.scope} ${used.kind}`]))
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('a payment that passes would also pass with a smaller amount, or with less used before', () => {
    fc.assert(
      fc.property(judged, fc.integer({ min: 2, max: 60 }), scope, (state, amountMinor, whose) => {
        if (judge(state, euros(amountMinor)).outcome !== 'within') return
        expect(judge(state, euros(amountMinor - 1)).outcome).toBe('within')
        const lighter = { ...state, [whose]: { ...state[whose], usage: UNLIMITED.usage } }
        expect(judge(lighter, euros(amountMinor)).outcome).toBe('within')
      }),
    )
  })

  test('a payment passes in any currency when there are no limits', () => {
    expect(judge(unset, { amountMinor: Number.MAX_SAFE_INTEGER, currency: 'JPY' }).outcome).toBe('within')
  })

  test.each(['wallet', 'agent'] as const)(
    'a cap of the %s in another currency refuses; a count alone has no currency',
    (whose) => {
      const limited = (limits: Partial<Allowance['limits']>): Judged => ({
        ...unset,
        [whose]: { ...UNLIMITED, limits: { ...NO_LIMITS, ...limits } },
      })
      for (const cap of [{ dailyCapMinor: 100 }, { singleTxnCapMinor: 100 }]) {
        expect(judge(limited({ ...cap, currency: 'USD' }), euros(1))).toEqual({
          outcome: 'currency_mismatch',
          scope: whose,
          currency: 'USD',
        })
      }
      const counted = limited({ velocityCount: 1, velocityWindowSeconds: 60, currency: 'USD' })
      expect(judge(counted, euros(1)).outcome).toBe('within')
    },
  )

  test('a grant allows its excess, not the requested limit, and only for the limit that was requested', () => {
    const capped = { ...UNLIMITED, limits: { ...NO_LIMITS, singleTxnCapMinor: 1_000, currency: 'EUR' } }
    const lent: Grant = {
      bumpId: 'b',
      scope: 'wallet',
      kind: 'single_txn_cap',
      currency: 'EUR',
      current: 500,
      requested: 800,
    }
    const state = { ...unset, wallet: capped, grants: [lent] }
    expect(judge(state, euros(1_300))).toEqual({ outcome: 'within', grants: [lent] })
    expect(judge(state, euros(1_301)).outcome).toBe('exceeded')
    expect(judge({ ...state, wallet: UNLIMITED, agent: capped }, euros(1_300)).outcome).toBe('exceeded')
  })
})
