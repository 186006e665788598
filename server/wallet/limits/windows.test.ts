import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isTimeZone } from '../../base/core/zoned-time'
import { countingWindows, type Windows, windowsAt } from './windows'

const at = (iso: string) => new Date(iso)
const isoOf = ({ from, until }: Windows['week']) => [from.toISOString(), until.toISOString()]

describe('windowsAt', () => {
  test.each<[string, string, string, string]>([
    ['in the middle of a week', '2026-11-25T12:00:00Z', '2026-11-23T00:00:00Z', '2026-11-30T00:00:00Z'],
    ['at Monday 00:00', '2026-11-23T00:00:00Z', '2026-11-23T00:00:00Z', '2026-11-30T00:00:00Z'],
    ['one millisecond before Monday', '2026-11-22T23:59:59.999Z', '2026-11-16T00:00:00Z', '2026-11-23T00:00:00Z'],
    ['on a Sunday', '2026-11-29T00:00:00Z', '2026-11-23T00:00:00Z', '2026-11-30T00:00:00Z'],
    ['over the end of a year', '2026-12-31T23:00:00Z', '2026-12-28T00:00:00Z', '2027-01-04T00:00:00Z'],
    ['over a leap day', '2028-02-29T10:00:00Z', '2028-02-28T00:00:00Z', '2028-03-06T00:00:00Z'],
  ])('in UTC the week %s goes from Monday to Monday', (_when, now, from, until) => {
    expect(isoOf(windowsAt(at(now), 'UTC').week)).toEqual([at(from).toISOString(), at(until).toISOString()])
  })

  test.each<[string, string, string, string]>([
    ['2026-02-14T12:00:00Z', 'UTC', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'],
    ['2026-12-31T23:59:59Z', 'UTC', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['2026-12-31T23:59:59Z', 'Europe/Berlin', '2026-12-31T23:00:00Z', '2027-01-31T23:00:00Z'],
    // Clocks go forward on 29 March and back on 25 October.
    ['2026-03-15T12:00:00Z', 'Europe/Berlin', '2026-02-28T23:00:00Z', '2026-03-31T22:00:00Z'],
    ['2026-10-31T22:59:59Z', 'Europe/Berlin', '2026-09-30T22:00:00Z', '2026-10-31T23:00:00Z'],
    // The zone that is furthest from UTC.
    ['2026-12-31T10:00:00Z', 'Pacific/Kiritimati', '2026-12-31T10:00:00Z', '2027-01-31T10:00:00Z'],
    ['2026-12-31T09:59:59Z', 'Pacific/Kiritimati', '2026-11-30T10:00:00Z', '2026-12-31T10:00:00Z'],
    ['2027-01-01T11:59:59Z', 'Etc/GMT+12', '2026-12-01T12:00:00Z', '2027-01-01T12:00:00Z'],
    ['2026-06-15T00:00:00Z', 'Asia/Kathmandu', '2026-05-31T18:15:00Z', '2026-06-30T18:15:00Z'],
    // Clocks skip the hour from 00:00 on 1 October 2017, so the month begins at 01:00.
    ['2017-10-20T12:00:00Z', 'America/Asuncion', '2017-10-01T04:00:00Z', '2017-11-01T03:00:00Z'],
  ])('the month of %s in %s is from %s to %s', (now, zone, from, until) => {
    expect(isoOf(windowsAt(at(now), zone).month)).toEqual([at(from).toISOString(), at(until).toISOString()])
  })

  test.each<[string, string, number]>([
    ['2026-03-25T12:00:00Z', 'Europe/Berlin', 167],
    ['2026-10-21T12:00:00Z', 'Europe/Berlin', 169],
    ['2026-11-25T12:00:00Z', 'Europe/Berlin', 168],
    ['2026-10-01T12:00:00Z', 'Australia/Lord_Howe', 167.5],
    // A whole day was skipped: after Thursday came Saturday.
    ['2011-12-29T12:00:00Z', 'Pacific/Apia', 144],
  ])('the week of %s in %s has %d hours', (now, zone, hours) => {
    const { from, until } = windowsAt(at(now), zone).week
    expect((until.getTime() - from.getTime()) / 3_600_000).toBe(hours)
  })

  test('where the clocks show midnight twice, a month begins at the first', () => {
    // Havana goes back from 01:00 to 00:00 on 1 November 2026.
    const { month } = windowsAt(at('2026-11-10T12:00:00Z'), 'America/Havana')
    expect(month.from.toISOString()).toBe('2026-11-01T04:00:00.000Z')
  })

  const zones = fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'America/Santiago',
    'America/Havana',
    'Africa/Cairo',
    'Asia/Beirut',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Chatham',
    'Pacific/Kiritimati',
    'Etc/GMT+12',
  )
  const instants = fc.date({ min: at('2024-01-01T00:00:00Z'), max: at('2040-01-01T00:00:00Z'), noInvalidDate: true })

  test('every instant lies in its windows, each of which begins where the one before ends', () => {
    fc.assert(
      fc.property(instants, zones, (now, zone) => {
        const windows = windowsAt(now, zone)
        for (const name of ['week', 'month'] as const) {
          const { from, until } = windows[name]
          expect(from.getTime()).toBeLessThanOrEqual(now.getTime())
          expect(until.getTime()).toBeGreaterThan(now.getTime())
          expect(windowsAt(from, zone)[name]).toEqual({ from, until })
          expect(windowsAt(until, zone)[name].from).toEqual(until)
          expect(windowsAt(new Date(from.getTime() - 1), zone)[name].until).toEqual(from)
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('countingWindows', () => {
  // Sunday 22 November in UTC, Monday already on Kiritimati.
  const NOW = at('2026-11-22T18:00:00Z')
  const moved = { timeZone: 'Pacific/Kiritimati', carried: windowsAt(NOW, 'UTC') }

  test('another zone in which a new week has begun does not begin one before the old week ends', () => {
    expect(windowsAt(NOW, moved.timeZone).week.from.toISOString()).toBe('2026-11-22T10:00:00.000Z')
    const counted = (now: string) => countingWindows(at(now), moved).week.from.toISOString()
    expect(counted('2026-11-22T18:00:00Z')).toBe('2026-11-16T00:00:00.000Z')
    expect(counted('2026-11-22T23:59:59.999Z')).toBe('2026-11-16T00:00:00.000Z')
    expect(counted('2026-11-23T00:00:00Z')).toBe('2026-11-22T10:00:00.000Z')
  })

  test('a window that the new zone lets begin earlier counts from there at once', () => {
    const monday = at('2026-11-23T05:00:00Z')
    const back = { timeZone: 'Etc/GMT+12', carried: windowsAt(monday, 'UTC') }
    expect(countingWindows(monday, back).week.from.toISOString()).toBe('2026-11-16T12:00:00.000Z')
  })

  test('a zone that was never changed counts by its own clocks alone', () => {
    expect(countingWindows(NOW, { timeZone: 'UTC', carried: null })).toEqual(windowsAt(NOW, 'UTC'))
  })
})

describe('isTimeZone', () => {
  test.each(['UTC', 'Europe/Berlin', 'europe/berlin', 'Asia/Calcutta', 'Europe/Kyiv', 'Etc/GMT+12'])(
    '%s is one',
    (name) => {
      expect(isTimeZone(name)).toBe(true)
    },
  )
  test.each(['', '+02:00', '-12:00', 'Europe/Atlantis', 'Berlin', ' UTC', 'UTC;', '../etc/passwd'])(
    '%j is none',
    (name) => {
      expect(isTimeZone(name)).toBe(false)
    },
  )
})
