import { expect, test } from 'vitest'
import { describeMoney } from './summary.ts'

test.each([
  [1_200, 'EUR', 'EUR 12.00'],
  [5_000, 'JPY', 'JPY 5000'],
  [1_500, 'KWD', 'KWD 1.500'],
  [5, 'USD', 'USD 0.05'],
  [459_000, 'HUF', 'HUF 4590.00'],
  [1_200, 'RSD', 'RSD 12.00'],
  [1_200, 'IQD', 'IQD 1.200'],
  [12_345, 'CLF', 'CLF 1.2345'],
  [7, 'nothing', '7 (minor units)'],
])('%d minor units of %s are %s', (amount, currency, text) => {
  expect(describeMoney(amount, currency)).toBe(text)
})
