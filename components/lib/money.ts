import { intlLocale, type Locale } from '@/components/i18n/locale'
import { currencyDigits, decimalAmount } from '@/server/base/core/money'
import { keptFormats } from './kept-formats'

/**
 * Currencies whose sign belongs to no other currency. `$`, `¥`, `kr` and the like are shared by several, so those show
 * their ISO code.
 */
const unambiguousSigns: ReadonlySet<string> = new Set(['EUR', 'GBP', 'ILS', 'INR', 'TRY', 'UAH', 'VND'])

const moneyFormat = keptFormats((locale: Locale, currency: string) => {
  const digits = currencyDigits(currency) ?? 2
  return new Intl.NumberFormat(intlLocale(locale), {
    style: 'currency',
    currency,
    currencyDisplay: unambiguousSigns.has(currency) ? 'narrowSymbol' : 'code',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
})

/**
 * Returns an amount as people read it. The number of digits is that of ISO 4217, not of Intl, and the value never
 * becomes a float.
 */
export function formatMoney(amountMinor: number | bigint, currency: string, locale: Locale): string {
  return moneyFormat(locale, currency).format(decimalAmount(amountMinor, currency) as Intl.StringNumericLiteral)
}

const namesOfCurrencies = keptFormats(
  (locale: Locale) => new Intl.DisplayNames(intlLocale(locale), { type: 'currency', fallback: 'code' }),
)

/** Returns the name of a currency, for instance "Euro". */
export function currencyName(currency: string, locale: Locale): string {
  return namesOfCurrencies(locale).of(currency) ?? currency
}

export { paidCurrencies } from '@/server/base/core/money'
