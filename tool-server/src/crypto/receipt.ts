import {
  compactVerify,
  createLocalJWKSet,
  decodeProtectedHeader,
  errors,
  type JWK,
  type JWTPayload,
  type JWTVerifyGetKey,
} from 'jose'
import { CountersignError } from '../errors.js'
import { isJsonObject, parseJson } from '../json.js'
import { JWT_ALGORITHMS, printableName } from './algorithms.js'
import { isSameAudience } from './audience.js'
import { UnknownKey, verifyJwt } from './mandate.js'

/** The payment that a receipt must confirm. */
export interface ExpectedReceipt {
  readonly issuer: string
  readonly mandateId: string | undefined
  readonly merchant: string
  readonly amountMinor: number
  readonly currency: string
}

/** Checks a settlement receipt offline: its signature, and that it is about this purchase. */
export async function verifyReceipt(receipt: string, keys: JWTVerifyGetKey, expected: ExpectedReceipt): Promise<void> {
  const claims = await verifyJwt({ jwt: receipt, type: 'payment-receipt+jwt', what: 'receipt' }, keys)
  const { iss, aud } = claims
  const isOurs =
    iss === expected.issuer &&
    isSameAudience(aud, expected.merchant) &&
    (expected.mandateId === undefined || claims['mandate_id'] === expected.mandateId) &&
    claims['amount_minor'] === expected.amountMinor &&
    claims['currency'] === expected.currency
  if (!isOurs) throw anotherPayment()
}

/**
 * Checks a receipt that a merchant passes on. One that the authorization server signed, or that claims so, must be
 * genuine. A merchant's own receipt must be a JWS with an accepted algorithm; without the merchant's keys nothing more
 * can be checked. Returns whether the authorization server signed it.
 */
export async function checkMerchantReceipt(
  receipt: string,
  keys: JWTVerifyGetKey,
  expected: ExpectedReceipt,
): Promise<boolean> {
  const { alg, claims } = readReceipt(receipt)
  if (!JWT_ALGORITHMS.includes(alg ?? '')) {
    throw new CountersignError(`refused a receipt signed with a rejected algorithm (${printableName(alg)})`)
  }
  if (claims.iss !== expected.issuer) return false
  await verifyReceipt(receipt, keys, expected)
  return true
}

/**
 * Checks a merchant's own receipt with keys that are known to be the merchant's; throws when it is about another
 * payment.
 */
export async function verifyOwnReceipt(
  receipt: string,
  keys: readonly JWK[],
  { mandateId, amountMinor, currency }: Omit<ExpectedReceipt, 'issuer' | 'merchant'>,
): Promise<void> {
  try {
    await verifyByOne(receipt, keys)
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) throw new UnknownKey('receipt')
    if (error instanceof errors.JOSEError) throw new CountersignError(`refused the receipt (${error.code})`)
    throw error
  }
  const { claims } = readReceipt(receipt)
  const facts = { mandate_id: mandateId, amount_minor: amountMinor, currency }
  const contradicts = Object.entries(facts).some(([name, fact]) => (claims[name] ?? fact) !== fact)
  if (contradicts) throw anotherPayment()
}

/**
 * Verifies a receipt with the key that its `kid` names; without a `kid`, with each suitable key.
 * @see {@link https://www.rfc-editor.org/rfc/rfc7515#section-4.1.4}
 */
async function verifyByOne(receipt: string, keys: readonly JWK[]): Promise<void> {
  const options = { algorithms: [...JWT_ALGORITHMS] }
  try {
    await compactVerify(receipt, createLocalJWKSet({ keys: [...keys] }), options)
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const key of error) {
      const isSignedByIt = await compactVerify(receipt, key, options).then(
        () => true,
        () => false,
      )
      if (isSignedByIt) return
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

function readReceipt(receipt: string): { readonly alg: string | undefined; readonly claims: JWTPayload } {
  try {
    const [, payload = '', signature] = receipt.split('.')
    if (signature === undefined) throw new TypeError('no compact JWS')
    const claims = parseJson(Buffer.from(payload, 'base64url').toString())
    return { alg: decodeProtectedHeader(receipt).alg, claims: isJsonObject(claims) ? claims : {} }
  } catch {
    throw new CountersignError('refused a malformed receipt')
  }
}

const anotherPayment = () => new CountersignError('refused the receipt (it is about another payment)')
