import { describe, expect, test } from 'vitest'
import { currencyCodes } from '../../core/money'
import { ProcessorRefused } from '../../core/processor'
import { fromStripeAmount, toStripeAmount } from './stripe-amounts'

const refusalOf = (amountMinor: number, currency: string): string => {
  try {
    return String(toStripeAmount(amountMinor, currency))
  } catch (error) {
    if (error instanceof ProcessorRefused) return error.code
    throw error
  }
}

describe('an amount in ISO 4217 minor units', () => {
  test.each([
    ['two digits as they are', 1_234, 'EUR', 1_234],
    ['no digits as they are', 500, 'JPY', 500],
    ['two digits although payouts know none', 1_045, 'HUF', 1_045],
    ['two digits although payouts know none', 80_045, 'TWD', 80_045],
    ['three digits that end in nought', 5_120, 'KWD', 5_120],
    ['whole krónur, which Stripe counts in hundredths', 5, 'ISK', 500],
    ['whole ariary, which Stripe counts whole', 500, 'MGA', 5],
    ['the largest one', 1_000_000_000_000, 'USD', 1_000_000_000_000],
    ['the largest one, counted in hundredths', 1_000_000_000_000, 'ISK', 100_000_000_000_000],
  ])(
    'an amount in ISO 4217 minor units is sent exactly, and comes back: %s (%d %s)',
    (_, amountMinor, currency, amount) => {
      expect(toStripeAmount(amountMinor, currency)).toBe(amount)
      expect(fromStripeAmount(amount, currency)).toBe(amountMinor)
    },
  )

  test.each([
    [5_124, 'KWD', 'amount_not_supported'],
    [5_121, 'TND', 'amount_not_supported'],
    [501, 'MGA', 'amount_not_supported'],
    [100, 'UGX', 'currency_not_supported'],
    [100, 'CLF', 'currency_not_supported'],
    [100, 'IQD', 'currency_not_supported'],
    [100, 'XXX', 'currency_not_supported'],
    [Number.MAX_SAFE_INTEGER, 'ISK', 'amount_not_supported'],
  ])('an amount in ISO 4217 minor units is refused rather than rounded: %d %s', (amountMinor, currency, code) => {
    expect(refusalOf(amountMinor, currency)).toBe(code)
  })

  test('an amount in ISO 4217 minor units comes back from every currency that is taken', () => {
    const taken = currencyCodes.filter((currency) => refusalOf(123_000, currency) !== 'currency_not_supported')
    expect(taken.length).toBeGreaterThan(130)
    for (const currency of taken) {
      expect(fromStripeAmount(toStripeAmount(123_000, currency), currency), currency).toBe(123_000)
    }
  })
})

test.each([
  [550, 'ISK'],
  [500, 'UGX'],
])('an amount of %d %s at Stripe is no amount here', (amount, currency) => {
  expect(fromStripeAmount(amount, currency)).toBeNull()
})
