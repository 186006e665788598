import { intlLocale, type Locale } from '@/components/i18n/locale'
import { currencyCodes, currencyDigits, decimalAmount } from '@/server/base/core/money'

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

/** The name of a currency, for instance "Euro". */
export function currencyName(currency: string, locale: Locale): string {
  return new Intl.DisplayNames(intlLocale(locale), { type: 'currency', fallback: 'code' }).of(currency) ?? currency
}

/** Codes of ISO 4217 for funds, units of account, bond market units, metals, tests and no currency at all. */
const NOT_PAID_IN: ReadonlySet<string> = new Set(
  'BOV CHE CHW CLF COU MXV USN UYI UYW XAD XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '),
)

/** The currencies that people pay in. */
export const paidCurrencies: readonly string[] = currencyCodes.filter((code) => !NOT_PAID_IN.has(code))
