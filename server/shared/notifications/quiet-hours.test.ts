import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { zonedDate } from '../../base/core/zoned-time'
import { quietUntil } from './quiet-hours'

const MINUTE_MILLISECONDS = 60_000
const ZONE = 'Europe/Vienna'
const night = { fromMinute: 22 * 60, untilMinute: 7 * 60 }

const endOf = (now: string, hours = night, zone = ZONE) => quietUntil(new Date(now), hours, zone)?.toISOString() ?? null

describe('quiet hours', () => {
  test.each<[string, string, string | null]>([
    ['just before they begin', '2026-11-25T20:59:59.999Z', null],
    ['when they begin', '2026-11-25T21:00:00Z', '2026-11-26T06:00:00.000Z'],
    ['after midnight', '2026-11-26T02:00:00Z', '2026-11-26T06:00:00.000Z'],
    ['when they end', '2026-11-26T06:00:00Z', null],
    ['in the night in which clocks go forward', '2026-03-28T22:00:00Z', '2026-03-29T05:00:00.000Z'],
    ['in the night in which clocks go back', '2026-10-24T22:00:00Z', '2026-10-25T06:00:00.000Z'],
  ])('from 22:00 to 07:00 %s (%s) end at %s', (_when, now, end) => {
    expect(endOf(now)).toBe(end)
  })

  test.each<[string, string, string | null]>([
    ['before the skipped hour', '2026-03-29T00:30:00Z', '2026-03-29T01:00:00.000Z'],
    ['before the end that is shown twice', '2026-10-25T00:15:00Z', '2026-10-25T00:30:00.000Z'],
    ['after it was shown once', '2026-10-25T01:15:00Z', null],
  ])('that end at 02:30 end once where clocks change: %s', (_when, now, end) => {
    expect(endOf(now, { fromMinute: 0, untilMinute: 150 })).toBe(end)
  })

  test('stay within one day and end when the clocks say so', () => {
    const minutes = fc.integer({ min: 0, max: 1_439 })
    const zones = fc.constantFrom('UTC', ZONE, 'America/St_Johns', 'Asia/Kathmandu', 'Australia/Lord_Howe')
    const instants = fc.date({
      noInvalidDate: true,
      min: new Date('2026-01-01T00:00:00Z'),
      max: new Date('2029-01-01T00:00:00Z'),
    })
    fc.assert(
      fc.property(instants, zones, minutes, minutes, (now, zone, fromMinute, untilMinute) => {
        fc.pre(fromMinute !== untilMinute)
        const end = quietUntil(now, { fromMinute, untilMinute }, zone)
        if (end === null) return
        expect(end.getTime()).toBeGreaterThan(now.getTime())
        expect(end.getTime() - now.getTime()).toBeLessThanOrEqual(25 * 60 * MINUTE_MILLISECONDS)
        const last = new Date(end.getTime() - 1)
        expect(quietUntil(last, { fromMinute, untilMinute }, zone)).toEqual(end)
        const { year, month, day } = zonedDate(end, zone)
        const midnights = [-1, 0, 1].map((days) => Date.UTC(year, month - 1, day + days))
        expect(midnights.some((midnight) => Math.abs(midnight - end.getTime()) <= 50 * 60 * MINUTE_MILLISECONDS)).toBe(
          true,
        )
      }),
    )
  })

  test('in UTC are what the clock says', () => {
    const minutes = fc.integer({ min: 0, max: 1_439 })
    fc.assert(
      fc.property(minutes, minutes, minutes, (minute, fromMinute, untilMinute) => {
        fc.pre(fromMinute !== untilMinute)
        const now = new Date(Date.UTC(2026, 10, 25, 0, minute))
        const isQuiet =
          fromMinute < untilMinute
            ? fromMinute <= minute && minute < untilMinute
            : minute >= fromMinute || minute < untilMinute
        expect(quietUntil(now, { fromMinute, untilMinute }, 'UTC') !== null).toBe(isQuiet)
      }),
    )
  })
})
