import { createHmac, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import { sha256Base64url } from '../../base/protocol/encoding'
import { toSixDigits } from '../../base/protocol/six-digits'
import type { OfferRow } from './store'

/** 256 bits, since an offer's address gives access to its code. */
const HANDLE_BYTES = 32
/** The longest code or handle that is hashed; valid ones have 43 characters. */
const OPAQUE_MAX_CHARS = 512

/** Creates the handle at the end of an offer's address; only its hash is stored. */
export function newHandle({ random }: Pick<Platform, 'random'>): string {
  return random.token(HANDLE_BYTES)
}

/** Derives the pre-authorized code of an offer. It does not reveal the handle, and stored data reveal neither. */
export function codeOfHandle(handle: string): string {
  return createHmac('sha256', handle).update('pre-authorized_code').digest('base64url')
}

/** Returns the hash under which a handle or code is stored; null for a text that is too long to be one. */
export function hashOpaque(value: string): string | null {
  return value.length > OPAQUE_MAX_CHARS ? null : sha256Base64url(value)
}

/** Creates a transaction code: six digits that are sent on another channel than the offer (OpenID4VCI section 3.5). */
export function newTxCode({ random }: Pick<Platform, 'random'>): string {
  return toSixDigits(random.bytes(6))
}

/** Hashes a transaction code with a key, since a million codes can be tried quickly, and with the offer's id. */
export function hashTxCode(secret: Buffer, offerId: string, txCode: string): string {
  return createHmac('sha256', secret).update(`${offerId}:${txCode}`).digest('base64url')
}

/** Returns 400 credential_request_denied: the person of the offer has been erased or has restricted processing. */
export function buildNoCredentialError(): ServiceError {
  return new ServiceError('credential_request_denied', 'No credential can be issued to this principal.')
}

export const TX_CODE_PURPOSE = 'credential-tx-code'

/** What a transaction code is: `missing` and `unexpected` are errors of the wallet, `wrong` is a guess. */
type TxCodeCheck = 'right' | 'missing' | 'unexpected' | 'wrong'

/** Compares a transaction code with an offer's. */
export function checkTxCode(
  { sealer }: Pick<Platform, 'sealer'>,
  { id, tx_code_hash: hash }: Pick<OfferRow, 'id' | 'tx_code_hash'>,
  txCode: string | undefined,
): TxCodeCheck {
  if (hash === null) return txCode === undefined ? 'right' : 'unexpected'
  if (txCode === undefined) return 'missing'
  const wanted = Buffer.from(hash)
  const isRight = sealer
    .deriveAll(TX_CODE_PURPOSE)
    .some((secret) => timingSafeEqual(Buffer.from(hashTxCode(secret, id, txCode)), wanted))
  return isRight ? 'right' : 'wrong'
}

/** Returns the error for a transaction code that is not right; `malformed` is the endpoint's code for a bad request. */
export function buildTxCodeError(
  check: Exclude<TxCodeCheck, 'right'>,
  malformed: 'invalid_request' | 'invalid_credential_request',
): ServiceError {
  if (check === 'wrong') return new ServiceError('invalid_grant', 'The tx_code is wrong.')
  return new ServiceError(malformed, check === 'missing' ? 'The offer needs a tx_code.' : 'The offer takes no tx_code.')
}

/** Returns 400 invalid_grant for a code that is not of an open offer, without saying why. */
export function buildUnusableCodeError(): ServiceError {
  return new ServiceError('invalid_grant', 'The pre-authorized code is unknown, used or expired.')
}

/** Whether the code can still be redeemed. */
export function isOpen(offer: Pick<OfferRow, 'redeemed_at' | 'ended_at' | 'expires_at'>, now: Date): boolean {
  return offer.redeemed_at === null && offer.ended_at === null && offer.expires_at > now
}
