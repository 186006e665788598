/**
 * The ISO 4217 currency codes by the number of digits after the decimal point. Intl is not used, because it disagrees
 * with the standard for 29 currencies (it gives HUF no minor unit).
 */
const codesByDigits: Readonly<Record<0 | 2 | 3 | 4, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY ' +
    'COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS ' +
    'INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR ' +
    'MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP ' +
    'STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

const digitsOf = new Map<string, number>(
  Object.entries(codesByDigits).flatMap(([digits, codes]) => codes.split(' ').map((code) => [code, Number(digits)])),
)

/** Returns the digits after the decimal point of an upper-case ISO 4217 code; null when there is no such currency. */
export function currencyDigits(code: string): number | null {
  return digitsOf.get(code) ?? null
}

/** Every currency code of the table, sorted. */
export const currencyCodes: readonly string[] = [...digitsOf.keys()].toSorted()

/** The codes of funds and units of account, which are no means of payment. */
const FUNDS = 'BOV CHE CHW CLF COU MXV USN UYI UYW XAD'.split(' ')

/** The currencies that people pay in. */
export const paidCurrencies: readonly string[] = currencyCodes.filter((code) => !FUNDS.includes(code))

/** Returns the amount as a plain decimal string in major units, without rounding: 1234 EUR is `12.34`. */
export function decimalAmount(amountMinor: number | bigint, currency: string): string {
  const digits = currencyDigits(currency) ?? 2
  const sign = amountMinor < 0 ? '-' : ''
  const minor = BigInt(amountMinor)
  const whole = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, '0')
  if (digits === 0) return sign + whole
  return `${sign}${whole.slice(0, -digits)}.${whole.slice(-digits)}`
}

/** The largest amount that one payment or limit may name. */
export const MAX_AMOUNT_MINOR = 1_000_000_000_000
