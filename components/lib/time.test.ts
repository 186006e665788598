import { expect, test } from 'vitest'
import { formatAgo, formatDuration, formatTimeLeft } from './time'

test.each([
  // From Monday at eleven in the evening to Wednesday: less than 48 hours, but two days.
  ['2026-11-23T23:00:00Z', '2026-11-25T10:00:00Z', 'UTC', '2 days ago', 'vorgestern'],
  ['2026-11-23T01:00:00Z', '2026-11-24T23:00:00Z', 'UTC', 'yesterday', 'gestern'],
  ['2026-11-18T23:00:00Z', '2026-11-25T10:00:00Z', 'UTC', '7 days ago', 'vor 7 Tagen'],
  // In Tokyo Sunday has not yet ended and Tuesday has begun.
  ['2026-11-22T14:00:00Z', '2026-11-23T15:30:00Z', 'UTC', 'yesterday', 'gestern'],
  ['2026-11-22T14:00:00Z', '2026-11-23T15:30:00Z', 'Asia/Tokyo', '2 days ago', 'vorgestern'],
  // The day on which summer time ends has 25 hours.
  ['2026-10-23T22:30:00Z', '2026-10-25T22:30:00Z', 'Europe/Berlin', 'yesterday', 'gestern'],
])('%s read at %s in %s', (iso, now, timeZone, english, german) => {
  expect(formatAgo(iso, Date.parse(now), { locale: 'en', timeZone })).toBe(english)
  expect(formatAgo(iso, Date.parse(now), { locale: 'de', timeZone })).toBe(german)
})

test('a time less than a day ago is shown in hours, and one more than a week ago as a date', () => {
  const ago = (iso: string) => formatAgo(iso, Date.parse('2026-11-25T10:00:00Z'), { locale: 'en', timeZone: 'UTC' })
  expect(ago('2026-11-24T23:00:00Z')).toBe('11 hours ago')
  expect(ago('2026-11-24T10:30:00Z')).toBe('23 hours ago')
  expect(ago('2026-11-25T09:59:30Z')).toBe('now')
  expect(ago('2026-11-18T10:00:00Z')).toBeNull()
})

test.each([
  [14 * 60, '14 min', '14 Min.'],
  [60, '1 min', '1 Min.'],
  [4 * 60 + 12, '4 min 12 sec', '4 Min. 12 Sek.'],
  [12, '12 sec', '12 Sek.'],
  [2 * 3600 + 5 * 60, '2 hours 5 min', '2 Stunden 5 Min.'],
])('a duration of %i s has the same short unit for one and for many', (seconds, english, german) => {
  expect(formatDuration(seconds, 'en')).toBe(english)
  expect(formatDuration(seconds, 'de')).toBe(german)
  expect(formatTimeLeft(14 * 60 + 30, 'en')).toBe('14 min')
})
