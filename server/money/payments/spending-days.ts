import { DAY_MILLISECONDS, type Days, lengthOf, mondayOf, monthOf } from '../../base/core/calendar-day'
import { type CalendarDate, midnightIn, zonedDate } from '../../base/core/zoned-time'
import type { SpendingPeriod } from './input'

const MONTHS_SHOWN = 12
/** The largest number of days that get a bar each; more bars cannot be told apart on a phone. */
const DAYS_SHOWN = 92

export interface SpendingDays {
  readonly days: Days
  /** The same number of days of the period before; none of them belongs to the period itself. */
  readonly before: Days
}

/**
 * Returns the days of a period up to today, and the days that they are compared with: the same number, from the
 * beginning of the previous period on. Where the previous period is too short, as February is for 31 days, they are the
 * days directly before the period.
 */
export function spendingDays(period: SpendingPeriod, today: number): SpendingDays {
  const days = daysOf(period, today)
  const length = lengthOf(days)
  const from = Math.min(startBefore(period, days), days.from - length)
  return { days, before: { from, to: from + length - 1 } }
}

function daysOf(period: SpendingPeriod, today: number): Days {
  if (typeof period !== 'string') return { from: period.from, to: Math.max(period.from, Math.min(period.to, today)) }
  if (period === 'this_week') return { from: mondayOf(today), to: today }
  if (period === 'this_month') return { from: monthOf(today), to: today }
  if (period === 'last_month') return { from: monthOf(today, -1), to: monthOf(today) - 1 }
  return { from: monthOf(today, 1 - MONTHS_SHOWN), to: today }
}

function startBefore(period: SpendingPeriod, { from, to }: Days): number {
  if (typeof period !== 'string') return from - lengthOf({ from, to })
  if (period === 'this_week') return from - 7
  return monthOf(from, period === 'last_12_months' ? -MONTHS_SHOWN : -1)
}

/**
 * Returns the first day of each bar: of every day, or of every month for `last_12_months` and for periods of more than
 * 92 days.
 */
export function barsOf(period: SpendingPeriod, { from, to }: Days): { per: 'day' | 'month'; starts: number[] } {
  if (period !== 'last_12_months' && lengthOf({ from, to }) <= DAYS_SHOWN) {
    return { per: 'day', starts: Array.from({ length: lengthOf({ from, to }) }, (_, at) => from + at) }
  }
  const starts = [from]
  for (let month = monthOf(from, 1); month <= to; month = monthOf(month, 1)) starts.push(month)
  return { per: 'month', starts }
}

/** Returns the day of an instant in a time zone, as the number of days since 1970-01-01. */
export function dayIn(timeZone: string, instant: Date): number {
  const { year, month, day } = zonedDate(instant, timeZone)
  return Date.UTC(year, month - 1, day) / DAY_MILLISECONDS
}

/** Returns the instant at which a day begins in a time zone. */
export function startIn(timeZone: string, day: number): Date {
  return midnightIn(timeZone, toDate(day))
}

function toDate(day: number): CalendarDate {
  const date = new Date(day * DAY_MILLISECONDS)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}
