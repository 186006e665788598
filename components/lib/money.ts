import { currencyDigits, decimalAmount } from '@/server/core/money'

const LOCALE = 'en-GB'

/** Signs that mean one currency only. `$`, `¥`, `kr` and the like stand for several, so those show their ISO code. */
const unambiguousSigns: ReadonlySet<string> = new Set(['EUR', 'GBP', 'ILS', 'INR', 'TRY', 'UAH', 'VND'])

/** An amount as people read it. The digits come from ISO 4217, never from Intl, and the value never becomes a float. */
export function formatMoney(amountMinor: number, currency: string): string {
  const digits = currencyDigits(currency) ?? 2
  return new Intl.NumberFormat(LOCALE, {
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
export function currencyName(currency: string): string {
  return new Intl.DisplayNames(LOCALE, { type: 'currency', fallback: 'code' }).of(currency) ?? currency
}

export { currencyCodes, currencyDigits, decimalAmount } from '@/server/core/money'
