import { expect, test } from 'vitest'
import { NO_WIRE_LIMITS, type RecordedLimits } from '@/server/wallet/limits/input'
import { timeZoneOf } from './limits-draft'

const OWN = 'Europe/Berlin'
const daily: RecordedLimits = { currency: 'EUR', daily_cap_minor: 5_000, time_zone: 'UTC' }

test.each<[string, RecordedLimits | null, string]>([
  ['without limits it is the reader’s own', null, OWN],
  ['with a limit per day alone it is the reader’s own', daily, OWN],
  ['with a limit per week it is the stored one', { ...daily, weekly_cap_minor: 9_000 }, 'UTC'],
  [
    'with a limit per month in another currency it is the stored one',
    { ...daily, other_currencies: { USD: { ...NO_WIRE_LIMITS, monthly_cap_minor: 9_000 } } },
    'UTC',
  ],
  ['once another one was chosen it is that one', { ...daily, time_zone: 'Asia/Tokyo' }, 'Asia/Tokyo'],
])('the time zone of the form: %s', (_when, limits, expected) => {
  expect(timeZoneOf(limits, OWN)).toBe(expected)
})
