import type { JWTVerifyGetKey } from 'jose'
import { CountersignError } from '../errors.js'
import { canonicalAudience } from './audience.js'
import { verifyJwt } from './mandate.js'

/** What a receipt must confirm. */
export interface ExpectedReceipt {
  readonly mandateId: string | undefined
  readonly merchant: string
  readonly amountMinor: number
  readonly currency: string
}

/** Checks a settlement receipt offline: its signature, and that it is about this purchase. */
export async function verifyReceipt(receipt: string, keys: JWTVerifyGetKey, expected: ExpectedReceipt): Promise<void> {
  const claims = await verifyJwt({ jwt: receipt, type: 'payment-receipt+jwt', what: 'receipt' }, keys)
  const facts: readonly [unknown, unknown][] = [
    [claims['mandate_id'], expected.mandateId],
    [claims['amount_minor'], expected.amountMinor],
    [claims['currency'], expected.currency],
    [canonical(claims['merchant_audience']), canonicalAudience(expected.merchant)],
  ]
  for (const [stated, asked] of facts) {
    if (stated !== undefined && asked !== undefined && stated !== asked) {
      throw new CountersignError('refused the receipt (it is about another payment)')
    }
  }
}

const canonical = (url: unknown): unknown => (typeof url === 'string' ? canonicalAudience(url) : undefined)
