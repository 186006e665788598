import { intlLocale, type Locale } from '@/components/i18n/locale'

interface DaysFormat {
  readonly locale: Locale
  /** The word between the first day and the last. */
  readonly until: string
  readonly withYear: boolean
}

const instantOf = (day: string) => new Date(`${day}T00:00:00Z`)

/**
 * Returns a range of calendar days in words, for instance "1 to 22 October", without repeating what both days share.
 */
export function formatDays(
  { from, to }: { from: string; to: string },
  { locale, until, withYear }: DaysFormat,
): string {
  const format = new Intl.DateTimeFormat(intlLocale(locale), {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'long',
    ...(withYear ? { year: 'numeric' } : {}),
  })
  const parts = format.formatRangeToParts(instantOf(from), instantOf(to))
  return parts
    .map(({ source, value }) => (source === 'shared' ? value.replace(/\s*[-–]\s*/, ` ${until} `) : value))
    .join('')
}

/** Returns the month of a day, for instance "October 2026". */
export function formatMonth(day: string, locale: Locale): string {
  const format = new Intl.DateTimeFormat(intlLocale(locale), { timeZone: 'UTC', month: 'long', year: 'numeric' })
  return format.format(instantOf(day))
}
