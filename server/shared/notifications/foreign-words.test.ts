import { expect, test } from 'vitest'
import { quotedName, shopName } from './foreign-words'

test.each([
  ['Claude Code on ada-mbp', '“Claude Code on ada-mbp”'],
  ['GPT-4.1 helper, v1.2 (beta)', '“GPT-4.1 helper, v1.2 (beta)”'],
  ['مساعد التسوق', '“مساعد التسوق”'],
  ['Say “yes” & "approve"', '“Say yes & approve”'],
  ['Two\nlines\u2028here', '“Two lines here”'],
  ['W'.repeat(200), `“${'W'.repeat(80)}…”`],
  ['', '“…”'],
])('%j stands as %s', (name, quoted) => {
  expect(quotedName(name, 'en')).toBe(quoted)
})

test('a name stands in the quotation marks of the language, which it cannot close', () => {
  expect(quotedName('Say „ja“ & “yes”', 'de')).toBe('„Say ja & yes“')
})

test.each([
  'https://evil.example',
  'HTTPS://evil.example/pay?x=1',
  'hxxp://evil.example',
  'https: //evil.example',
  'https:\\\\evil.example',
  '//evil.example',
  'evil.example',
  'www.evil.example',
  'evil.example/pay',
  'evil.example:8443',
  'ｅｖｉｌ．ｅｘａｍｐｌｅ',
  'evil。example',
  'evil｡example',
  'evil\u2024example',
  'evil\u200b.exa\u00admple',
  'evil".example',
  'evil[.]example',
  'evil (dot) example',
  'münchen.example',
  'xn--mnchen-3ya.example',
  'пример.рф',
  '192.0.2.7',
  '[2001:db8::1]',
  'mailto:b',
  'tel:110',
  'b@evil.example',
  '<b@evil>',
  'b＠evil.example',
  'b [at] evil',
  '@evil_pay',
  '+49 30 1234567',
  '0049-30-123456',
  '(030) 123 456',
  '030/123.456',
  '+4930',
  '٠٣٠١٢٣٤٥٦',
])('%j is an address and does not stand', (address) => {
  for (const name of [address, `Pay at ${address} now`]) {
    const quoted = quotedName(name, 'en')
    expect(quoted).toMatch(name === address ? /^“[…<>()\s]+”$/ : /^“Pay at […<>()\s]+ now”$/)
  }
})

test('a long name without end is read in no time', () => {
  const started = performance.now()
  for (const part of ['a.', '1 ', 'a@', '(', 'a-', '://', '[.']) quotedName(part.repeat(2_000), 'en')
  expect(performance.now() - started).toBeLessThan(1_000)
})

test('a shop stands by its name only where that was verified', () => {
  const shop = { name: 'Tallow Books', audience: 'https://tallow.example' }
  expect(shopName({ ...shop, verified: true })).toBe('Tallow Books')
  expect(shopName({ ...shop, verified: false })).toBe('tallow.example')
  expect(shopName({ ...shop, name: null, verified: true })).toBe('tallow.example')
})

test.each([
  ['https://locked.example/confirm-your-identity-now', 'locked.example'],
  ['https://раypal.test:8443/pay', 'xn--ypal-43d9g.test:8443'],
  [`https://tallow.example.${'a'.repeat(60)}.example.net`, `…${'a'.repeat(47)}.example.net`],
])('a shop that is not verified stands by its host, of %s: %s', (audience, host) => {
  expect(shopName({ name: null, audience, verified: false })).toBe(host)
})

test.each([
  'Open https://evil.example/unlock now. Tallow',
  'Tallow, call +49 30 1234567',
  'Booking.example',
  'evil\u200b.example',
])('a verified name that contains an address gives way to the host: %j', (name) =>
  expect(shopName({ name, audience: 'https://tallow.example/x', verified: true })).toBe('tallow.example'),
)

test('a long verified name is cut', () => {
  const shop = { name: 'W'.repeat(200), audience: 'https://tallow.example', verified: true }
  expect(shopName(shop)).toBe(`${'W'.repeat(59)}…`)
})
