import { intlLocale, type Locale } from '@/components/i18n/locale'
import { keptFormats } from './kept-formats'

export type TimeStyle = 'date' | 'time' | 'moment' | 'long' | 'full'

const styles: Readonly<Record<TimeStyle, Intl.DateTimeFormatOptions>> = {
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  time: { hour: '2-digit', minute: '2-digit' },
  moment: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  long: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  full: { dateStyle: 'full', timeStyle: 'long' },
}

interface TimeFormat {
  readonly style: TimeStyle
  readonly locale: Locale
  /** The time zone; the runtime's own when left out. */
  readonly timeZone?: string | undefined
}

const timeFormat = keptFormats((locale: Locale, style: TimeStyle, timeZone: string | undefined) => {
  const zone = timeZone === undefined ? {} : { timeZone }
  return new Intl.DateTimeFormat(intlLocale(locale), { ...styles[style], ...zone })
})

export function formatTime(iso: string, { style, locale, timeZone }: TimeFormat): string {
  return timeFormat(locale, style, timeZone).format(new Date(iso))
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Returns a duration in its two largest units, for instance "4 min 12 sec" or "23 hours". */
export function formatDuration(totalSeconds: number, locale: Locale): string {
  const seconds = Math.max(0, Math.floor(totalSeconds))
  const write = (value: number, unit: 'second' | 'minute' | 'hour' | 'day') => inUnit(locale, unit).format(value)
  const pair = (size: number, [unit, smaller]: readonly ['minute' | 'hour' | 'day', 'second' | 'minute' | 'hour']) => {
    const rest = Math.floor((seconds % size) / sizes[smaller])
    return write(Math.floor(seconds / size), unit) + (rest === 0 ? '' : ` ${write(rest, smaller)}`)
  }
  if (seconds < MINUTE) return write(seconds, 'second')
  if (seconds < HOUR) return pair(MINUTE, ['minute', 'second'])
  return seconds < DAY ? pair(HOUR, ['hour', 'minute']) : pair(DAY, ['day', 'hour'])
}

/** Returns the time left: in whole minutes, and in seconds only in the last minute, since a running clock distracts. */
export function formatTimeLeft(totalSeconds: number, locale: Locale): string {
  const seconds = Math.max(0, Math.floor(totalSeconds))
  return formatDuration(seconds < MINUTE ? seconds : seconds - (seconds % MINUTE), locale)
}

const sizes = { second: 1, minute: MINUTE, hour: HOUR } as const

/**
 * Writes hours and days in full, since their short forms are hard to read, and seconds and minutes in short form, which
 * has no plural in American English: "14 min", not "14 mins".
 */
const inUnit = keptFormats((locale: Locale, unit: 'second' | 'minute' | 'hour' | 'day') => {
  const unitDisplay = unit === 'second' || unit === 'minute' ? 'short' : 'long'
  return new Intl.NumberFormat(locale === 'de' ? intlLocale(locale) : 'en-US', { style: 'unit', unit, unitDisplay })
})

const relativeFormat = keptFormats(
  (locale: Locale) => new Intl.RelativeTimeFormat(intlLocale(locale), { numeric: 'auto' }),
)

/** Writes a day so that it parses as the midnight, in UTC, that begins the day of the same date. */
const dayFormat = keptFormats((timeZone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone }))

/** Returns the number of calendar days after today; negative for days before. */
function daysAhead(instant: Date, now: number, timeZone: string): number {
  const day = dayFormat(timeZone)
  return (Date.parse(day.format(instant)) - Date.parse(day.format(now))) / (DAY * 1000)
}

interface AgoFormat {
  readonly locale: Locale
  /** The reader's time zone, whose midnight separates today from yesterday. */
  readonly timeZone: string
}

/**
 * Returns how long ago an instant was, for instance "5 minutes ago"; null when it is so long ago that the date says
 * more.
 */
export function formatAgo(iso: string, now: number, { locale, timeZone }: AgoFormat): string | null {
  const relative = relativeFormat(locale)
  const instant = new Date(iso)
  const seconds = Math.round((instant.getTime() - now) / 1000)
  const age = Math.abs(seconds)
  if (age < MINUTE) return relative.format(0, 'second')
  if (age < HOUR) return relative.format(Math.trunc(seconds / MINUTE), 'minute')
  if (age < DAY) return relative.format(Math.trunc(seconds / HOUR), 'hour')
  return age < 7 * DAY ? relative.format(daysAhead(instant, now, timeZone), 'day') : null
}
