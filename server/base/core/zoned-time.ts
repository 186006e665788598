/** A date of the calendar. A month or day beyond its range counts on into the next, as in `Date.UTC`. */
export interface CalendarDate {
  readonly year: number
  /** The month, counted from 1. */
  readonly month: number
  readonly day: number
}

const HOUR_MILLISECONDS = 3_600_000
/** More than any zone's distance from UTC: a local time lies within this of the same time in UTC. */
const FURTHEST_MILLISECONDS = 27 * HOUR_MILLISECONDS

/** The most formats that are kept: more than there are zones, whose names may be spelled in any case. */
const FORMATS_MAX = 1_000
const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the format of a zone, which is kept because making one is slow. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  if (formats.size >= FORMATS_MAX) formats.clear()
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(timeZone, format)
  return format
}

/** Returns the local time of a zone at an instant, as the instant at which UTC has the same time of day and date. */
function shownAt(instant: number, timeZone: string): number {
  if (timeZone === 'UTC') return instant - (instant % 1000)
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
}

/** Returns the local date of a zone at an instant. */
export function zonedDate(instant: Date, timeZone: string): CalendarDate {
  const shown = new Date(shownAt(instant.getTime(), timeZone))
  return { year: shown.getUTCFullYear(), month: shown.getUTCMonth() + 1, day: shown.getUTCDate() }
}

/** Returns the instant at which a date begins in a zone: 00:00, or the first time after it where clocks skip 00:00. */
export function midnightIn(timeZone: string, date: CalendarDate): Date {
  return timeIn(timeZone, date, 0)
}

/**
 * Returns the instant of a local time in a zone, given in minutes after 00:00 of a date: the first of two where clocks
 * go back and show it twice, the first instant after it where they skip it.
 */
export function timeIn(timeZone: string, { year, month, day }: CalendarDate, minute: number): Date {
  const wanted = Date.UTC(year, month - 1, day, 0, minute)
  const [before, after] = [wanted - FURTHEST_MILLISECONDS, wanted + FURTHEST_MILLISECONDS]
  const candidates = [before, after].map((near) => wanted - (shownAt(near, timeZone) - near))
  const exact = candidates.filter((instant) => shownAt(instant, timeZone) === wanted)
  return new Date(exact.length > 0 ? Math.min(...exact) : firstShowing(wanted, timeZone, [before, after]))
}

/** Returns the last instant up to `now` at which a zone had a local time, given in minutes after 00:00. */
export function lastTimeIn(timeZone: string, minute: number, now: Date): Date {
  const { before } = around(timeZone, minute, now)
  return before
}

/** Returns the first instant after `now` at which a zone has a local time, given in minutes after 00:00. */
export function nextTimeIn(timeZone: string, minute: number, now: Date): Date {
  const { after } = around(timeZone, minute, now)
  return after
}

/** Returns the instants of a time of day before and after `now`. Tries two days either way: zones may skip a date. */
function around(timeZone: string, minute: number, now: Date): { readonly before: Date; readonly after: Date } {
  const { year, month, day } = zonedDate(now, timeZone)
  const near = [-2, -1, 0, 1, 2].map((days) => timeIn(timeZone, { year, month, day: day + days }, minute).getTime())
  return {
    before: new Date(Math.max(...near.filter((instant) => instant <= now.getTime()))),
    after: new Date(Math.min(...near.filter((instant) => instant > now.getTime()))),
  }
}

/** Returns the first instant after a local time that the clocks of a zone skip. */
function firstShowing(wanted: number, timeZone: string, [before, after]: readonly [number, number]): number {
  let [low, high] = [before, after]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (shownAt(middle, timeZone) < wanted) low = middle
    else high = middle
  }
  return high
}

/** Whether this process's IANA database has a zone of this name. An offset such as `+02:00` is no name. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}
