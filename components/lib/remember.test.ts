import { expect, test } from 'vitest'
import { choiceCookie, chosenIn } from './remember'

test('a choice is kept for a year, and over TLS in a __Host- cookie that is Secure', () => {
  expect(choiceCookie('theme', 'dark', false)).toBe('theme=dark; path=/; max-age=31536000; samesite=lax')
  expect(choiceCookie('theme', 'dark', true)).toBe('__Host-theme=dark; path=/; max-age=31536000; samesite=lax; secure')
})

test('a choice that only this host can have set counts before one that others may have', () => {
  const cookies: Record<string, string> = { theme: 'light', '__Host-theme': 'dark', locale: 'de' }
  const read = (cookie: string) => cookies[cookie]
  expect(chosenIn(read, 'theme')).toBe('dark')
  expect(chosenIn(read, 'locale')).toBe('de')
  expect(chosenIn(read, 'single-keys')).toBeUndefined()
})
