import { intlLocale, type Locale } from '@/components/i18n/locale'
import { currencyDigits, decimalAmount } from '@/server/base/core/money'

/** Signs that mean one currency only. `$`, `¥`, `kr` and the like stand for several, so those show their ISO code. */
const unambiguousSigns: ReadonlySet<string> = new Set(['EUR', 'GBP', 'ILS', 'INR', 'TRY', 'UAH', 'VND'])

/** An amount as people read it. The digits come from ISO 4217, never from Intl, and the value never becomes a float. */
export function formatMoney(amountMinor: number | bigint, currency: string, locale: Locale): string {
  const digits = currencyDigits(currency) ?? 2
  return new Intl.NumberFormat(intlLocale(locale), {
    style: 'currency',
    currency,
    currencyDisplay: unambiguousSigns.has(currency) ? 'narrowSymbol' : 'code',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(decimalAmount(amountMinor, currency) as Intl.StringNumericLiteral)
}

/** The name of a currency, for instance "Euro". */
export function currencyName(currency: string, locale: Locale): string {
  return new Intl.DisplayNames(intlLocale(locale), { type: 'currency', fallback: 'code' }).of(currency) ?? currency
}

export { paidCurrencies } from '@/server/base/core/money'
