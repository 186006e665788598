import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { offerDigest } from './offer-digest'

const offer = {
  merchant: 'https://shop.example',
  offer_id: 'o-1',
  sku: 'tea',
  unit_price_minor: 1_250,
  currency: 'EUR',
}

describe('the offer digest', () => {
  test('the offer digest is SHA-256 over the canonical JSON of the five members', () => {
    const text =
      '{"currency":"EUR","merchant":"https://shop.example","offer_id":"o-1","sku":"tea","unit_price_minor":1250}'
    expect(offerDigest(offer)).toBe(createHash('sha256').update(text).digest('base64url'))
  })

  test('the offer digest does not depend on order or on other members of the catalog item', () => {
    const { currency, ...rest } = { ...offer, title: 'Tea' }
    expect(offerDigest({ currency, ...rest })).toBe(offerDigest(offer))
  })

  test.each(Object.keys(offer))('the offer digest changes with %s', (member) => {
    const changed = { ...offer, [member]: member === 'unit_price_minor' ? 1_251 : 'other' }
    expect(offerDigest(changed)).not.toBe(offerDigest(offer))
  })
})
