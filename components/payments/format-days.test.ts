import { expect, test } from 'vitest'
import { formatDays, formatMonth } from './format-days'

test.each([
  ['2026-10-01', '2026-10-22', false, '1 to 22 October', '1. bis 22. Oktober'],
  ['2026-01-29', '2026-02-28', false, '29 January to 28 February', '29. Januar bis 28. Februar'],
  ['2026-10-01', '2026-10-01', false, '1 October', '1. Oktober'],
  ['2026-11-01', '2026-11-22', true, '1 to 22 November 2026', '1. bis 22. November 2026'],
  ['2024-12-01', '2025-11-22', true, '1 December 2024 to 22 November 2025', '1. Dezember 2024 bis 22. November 2025'],
])('%s to %s is written out, the year only where it is asked for', (from, to, withYear, english, german) => {
  expect(formatDays({ from, to }, { locale: 'en', until: 'to', withYear })).toBe(english)
  expect(formatDays({ from, to }, { locale: 'de', until: 'bis', withYear })).toBe(german)
})

test('a month is named with its year', () => {
  expect(formatMonth('2026-10-01', 'en')).toBe('October 2026')
  expect(formatMonth('2026-10-01', 'de')).toBe('Oktober 2026')
})
