import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lengthOf, parseDay, writeDay } from '../../base/core/calendar-day'
import { namedPeriods, parsePeriod, type SpendingPeriod, writePeriod } from './input'
import { barsOf, dayIn, spendingDays, startIn } from './spending-days'

const ZONES = [
  'UTC',
  'Europe/Vienna',
  'America/New_York',
  'Asia/Beirut',
  'Pacific/Apia',
  'Africa/Cairo',
  'Asia/Kolkata',
]
const FIRST = parseDay('2000-01-01')
const LAST = parseDay('2060-12-31')

const day = fc.integer({ min: FIRST, max: LAST })
const period: fc.Arbitrary<SpendingPeriod> = fc.oneof(
  fc.constantFrom(...namedPeriods),
  fc.tuple(day, fc.nat(800)).map(([from, more]) => ({ from, to: from + more })),
)

const write = (name: string, today: string) => {
  const found = parsePeriod(name)
  if (found === null) throw new Error(`no period: ${name}`)
  const { days, before } = spendingDays(found, parseDay(today))
  return [days, before].map(({ from, to }) => `${writeDay(from)} ${writeDay(to)}`)
}

describe('the days of a period', () => {
  test.each([
    ['this_month', '2026-11-22', '2026-11-01 2026-11-22', '2026-10-01 2026-10-22'],
    ['this_month', '2026-03-31', '2026-03-01 2026-03-31', '2026-01-29 2026-02-28'],
    ['this_month', '2026-01-01', '2026-01-01 2026-01-01', '2025-12-01 2025-12-01'],
    ['last_month', '2026-11-22', '2026-10-01 2026-10-31', '2026-08-31 2026-09-30'],
    ['last_month', '2028-03-05', '2028-02-01 2028-02-29', '2028-01-01 2028-01-29'],
    ['this_week', '2026-11-22', '2026-11-16 2026-11-22', '2026-11-09 2026-11-15'],
    ['this_week', '2026-11-25', '2026-11-23 2026-11-25', '2026-11-16 2026-11-18'],
    ['last_12_months', '2026-11-22', '2025-12-01 2026-11-22', '2024-12-01 2025-11-22'],
    ['last_12_months', '2028-02-29', '2027-03-01 2028-02-29', '2026-02-28 2027-02-28'],
    ['2026-11-01..2026-11-10', '2026-11-22', '2026-11-01 2026-11-10', '2026-10-22 2026-10-31'],
    ['2026-11-20..2026-12-31', '2026-11-22', '2026-11-20 2026-11-22', '2026-11-17 2026-11-19'],
  ])('of %s on %s are %s, compared with %s', (name, today, days, before) => {
    expect(write(name, today)).toEqual([days, before])
  })

  test('are always compared with as many days, all of which are over when the period begins', () => {
    fc.assert(
      fc.property(period, day, (chosen, today) => {
        const { days, before } = spendingDays(chosen, today)
        expect(lengthOf(before)).toBe(lengthOf(days))
        expect(lengthOf(days)).toBeGreaterThan(0)
        expect(before.to).toBeLessThan(days.from)
      }),
    )
  })

  test('are those of the clocks of any zone: each begins where the one before ends, and holds its instants', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        day,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (zone, at, part) => {
          const [start, end] = [startIn(zone, at).getTime(), startIn(zone, at + 1).getTime()]
          expect(end).toBeGreaterThanOrEqual(start)
          if (end > start) expect(dayIn(zone, new Date(start + Math.floor(part * (end - start))))).toBe(at)
        },
      ),
      { numRuns: 500 },
    )
  })

  test.each([
    ['Europe/Vienna', '2026-03-29', 23],
    ['Europe/Vienna', '2026-10-25', 25],
    ['Europe/Vienna', '2026-11-01', 24],
    ['America/New_York', '2026-11-01', 25],
    ['Africa/Cairo', '2026-04-24', 23],
  ])('in %s, %s has %i hours', (zone, name, hours) => {
    const at = parseDay(name)
    expect(startIn(zone, at + 1).getTime() - startIn(zone, at).getTime()).toBe(hours * 3_600_000)
  })

  test('make one bar each, or one a month, which together hold every day once', () => {
    fc.assert(
      fc.property(period, day, (chosen, today) => {
        const { days } = spendingDays(chosen, today)
        const { per, starts } = barsOf(chosen, days)
        expect(starts[0]).toBe(days.from)
        expect(starts).toEqual(starts.toSorted((one, other) => one - other))
        expect(starts.at(-1)).toBeLessThanOrEqual(days.to)
        if (per === 'day') expect(starts).toHaveLength(lengthOf(days))
        else expect(starts.slice(1).every((start) => writeDay(start).endsWith('-01'))).toBe(true)
        if (chosen === 'last_12_months') expect(starts).toHaveLength(12)
      }),
    )
  })
})

describe('the name of a period', () => {
  test('is read as it is written', () => {
    fc.assert(
      fc.property(period, (chosen) => {
        expect(parsePeriod(writePeriod(chosen))).toEqual(chosen)
      }),
    )
  })

  test.each([
    '',
    'next_week',
    '2026-11-01',
    '2026-11-10..2026-11-01',
    '2026-02-30..2026-03-01',
    '2026-01-01..2026-01-02..2026-01-03',
    '1000-01-01..2026-01-01',
    '2001-01-01..2026-01-01',
    '0000-01-01..0000-01-02',
  ])('%j is none', (name) => {
    expect(parsePeriod(name)).toBeNull()
  })
})
