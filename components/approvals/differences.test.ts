import { expect, test } from 'vitest'
import { differencesOf } from '@/components/approvals/differences'

type CurrentPurchase = Parameters<typeof differencesOf>[0]
type Last = NonNullable<CurrentPurchase['last_purchase']>

const book = { sku: 'book', qty: 1, unit_price_minor: 1_000 }
const post = { sku: 'post', qty: 1, unit_price_minor: 200 }
const agent = { client_id: 'a', label: 'Claude', purpose: null }
const asked: Omit<CurrentPurchase, 'last_purchase'> = {
  amount_minor: 1_200,
  currency: 'EUR',
  line_items: [book, post],
  agent,
}
const last: Last = {
  at: '2026-11-12T09:00:00.000Z',
  amount_minor: 1_200,
  currency: 'EUR',
  agent: { client_id: 'a', label: 'Claude' },
  items: [book, post],
}
const same = { kind: 'same' }
const none = { amountMinor: 0, items: [same, same], gone: [], otherAgent: null, same: true }

test('the first purchase differs from nothing', () => {
  expect(differencesOf({ ...asked, last_purchase: null })).toBeNull()
})

test.each<[string, Partial<Last>, Record<string, unknown>]>([
  ['nothing', {}, none],
  ['a higher amount', { amount_minor: 1_000 }, { amountMinor: 200 }],
  ['a lower amount', { amount_minor: 1_500 }, { amountMinor: -300 }],
  ['another currency', { currency: 'USD' }, { amountMinor: null }],
  [
    'another currency and price',
    {
      currency: 'JPY',
      items: [
        { ...book, qty: 2, unit_price_minor: 1_500 },
        { ...post, unit_price_minor: 300 },
      ],
    },
    { amountMinor: null, items: [{ kind: 'changed', qty: 2, priceMinor: null }, same] },
  ],
  ['another agent', { agent: { client_id: 'b', label: 'Robo' } }, { otherAgent: 'Robo' }],
  ['an item that is new', { items: [book] }, { items: [same, { kind: 'new' }] }],
  ['an item that is gone', { items: [book, post, { sku: 'pen', qty: 2 }] }, { gone: [{ sku: 'pen', qty: 2 }] }],
  [
    'another quantity',
    { items: [{ ...book, qty: 3 }, post] },
    { items: [{ kind: 'changed', qty: 3, priceMinor: null }, same] },
  ],
  [
    'another price',
    { items: [book, { ...post, unit_price_minor: 100 }] },
    { items: [same, { kind: 'changed', qty: null, priceMinor: 100 }] },
  ],
  ['two lines where one was', { items: [book, post, post] }, { gone: [post] }],
])('what differs: %s', (_what, change, difference) => {
  const isSame = difference === none
  expect(differencesOf({ ...asked, last_purchase: { ...last, ...change } })).toEqual({
    ...none,
    same: isSame,
    ...difference,
  })
})

test('items that are no longer known are not compared', () => {
  expect(differencesOf({ ...asked, last_purchase: { ...last, items: null } })).toEqual(none)
})

test('a price that is missing on either side is no other price', () => {
  const unpriced = { sku: 'book', qty: 1 }
  expect(differencesOf({ ...asked, last_purchase: { ...last, items: [unpriced, post] } })).toEqual(none)
})
