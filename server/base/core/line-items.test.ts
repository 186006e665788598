import { describe, expect, test } from 'vitest'
import { itemsMatchAmount } from './line-items'

const amount = { amountMinor: 1_200, currency: 'EUR' }
const priced = (unit_price_minor: number, qty = 1) => ({ qty, unit_price_minor })

describe('items that all have a price', () => {
  test.each([
    ['come to the amount', [priced(1_200)], true],
    ['come to the amount together', [priced(300, 3), priced(300)], true],
    ['come to less, as beside shipping', [priced(1_199)], true],
    ['come to one unit more', [priced(1_201)], false],
    ['are free beside one that is not', [priced(1_200), priced(0)], true],
  ])('items that all have a price match when they %s: %j is %j', (_what, items, matches) => {
    expect(itemsMatchAmount(items, amount)).toBe(matches)
  })

  test('items that all have a price are added up exactly beyond what a number can hold', () => {
    const items = [priced(2 ** 53 - 1, 1_000_000), priced(1)]
    expect(itemsMatchAmount(items, { ...amount, amountMinor: (2 ** 53 - 1) * 1_000_000 })).toBe(false)
  })
})

describe('items of which one has no price', () => {
  test.each([
    ['none has one', [{ qty: 1 }], true],
    ['the others come to less', [priced(900), { qty: 1 }], true],
    ['the others come to the amount', [priced(1_200), { qty: 1 }], true],
    ['the others come to more', [priced(1_201), { qty: 1 }], false],
  ])('items of which one has no price match unless the others come to more: %s', (_what, items, matches) => {
    expect(itemsMatchAmount(items, amount)).toBe(matches)
  })
})

test('an item of another currency does not match, with or without a price', () => {
  expect(itemsMatchAmount([{ ...priced(1_200), currency: 'EUR' }], amount)).toBe(true)
  expect(itemsMatchAmount([{ ...priced(1_200), currency: 'USD' }], amount)).toBe(false)
  expect(itemsMatchAmount([{ qty: 1, currency: 'USD' }], amount)).toBe(false)
})
