import { isSameAudience } from './audience'
import { epochSeconds, readAmount, readText, readTime } from './claims'
import type { SigningKey } from './eddsa'
import type { JsonObject } from './encoding'
import { ensure, refusingLater } from './errors'
import { type DocumentVerification, signDocument, verifyDocument } from './jws'
import { CLIENT_ID_MAX_CHARS, CLOCK_SKEW_SECONDS, JTI_MAX_CHARS, URI_MAX_CHARS } from './lifetimes'

const RECEIPT_TYPE = 'payment-receipt+jwt'

/** The claims of a payment receipt, which does not expire. */
export interface ReceiptClaims {
  readonly iss: string
  /** The merchant's audience. */
  readonly aud: string
  /** The client_id of the agent that paid. */
  readonly sub: string
  readonly iat: number
  /** The settlement_id. */
  readonly jti: string
  readonly mandate_id: string
  readonly payment_intent_id: string
  readonly amount_minor: number
  readonly currency: string
  readonly status: 'succeeded'
  readonly application_fee_minor: number
  readonly connected_account_id: string | null
}

/**
 * Signs a receipt, which a merchant verifies offline against the JWKS.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7519#section-7.1}
 */
export function signReceipt(claims: ReceiptClaims, key: SigningKey): Promise<string> {
  return signDocument({ typ: RECEIPT_TYPE, payload: claims, key })
}

/** The issuer, audience and keys for the verification of a receipt. */
export interface ReceiptVerification {
  readonly issuer: string
  readonly audience: string
  readonly now: Date
  readonly findKey: DocumentVerification['findKey']
}

/** The claims of a verified receipt, and the key that signed it. */
export interface VerifiedReceipt {
  readonly claims: ReceiptClaims
  readonly kid: string
}

/**
 * Verifies type, signature, issuer and audience of a receipt; every refusal is `invalid_signature`.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7519#section-7.2}
 */
export function verifyReceipt(receipt: string, expected: ReceiptVerification): Promise<VerifiedReceipt> {
  return refusingLater('invalid_signature', async () => {
    const { findKey } = expected
    const { kid, payload } = await verifyDocument(receipt, { name: 'receipt', typ: RECEIPT_TYPE, findKey })
    const claims = readClaims(payload)
    ensure(claims.iss === expected.issuer, 'invalid_signature', 'The receipt is of another issuer')
    ensure(isSameAudience(claims.aud, expected.audience), 'invalid_signature', 'The receipt is for another merchant')
    const isPast = claims.iat <= epochSeconds(expected.now) + CLOCK_SKEW_SECONDS
    ensure(isPast, 'invalid_signature', 'The receipt lies in the future')
    return { claims, kid }
  })
}

function readClaims(payload: JsonObject): ReceiptClaims {
  ensure(payload['status'] === 'succeeded', 'malformed', 'The receipt is not of a payment that succeeded')
  const account = payload['connected_account_id']
  return {
    iss: readText(payload, 'iss', URI_MAX_CHARS),
    aud: readText(payload, 'aud', URI_MAX_CHARS),
    sub: readText(payload, 'sub', CLIENT_ID_MAX_CHARS),
    iat: readTime(payload, 'iat'),
    jti: readText(payload, 'jti', JTI_MAX_CHARS),
    mandate_id: readText(payload, 'mandate_id', JTI_MAX_CHARS),
    payment_intent_id: readText(payload, 'payment_intent_id', JTI_MAX_CHARS),
    amount_minor: readAmount(payload, 'amount_minor'),
    currency: readText(payload, 'currency', 3),
    status: 'succeeded',
    application_fee_minor: readAmount(payload, 'application_fee_minor'),
    connected_account_id: account === null ? null : readText(payload, 'connected_account_id', JTI_MAX_CHARS),
  }
}
