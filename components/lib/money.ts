import { intlLocale, type Locale } from '@/components/i18n/locale'
import { currencyDigits, decimalAmount } from '@/server/core/money'

/** Signs that mean one currency only. `$`, `¥`, `kr` and the like stand for several, so those show their ISO code. */
const unambiguousSigns: ReadonlySet<string> = new Set(['EUR', 'GBP', 'ILS', 'INR', 'TRY', 'UAH', 'VND'])

/** An amount as people read it. The digits come from ISO 4217, never from Intl, and the value never becomes a float. */
export function formatMoney(amountMinor: number, currency: string, locale: Locale): string {
  const digits = currencyDigits(currency) ?? 2
  return new Intl.NumberFormat(intlLocale(locale), {
    style: 'currency',
    currency,
    currencyDisplay: unambiguousSigns.has(currency) ? 'narrowSymbol' : 'code',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(decimalAmount(amountMinor, currency) as Intl.StringNumericLiteral)
}

/** What a person typed as minor units, or null when it is not an amount of that currency. */
export function parseMoney(text: string, currency: string): number | null {
  const digits = currencyDigits(currency) ?? 2
  const match = /^(\d{1,13})(?:[.,](\d*))?$/.exec(text.trim().replaceAll(/[\s'_]/g, ''))
  if (match === null) return null
  const [, whole = '', fraction = ''] = match
  if (fraction.length > digits) return null
  const minor = Number(`${whole}${fraction.padEnd(digits, '0')}`)
  return Number.isSafeInteger(minor) ? minor : null
}

/** The name of a currency, for instance "Euro". */
export function currencyName(currency: string, locale: Locale): string {
  return new Intl.DisplayNames(intlLocale(locale), { type: 'currency', fallback: 'code' }).of(currency) ?? currency
}

export { currencyCodes, currencyDigits, decimalAmount } from '@/server/core/money'
