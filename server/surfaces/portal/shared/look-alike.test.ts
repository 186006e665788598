import { describe, expect, test } from 'vitest'
import { findLookAlike, type KnownShop } from './look-alike'

const TALLOW: KnownShop = { audience: 'https://tallow.example/shop', name: 'Tallow Books' }
const MICRO: KnownShop = { audience: 'https://www.microsoft.example', name: 'Micro' }
const PAY: KnownShop = { audience: 'https://paypal.co.uk', name: null }
const SHORT: KnownShop = { audience: 'https://abc.example', name: 'ABC' }
const MILL: KnownShop = { audience: 'https://old-mill.example', name: 'Old Mill' }
const BOOKS: KnownShop = { audience: 'https://books.example', name: 'Books' }
const known = [TALLOW, MICRO, PAY, SHORT, MILL, BOOKS]

describe('an address that could be taken for a known shop', () => {
  test.each([
    ['a letter of another alphabet', 'https://xn--tllow-4ve.example', 'Tallow Books'],
    ['the same on another ending', 'https://xn--tllow-4ve.shop', 'Tallow Books'],
    ['the same with www and a port', 'https://www.xn--tllow-4ve.example:8443/pay', 'Tallow Books'],
    ['rn for m', 'https://rnicrosoft.example', 'Micro'],
    ['a digit for a letter', 'https://paypa1.co.uk', 'paypal.co.uk'],
    ['a digit for a letter, on another ending', 'https://tal1ow.store', 'Tallow Books'],
    ['one letter changed', 'https://tallov.example', 'Tallow Books'],
    ['one letter added', 'https://tallows.example', 'Tallow Books'],
    ['one letter left out', 'https://talow.example', 'Tallow Books'],
    ['two letters swapped', 'https://tallwo.example', 'Tallow Books'],
    ['its host before another domain', 'https://paypal.co.uk.secure.evil.test', 'paypal.co.uk'],
    ['its host within another host', 'https://login.tallow.example.evil.test', 'Tallow Books'],
    ['the host of a short name before another domain', 'https://abc.example.evil.test', 'ABC'],
    ['its name before a hyphen', 'https://paypal-secure.com', 'paypal.co.uk'],
    ['its name after a hyphen', 'https://www-paypal.com', 'paypal.co.uk'],
    ['its name in a part of a subdomain', 'https://pay.tallow-shop.evil.test', 'Tallow Books'],
    ['its name as a subdomain', 'https://tallow.evil.test', 'Tallow Books'],
    ['its name with a digit in a part', 'https://tal1ow-shop.test', 'Tallow Books'],
    ['its name of two parts in a longer one', 'https://my-old-mill.test', 'Old Mill'],
    ['its name on another ending', 'https://tallow.store', 'Tallow Books'],
    ['one letter changed below a subdomain', 'https://pay.tallov.example', 'Tallow Books'],
  ])('is recognised by %s', (_how, audience, name) => {
    expect(findLookAlike(audience, known)?.name).toBe(name)
  })

  test('is reported with the origin of the known shop', () => {
    expect(findLookAlike('https://tallov.example/x', known)).toEqual({
      name: 'Tallow Books',
      origin: 'https://tallow.example',
    })
  })
})

describe('an address that is left alone', () => {
  test.each([
    ['the shop itself', 'https://tallow.example'],
    ['the shop itself on another path or port', 'https://tallow.example:444/other'],
    ['a subdomain of the shop', 'https://books.tallow.example'],
    ['the shop itself with www', 'https://www.tallow.example'],
    ['a short name on another ending', 'https://abc.store'],
    ['a short name in a part', 'https://abc-shop.test'],
    ['a common word in a part', 'https://mill-books.test'],
    ['a common word on another ending', 'https://books.test'],
    ['an ending that is a name', 'https://bakery.paypal'],
    ['a name within a word', 'https://swallowtallows.test'],
    ['a name of two parts without one', 'https://my-old.test'],
    ['another name', 'https://bookshop.example'],
    ['a name two letters away', 'https://tailov.example'],
    ['a short name one letter away', 'https://abd.example'],
    ['an IP address', 'https://192.0.2.7'],
    ['an IPv6 address', 'https://[2001:db8::1]'],
    ['no address at all', 'tallow'],
  ])('%s', (_what, audience) => {
    expect(findLookAlike(audience, known)).toBeNull()
  })

  test('is any address while no shop is known', () => {
    expect(findLookAlike('https://tallov.example', [])).toBeNull()
  })

  test('is one beside a known shop with an unreadable address', () => {
    expect(findLookAlike('https://tallov.example', [{ audience: 'shop', name: 'Shop' }])).toBeNull()
  })
})
