import { describe, expect, test } from 'vitest'
import { merchantName } from './merchant-name'
import { plainHost, plainName, plainText, splitTail } from './plain-text'

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

test("the tail of an agent's key is apart from its name, where there is one", () => {
  expect(splitTail('Claude …7sn1')).toEqual({ start: 'Claude', tail: '…7sn1' })
  expect(splitTail('…7sn1 Claude')).toEqual({ start: '…7sn1 Claude', tail: null })
})

describe('text of another party that was stored before marks were bounded', () => {
  test.each([
    ['a pile of marks keeps four', `xyz${'\u0301'.repeat(82)}!`, `xyz${'\u0301'.repeat(4)}!`],
    ['circles around a letter go', `x${'\u20dd'.repeat(255)} book`, 'x book'],
    ['keycaps around a letter go', `x${'\u20e3'.repeat(9)}`, 'x'],
    ['a keycap stays', '1️⃣ 2\u20e3', '1️⃣ 2\u20e3'],
    ['Vietnamese stays', 'Tiếng Việt'.normalize('NFD'), 'Tiếng Việt'.normalize('NFD')],
    ['Burmese stays', 'လျှော့ဈေး', 'လျှော့ဈေး'],
  ])('%s', (_what, stored, shown) => {
    expect(plainText(stored, 300)).toBe(shown)
    expect(plainName(stored)).toBe(shown)
  })
})
