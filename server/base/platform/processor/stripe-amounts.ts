import { currencyDigits } from '../../core/money'
import { ProcessorRefused } from '../../core/processor'

/**
 * The currencies in which Stripe can charge a card, without UGX: its documentation gives it no minor unit in one place
 * and two digits in another, and a charge must not be off by a factor of a hundred.
 */
const supported = new Set(
  (
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP CNY COP CRC ' +
    'CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD JOD ' +
    'JPY KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD ' +
    'NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD SZL ' +
    'THB TJS TND TOP TRY TTD TWD TZS UAH USD UYU UZS VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW'
  ).split(' '),
)

/** The digits of currencies whose minor unit at Stripe differs from ISO 4217. */
const digitsAtStripe: ReadonlyMap<string, number> = new Map([
  ['ISK', 2],
  ['MGA', 0],
])

/** Returns the step of which an amount must be a multiple, in Stripe's units: whole krónur, and two decimal digits. */
function granularityOf(currency: string): number {
  if (currency === 'ISK') return 100
  return currencyDigits(currency) === 3 ? 10 : 1
}

function shiftOf(currency: string): number {
  const digits = currencyDigits(currency) ?? 0
  return (digitsAtStripe.get(currency) ?? digits) - digits
}

/**
 * Converts an amount in ISO 4217 minor units to Stripe's units, exactly.
 * @throws ProcessorRefused `currency_not_supported`, or `amount_not_supported` when Stripe has no such fraction
 * @see {@link https://docs.stripe.com/currencies}
 */
export function toStripeAmount(amountMinor: number, currency: string): number {
  if (!supported.has(currency)) throw new ProcessorRefused('currency_not_supported')
  const shift = shiftOf(currency)
  const factor = 10 ** Math.abs(shift)
  if (shift < 0 && amountMinor % factor !== 0) throw new ProcessorRefused('amount_not_supported')
  const amount = shift < 0 ? amountMinor / factor : amountMinor * factor
  if (!Number.isSafeInteger(amount) || amount % granularityOf(currency) !== 0) {
    throw new ProcessorRefused('amount_not_supported')
  }
  return amount
}

/** Converts Stripe's amount to ISO 4217 minor units; returns null when this is not possible exactly. */
export function fromStripeAmount(amount: number, currency: string): number | null {
  if (!supported.has(currency)) return null
  const shift = shiftOf(currency)
  const factor = 10 ** Math.abs(shift)
  const amountMinor = shift < 0 ? amount * factor : amount / factor
  return Number.isSafeInteger(amountMinor) ? amountMinor : null
}
