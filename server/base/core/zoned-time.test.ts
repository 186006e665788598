import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lastTimeIn, nextTimeIn, timeIn, zonedDate } from './zoned-time'

const HOUR_MILLISECONDS = 3_600_000

const zones = fc.constantFrom('UTC', 'Europe/Vienna', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia')
const instants = fc.date({
  noInvalidDate: true,
  min: new Date('2026-01-01T00:00:00Z'),
  max: new Date('2029-01-01T00:00:00Z'),
})
const minutes = fc.integer({ min: 0, max: 1_439 })

describe('a time of a date by the clocks of a zone', () => {
  test.each<[string, string, number, string]>([
    ['an ordinary day', '2026-11-25', 420, '2026-11-25T06:00:00.000Z'],
    ['the day on which clocks skip it', '2026-03-29', 150, '2026-03-29T01:00:00.000Z'],
    ['the day on which clocks show it twice', '2026-10-25', 150, '2026-10-25T00:30:00.000Z'],
  ])('in Vienna on %s (%s, minute %i) is %s', (_when, date, minute, expected) => {
    const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
    expect(timeIn('Europe/Vienna', { year, month, day }, minute).toISOString()).toBe(expected)
  })

  test('the last one and the next one are a day apart, an hour of a clock change aside', () => {
    fc.assert(
      fc.property(instants, zones, minutes, (now, zone, minute) => {
        const [last, next] = [lastTimeIn(zone, minute, now), nextTimeIn(zone, minute, now)]
        expect(last.getTime()).toBeLessThanOrEqual(now.getTime())
        expect(next.getTime()).toBeGreaterThan(now.getTime())
        const hours = (next.getTime() - last.getTime()) / HOUR_MILLISECONDS
        expect(hours).toBeGreaterThanOrEqual(23)
        expect(hours).toBeLessThanOrEqual(25)
        expect(nextTimeIn(zone, minute, last)).toEqual(next)
      }),
    )
  })

  test('each date has it once, however clocks change', () => {
    fc.assert(
      fc.property(instants, zones, minutes, (now, zone, minute) => {
        const next = nextTimeIn(zone, minute, now)
        expect(timeIn(zone, zonedDate(next, zone), minute)).toEqual(next)
      }),
    )
  })
})
