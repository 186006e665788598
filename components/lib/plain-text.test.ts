import { expect, test } from 'vitest'
import { merchantName } from './merchant-name'
import { plainHost } from './plain-text'

test('a long host is cut at the front, so that its end stays', () => {
  const host = `tallow.example.${'a'.repeat(60)}.shop.evil.test`
  expect(plainHost(host)).toBe(`…${host.slice(-60)}`)
  expect(plainHost('tallow.example')).toBe('tallow.example')
})

test('a merchant without a name is called by its host and path', () => {
  expect(merchantName(null, 'https://tallow.example/shop')).toBe('tallow.example/shop')
  const host = `${'a'.repeat(60)}.${'b'.repeat(30)}.evil.test`
  expect(merchantName(null, `https://${host}/shop`)).toMatch(/\.evil\.test\/shop$/)
})
