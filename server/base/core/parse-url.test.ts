import { expect, test } from 'vitest'
import { parseUrl } from './parse-url'

test('an address with letters beyond ASCII is one, also once the code is compiled', () => {
  const read = () => parseUrl('https://bücher.example/lesen?wo=köln')?.href
  const answers = new Set(Array.from({ length: 100_000 }, read))
  expect([...answers]).toEqual(['https://xn--bcher-kva.example/lesen?wo=k%C3%B6ln'])
})

test.each(['', 'shop', 'https://', 'https://shop example', 'https://[::1'])('%j is no URL', (text) => {
  expect(parseUrl(text)).toBeNull()
})

test('a path is read against the base that is given', () => {
  expect(parseUrl('/callback?code=1', 'http://127.0.0.1:8090')?.href).toBe('http://127.0.0.1:8090/callback?code=1')
  expect(parseUrl('//', 'http://127.0.0.1:8090')).toBeNull()
})
