import { expect, test } from 'vitest'
import { formatMoney } from './narrator'

test.each([
  [1_200, 'EUR', '€12.00'],
  [459_000, 'HUF', 'HUF\u00a04,590.00'],
  [1_200, 'IQD', 'IQD\u00a01.200'],
  [1_200, 'JPY', '¥1,200'],
])('%i of %s is read as %s', (amountMinor, currency, text) => {
  expect(formatMoney(amountMinor, currency)).toBe(text)
})
