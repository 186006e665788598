import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CapUse, dueNotice } from './near-limit'

const amount = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
const told = fc.constantFrom<CapUse['told']>(null, 80, 100)

describe('dueNotice', () => {
  test.each<[number, number, CapUse['told'], CapUse['told']]>([
    [1_000, 0, null, null],
    [1_000, 790, null, null],
    [1_000, 799, null, null],
    [1_000, 800, null, 80],
    [1_000, 990, null, 80],
    [1_000, 999, null, 80],
    [1_000, 1_000, null, 100],
    [1_000, 1_500, null, 100],
    [1_000, 990, 80, null],
    [1_000, 1_000, 80, 100],
    [1_000, 1_500, 100, null],
    [1_000, 900, 100, null],
    [1, 0, null, null],
    [1, 1, null, 100],
    [3, 2, null, null],
    [0, 1, null, 100],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1, null, 80],
    [Number.MAX_SAFE_INTEGER, 7_205_759_403_792_792, null, null],
    [Number.MAX_SAFE_INTEGER, 7_205_759_403_792_793, null, 80],
  ])(
    'with a cap of %i, %i used and %s told before, the notice that is due is %s',
    (capMinor, usedMinor, before, due) => {
      expect(dueNotice({ capMinor, usedMinor, told: before })).toBe(due)
    },
  )

  test('a notice is due from the smallest amount that reaches its share, for any cap', () => {
    fc.assert(
      fc.property(amount, fc.constantFrom(80, 100), (capMinor, percent) => {
        const enough = Number((BigInt(capMinor) * BigInt(percent) + 99n) / 100n)
        expect(dueNotice({ capMinor, usedMinor: enough, told: null })).toBeGreaterThanOrEqual(percent)
        if (enough === 0) return
        expect(dueNotice({ capMinor, usedMinor: enough - 1, told: null }) ?? 0).toBeLessThan(percent)
      }),
    )
  })

  test('using more of the cap never makes a lower notice due, and after a notice only a higher one is due', () => {
    fc.assert(
      fc.property(amount, amount, amount, told, (capMinor, one, two, before) => {
        const [less, more] = one < two ? [one, two] : [two, one]
        const reached = dueNotice({ capMinor, usedMinor: more, told: null }) ?? 0
        expect(dueNotice({ capMinor, usedMinor: less, told: null }) ?? 0).toBeLessThanOrEqual(reached)
        expect(dueNotice({ capMinor, usedMinor: more, told: before }) ?? 0).toBe(reached > (before ?? 0) ? reached : 0)
      }),
    )
  })

  test('each share is told at most once a day and in rising order, for any payments', () => {
    const day = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 20 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), day, (capMinor, payments) => {
        const notices: number[] = []
        let state: CapUse = { capMinor, usedMinor: 0, told: null }
        for (const payment of payments) {
          const usedMinor = state.usedMinor + payment
          const due = dueNotice({ ...state, usedMinor })
          if (due !== null) notices.push(due)
          state = { capMinor, usedMinor, told: due ?? state.told }
        }
        const jumped = notices[0] === 100
        const share = (state.usedMinor * 100) / capMinor
        expect(notices).toEqual(share < 80 ? [] : jumped ? [100] : share < 100 ? [80] : [80, 100])
      }),
    )
  })
})
