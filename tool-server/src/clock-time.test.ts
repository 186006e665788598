import { afterEach, expect, test } from 'vitest'
import { clockTime } from './clock-time.js'

const zone = process.env['TZ']
afterEach(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

test.each([
  ['Europe/Berlin', '2026-11-23T14:14:59Z', '15:14 (UTC+01:00)'],
  ['Europe/Berlin', '2026-07-01T22:05:00Z', '00:05 (UTC+02:00)'],
  ['America/St_Johns', '2026-11-23T14:14:00Z', '10:44 (UTC-03:30)'],
  ['UTC', '2026-11-23T14:14:00Z', '14:14 (UTC+00:00)'],
])('C48c in %s, %s is %s', (timeZone, instant, text) => {
  process.env['TZ'] = timeZone
  expect(clockTime(Date.parse(instant))).toBe(text)
})
