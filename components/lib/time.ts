const LOCALE = 'en-GB'

type Style = 'date' | 'time' | 'moment' | 'long' | 'full'

const styles: Readonly<Record<Style, Intl.DateTimeFormatOptions>> = {
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  time: { hour: '2-digit', minute: '2-digit' },
  moment: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  long: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  full: { dateStyle: 'full', timeStyle: 'long' },
}

export function formatTime(iso: string, style: Style, timeZone?: string): string {
  return new Intl.DateTimeFormat(LOCALE, { ...styles[style], ...(timeZone === undefined ? {} : { timeZone }) }).format(
    new Date(iso),
  )
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const plural = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

/** A length of time in its two largest units, for instance "4 min 12 s" or "23 hours". */
export function formatDuration(totalSeconds: number): string {
  const seconds = Math.max(0, Math.floor(totalSeconds))
  if (seconds < MINUTE) return `${seconds} s`
  if (seconds < HOUR) {
    const rest = seconds % MINUTE
    return `${Math.floor(seconds / MINUTE)} min${rest === 0 ? '' : ` ${rest} s`}`
  }
  if (seconds < DAY) {
    const rest = Math.floor((seconds % HOUR) / MINUTE)
    return plural(Math.floor(seconds / HOUR), 'hour') + (rest === 0 ? '' : ` ${rest} min`)
  }
  const rest = Math.floor((seconds % DAY) / HOUR)
  return plural(Math.floor(seconds / DAY), 'day') + (rest === 0 ? '' : ` ${plural(rest, 'hour')}`)
}

const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' })

/** How long ago, for instance "5 minutes ago"; null when it is long enough ago that the date says more. */
export function formatAgo(iso: string, now: number): string | null {
  const seconds = Math.round((new Date(iso).getTime() - now) / 1000)
  const age = Math.abs(seconds)
  if (age < MINUTE) return 'just now'
  if (age < HOUR) return relative.format(Math.trunc(seconds / MINUTE), 'minute')
  if (age < DAY) return relative.format(Math.trunc(seconds / HOUR), 'hour')
  return age < 7 * DAY ? relative.format(Math.trunc(seconds / DAY), 'day') : null
}
