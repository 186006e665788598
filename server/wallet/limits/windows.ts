import { midnightIn, zonedDate } from '../../base/core/zoned-time'

/** A period in which money is counted: from `from` (included) to `until` (excluded). */
export interface Window {
  readonly from: Date
  readonly until: Date
}

/** The week and the month that contain an instant. */
export interface Windows {
  readonly week: Window
  readonly month: Window
}

/** The time zone of a person's weeks and months, with windows carried over a change of it. */
export interface TurningClock {
  /** IANA name. */
  readonly timeZone: string
  /** The week and month that ran when the zone was last changed; null when it never was. */
  readonly carried: Windows | null
}

/**
 * Returns the week (from Monday 00:00) and the month (from the 1st 00:00) of an instant in a time zone. Where a day
 * begins later than 00:00, because clocks went forward, so does the window.
 */
export function windowsAt(now: Date, timeZone: string): Windows {
  const { year, month, day } = zonedDate(now, timeZone)
  const sinceMonday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7
  const monday = day - sinceMonday
  return {
    week: {
      from: midnightIn(timeZone, { year, month, day: monday }),
      until: midnightIn(timeZone, { year, month, day: monday + 7 }),
    },
    month: {
      from: midnightIn(timeZone, { year, month, day: 1 }),
      until: midnightIn(timeZone, { year, month: month + 1, day: 1 }),
    },
  }
}

/**
 * Returns the week and month in which money is counted. A change of the time zone frees no amount: the window that was
 * running counts until it ends in the previous zone.
 */
export function countingWindows(now: Date, { timeZone, carried }: TurningClock): Windows {
  const turning = windowsAt(now, timeZone)
  if (carried === null) return turning
  const longer = (own: Window, before: Window) => (before.until > now && before.from < own.from ? before : own)
  return { week: longer(turning.week, carried.week), month: longer(turning.month, carried.month) }
}
