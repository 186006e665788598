import { midnightIn, zonedDate } from '../../base/core/zoned-time'

/** A stretch of time that money is counted in: `from` belongs to it, `until` does not. */
export interface Window {
  readonly from: Date
  readonly until: Date
}

/** The week and the month of an instant. */
export interface Windows {
  readonly week: Window
  readonly month: Window
}

/** By which clock a person's weeks and months turn. */
export interface TurningClock {
  /** IANA name. */
  readonly timeZone: string
  /** The windows that ran when the zone was changed last; null when it never was. */
  readonly carried: Windows | null
}

/**
 * The week, from Monday 00:00 on, and the month, from the 1st 00:00 on, that an instant lies in, by the clocks of a time
 * zone. Where a day begins later than 00:00, because clocks went forward, so does the window.
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
 * The windows that money is counted in. Moving to a zone whose week or month turned later gives nothing free: the window
 * that ran is counted until it ends by the clocks of the zone before.
 */
export function countingWindows(now: Date, { timeZone, carried }: TurningClock): Windows {
  const turning = windowsAt(now, timeZone)
  if (carried === null) return turning
  const longer = (own: Window, before: Window) => (before.until > now && before.from < own.from ? before : own)
  return { week: longer(turning.week, carried.week), month: longer(turning.month, carried.month) }
}
