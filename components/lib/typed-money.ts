import { intlLocale, type Locale } from '@/components/i18n/locale'
import { currencyDigits, decimalAmount } from '@/server/base/core/money'

type Sign = '.' | ','

/** Returns the decimal sign of the reader's language. */
function decimalSignOf(locale: Locale): Sign {
  const parts = new Intl.NumberFormat(intlLocale(locale)).formatToParts(0.5)
  return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.'
}

/** Returns an amount as a person would type it: digits and the decimal sign of their language. */
export function typedMoney(amountMinor: number, currency: string, locale: Locale): string {
  return decimalAmount(amountMinor, currency).replace('.', decimalSignOf(locale))
}

const GROUP_SIGNS: Readonly<Record<Sign, RegExp>> = { '.': /[,\s'’]/, ',': /[.\s'’]/ }

/** Reads digits with this decimal sign; thousands may be grouped with the other sign, spaces or apostrophes. */
function readWith(decimal: Sign, text: string, digits: number): number | null {
  const [whole = '', fraction = '', ...rest] = text.split(decimal)
  const groups = whole.split(GROUP_SIGNS[decimal])
  const [first = '', ...others] = groups
  const isGrouped = others.length > 0
  const isWhole = isGrouped
    ? /^[1-9]\d{0,2}$/.test(first) && others.every((group) => /^\d{3}$/.test(group))
    : /^\d{1,13}$/.test(first)
  if (!isWhole || rest.length > 0 || fraction.length > digits || !/^\d*$/.test(fraction)) return null
  const minor = Number(`${groups.join('')}${fraction.padEnd(digits, '0')}`)
  return Number.isSafeInteger(minor) ? minor : null
}

/**
 * Returns a typed amount in minor units, or null when it is not an amount of that currency. The decimal sign of the
 * other language is accepted as well, unless it could be a thousands separator in the reader's own.
 */
export function parseMoney(text: string, currency: string, locale: Locale): number | null {
  const typed = text.trim()
  const digits = currencyDigits(currency) ?? 2
  const own = decimalSignOf(locale)
  const other = own === '.' ? ',' : '.'
  const asOwn = readWith(own, typed, digits)
  const asOther = typed.includes(other) ? readWith(other, typed, digits) : null
  if (asOwn !== null && asOther !== null) return null
  return asOwn ?? asOther
}
