/**
 * The decimal digits of ISO 4217 codes that do not have two. Intl disagrees with the standard for dozens of currencies.
 */
const exceptions: ReadonlyMap<string, number> = new Map(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([digits, codes]) => codes.split(' ').map((code) => [code, Number(digits)] as const)),
)

/** Returns the number of decimal digits of an ISO 4217 currency. */
const currencyDigits = (currency: string): number => exceptions.get(currency.toUpperCase()) ?? 2

/** Formats an amount for people: 1200 EUR is `EUR 12.00`. */
export function formatAmount(amountMinor: number, currency: string): string {
  const digits = currencyDigits(currency)
  const text = String(amountMinor).padStart(digits + 1, '0')
  const amount = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
  return `${currency.toUpperCase()} ${amount}`
}
