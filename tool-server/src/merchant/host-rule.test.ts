import { expect, test } from 'vitest'
import { requireMerchantHost } from './host-rule.js'

const issuer = 'https://as.example/tenant'
const check = (url: string, merchant: string) => () => requireMerchantHost(url, { merchant, issuer })

test.each([
  ['https://shop.example/api', 'https://shop.example'],
  ['https://SHOP.example:443/verify', 'https://shop.example/store/'],
  ['https://pay.eu.shop.example/verify', 'https://shop.example'],
  ['https://shop.example./verify', 'https://shop.example'],
  ['https://xn--bcher-kva.example/verify', 'https://bücher.example'],
  ['http://127.0.0.1:4010/verify', 'http://127.0.0.1:4010/shop'],
  ['https://as.example/tenant/merchant_test/verify-mandate', 'https://shop.example'],
])('A1 %s may get what is for %s', (url, merchant) => {
  expect(check(url, merchant)).not.toThrow()
})

test.each([
  ['https://evil.example/verify', 'https://shop.example'],
  ['https://evilshop.example/verify', 'https://shop.example'],
  ['https://shop.example.evil.example/verify', 'https://shop.example'],
  ['https://example/verify', 'https://shop.example'],
  ['https://shop.example:8443/verify', 'https://shop.example'],
  ['https://pay.shop.example:8443/verify', 'https://shop.example'],
  ['http://shop.example/verify', 'https://shop.example'],
  ['https://shop.example@evil.example/verify', 'https://shop.example'],
  ['http://127.0.0.1:4011/verify', 'http://127.0.0.1:4010/shop'],
  ['http://localhost:4010/verify', 'http://127.0.0.1:4010'],
  ['http://[::1]:4010/verify', 'http://127.0.0.1:4010'],
  ['https://as.example/merchant_test/verify-mandate', 'https://shop.example'],
  ['https://as.example/tenant/merchant_test/../other', 'https://shop.example'],
  ['https://as.example/tenant/merchant_test/%2e%2e/other', 'https://shop.example'],
  ['https://as.example.evil.example/tenant/merchant_test/verify-mandate', 'https://shop.example'],
])('A1 %s never gets what is for %s', (url, merchant) => {
  expect(check(url, merchant)).toThrow('refused address (another host than the merchant)')
})
