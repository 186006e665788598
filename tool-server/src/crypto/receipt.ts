import { decodeProtectedHeader, type JWTVerifyGetKey } from 'jose'
import { CountersignError } from '../errors.js'
import { JWT_ALGORITHMS, printableName } from './algorithms.js'
import { isSameAudience } from './audience.js'
import { UnknownKey, verifyJwt } from './mandate.js'

/** What a receipt must confirm. */
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
  if (!isOurs) throw new CountersignError('refused the receipt (it is about another payment)')
}

/**
 * Checks a receipt that a merchant hands on. One of the authorization server must be genuine; whether it is one is told.
 * A merchant's own receipt is its own word, and refused only when it is signed with a rejected algorithm.
 */
export async function checkMerchantReceipt(
  receipt: string,
  keys: JWTVerifyGetKey,
  expected: ExpectedReceipt,
): Promise<boolean> {
  const header = readHeader(receipt)
  if (header === undefined) return false
  if (!JWT_ALGORITHMS.includes(header.alg ?? '')) {
    throw new CountersignError(`refused a receipt signed with a rejected algorithm (${printableName(header.alg)})`)
  }
  if (header.typ !== 'payment-receipt+jwt') return false
  try {
    await verifyReceipt(receipt, keys, expected)
    return true
  } catch (error) {
    if (error instanceof UnknownKey) return false
    throw error
  }
}

function readHeader(jws: string) {
  try {
    return decodeProtectedHeader(jws)
  } catch {
    return undefined
  }
}
