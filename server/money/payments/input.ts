import { type Days, isDay, lengthOf, parseDay, writeDay } from '../../base/core/calendar-day'

/** The periods that end today or with a month. Any other period is written as its first and last day. */
export const namedPeriods = ['this_week', 'this_month', 'last_month', 'last_12_months'] as const
export type NamedPeriod = (typeof namedPeriods)[number]
export type SpendingPeriod = NamedPeriod | Days

/** The unit of one bar of the chart. Days are combined into months where there are too many of them. */
export const spendingParts = ['day', 'merchant', 'agent'] as const
export type SpendingPart = (typeof spendingParts)[number]

const RANGE_MAX_DAYS = 3_660

/** Reads the name of a period, or two days such as `2026-11-01..2026-11-22`; null when it is neither. */
export function parsePeriod(text: string): SpendingPeriod | null {
  const named = namedPeriods.find((name) => name === text)
  if (named !== undefined) return named
  const [first = '', last = '', ...more] = text.split('..')
  if (!isDay(first) || !isDay(last) || more.length > 0) return null
  const days = { from: parseDay(first), to: parseDay(last) }
  return days.from <= days.to && lengthOf(days) <= RANGE_MAX_DAYS ? days : null
}

/** Writes a period so that {@link parsePeriod} reads it. */
export function writePeriod(period: SpendingPeriod): string {
  return typeof period === 'string' ? period : `${writeDay(period.from)}..${writeDay(period.to)}`
}
