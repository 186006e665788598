import { currencyName, formatMoney } from '@/components/lib/money'
import { formatAgo, formatDuration, formatTime, formatTimeLeft, type TimeStyle } from '@/components/lib/time'
import type { Locale } from './locale'

/**
 * The name of the cookie with the browser's time zone, from which the server writes times as the reader's clock shows
 * them.
 */
export const TIME_ZONE_COOKIE = 'time-zone'

/** Writes amounts, instants and durations in the reader's language, instants in the reader's time zone. */
export interface Format {
  readonly money: (minor: number | bigint, currency: string) => string
  readonly currencyName: (currency: string) => string
  readonly time: (iso: string, style: TimeStyle, timeZone?: string) => string
  readonly duration: (seconds: number) => string
  readonly timeLeft: (seconds: number) => string
  readonly ago: (iso: string, now: number) => string | null
}

export function formatIn(locale: Locale, readersZone: string): Format {
  return {
    money: (minor, currency) => formatMoney(minor, currency, locale),
    currencyName: (currency) => currencyName(currency, locale),
    time: (iso, style, timeZone = readersZone) => formatTime(iso, { style, locale, timeZone }),
    duration: (seconds) => formatDuration(seconds, locale),
    timeLeft: (seconds) => formatTimeLeft(seconds, locale),
    ago: (iso, now) => formatAgo(iso, now, { locale, timeZone: readersZone }),
  }
}
