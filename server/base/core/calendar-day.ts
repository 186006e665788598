const DAY_MILLISECONDS = 86_400_000

/** Days of the calendar as numbers, counted from 1970-01-01; both belong to them. */
export interface Days {
  readonly from: number
  readonly to: number
}

/** A day that the calendar has, of a year that people pay in: no 31st of February, and no year 0. */
export function isDay(text: string): boolean {
  return /^(?:19|2\d)\d\d-\d\d-\d\d$/.test(text) && writeDay(parseDay(text)) === text
}

/** The number of a day such as `2026-11-21`. */
export function parseDay(text: string): number {
  return Date.parse(`${text}T00:00:00Z`) / DAY_MILLISECONDS
}

/** A day as `2026-11-21`. */
export function writeDay(day: number): string {
  return Number.isNaN(day) ? '' : new Date(day * DAY_MILLISECONDS).toISOString().slice(0, 10)
}

/** The first day of the month that a day lies in, or of one `months` later. */
export function monthOf(day: number, months = 0): number {
  const date = new Date(day * DAY_MILLISECONDS)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) / DAY_MILLISECONDS
}

/** The Monday of the week that a day lies in. */
export function mondayOf(day: number): number {
  return day - ((new Date(day * DAY_MILLISECONDS).getUTCDay() + 6) % 7)
}

/** How many days these are. */
export const lengthOf = ({ from, to }: Days): number => to - from + 1
