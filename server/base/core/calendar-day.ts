/** The length of a day in UTC, in milliseconds. */
export const DAY_MILLISECONDS = 86_400_000

/** A range of calendar days as numbers, counted from 1970-01-01; both ends are included. */
export interface Days {
  readonly from: number
  readonly to: number
}

/** Whether a text is a day that exists, in a year that the service accepts: no 31st of February, and no year 0. */
export function isDay(text: string): boolean {
  return /^(?:19|2\d)\d\d-\d\d-\d\d$/.test(text) && writeDay(parseDay(text)) === text
}

/** Returns the number of a day such as `2026-11-21`. */
export function parseDay(text: string): number {
  return Date.parse(`${text}T00:00:00Z`) / DAY_MILLISECONDS
}

/** Returns a day as text such as `2026-11-21`. */
export function writeDay(day: number): string {
  return Number.isNaN(day) ? '' : new Date(day * DAY_MILLISECONDS).toISOString().slice(0, 10)
}

/** Returns the first day of the month that a day lies in, or of the month that is `months` later. */
export function monthOf(day: number, months = 0): number {
  const date = new Date(day * DAY_MILLISECONDS)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) / DAY_MILLISECONDS
}

/** Returns the Monday of the week that a day lies in. */
export function mondayOf(day: number): number {
  return day - ((new Date(day * DAY_MILLISECONDS).getUTCDay() + 6) % 7)
}

/** Returns the number of days in a range. */
export const lengthOf = ({ from, to }: Days): number => to - from + 1
