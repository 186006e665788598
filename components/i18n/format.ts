import { currencyName, formatMoney } from '@/components/lib/money'
import { formatAgo, formatDuration, formatTime, formatTimeLeft, type TimeStyle } from '@/components/lib/time'
import type { Locale } from './locale'

/** Amounts, instants and lengths of time as the reader's language writes them. */
export interface Format {
  readonly money: (minor: number | bigint, currency: string) => string
  readonly currencyName: (currency: string) => string
  readonly time: (iso: string, style: TimeStyle, timeZone?: string) => string
  readonly duration: (seconds: number) => string
  readonly timeLeft: (seconds: number) => string
  readonly ago: (iso: string, now: number) => string | null
}

export function formatIn(locale: Locale): Format {
  return {
    money: (minor, currency) => formatMoney(minor, currency, locale),
    currencyName: (currency) => currencyName(currency, locale),
    time: (iso, style, timeZone) => formatTime(iso, { style, locale, timeZone }),
    duration: (seconds) => formatDuration(seconds, locale),
    timeLeft: (seconds) => formatTimeLeft(seconds, locale),
    ago: (iso, now) => formatAgo(iso, now, locale),
  }
}
