import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeTransactionData } from '../../base/protocol/request-object'
import { displayOf } from './display'
import { askAboveOf, describePurchase, describesPurchase } from './purchase-transaction'

const item = fc.record({
  sku: fc.string({ minLength: 1 }),
  title: fc.option(fc.string(), { nil: undefined }),
  qty: fc.integer({ min: 1, max: 99 }),
  unit_price_minor: fc.option(fc.nat(), { nil: undefined }),
})
const display = fc
  .record({
    merchant_audience: fc.constantFrom('https://one.example', 'https://one.example/shop', 'https://two.example'),
    amount_minor: fc.nat(),
    currency: fc.constantFrom('EUR', 'USD'),
    line_items: fc.array(item, { maxLength: 3 }),
    ask_above_minor: fc.option(fc.nat(), { nil: undefined }),
  })
  .map((asked) => displayOf({ ...asked, exceeds: null, scope: [] } as Parameters<typeof displayOf>[0]))

const encode = (id: string, shown: ReturnType<typeof displayOf>, more: object = {}) =>
  encodeTransactionData({
    type: 'urn:oid4ac:payment:1',
    credential_ids: ['x'],
    ...describePurchase(id, shown),
    ...more,
  })

describe('the transaction data of a purchase', () => {
  test('describe exactly the purchase that they were made of', () => {
    fc.assert(
      fc.property(display, display, (one, other) => {
        expect(describesPurchase(encode('a1', one), { authorizationId: 'a1', display: one })).toBe(true)
        expect(askAboveOf(encode('a1', one))).toBe(one['ask_above_minor'])
        const isSame = JSON.stringify(one) === JSON.stringify(other)
        expect(describesPurchase(encode('a1', one), { authorizationId: 'a1', display: other })).toBe(isSame)
        expect(describesPurchase(encode('a1', one), { authorizationId: 'a2', display: one })).toBe(false)
        expect(describesPurchase(encode('a1', one, { more: 1 }), { authorizationId: 'a1', display: one })).toBe(false)
      }),
    )
  })

  test.each(['', 'e30', '!', 'W10', Buffer.from('{"a":1,"a":2}').toString('base64url')])(
    'that cannot be read describe nothing: %s',
    (text) => {
      const shown = displayOf({
        merchant_audience: 'https://one.example',
        amount_minor: 1,
        currency: 'EUR',
        line_items: null,
        exceeds: null,
        scope: [],
      })
      expect(describesPurchase(text, { authorizationId: 'a1', display: shown })).toBe(false)
      expect(askAboveOf(text)).toBeUndefined()
    },
  )
})
