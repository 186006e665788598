import { createHmac, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import { sha256Base64url } from '../../base/protocol/encoding'
import { toSixDigits } from '../../base/protocol/six-digits'
import type { OfferRow } from './store'

/** 256 bits, since an offer's address gives its code away. */
const HANDLE_BYTES = 32
/** Longest code or handle that is worth hashing; ours have 43 characters. */
const OPAQUE_MAX_CHARS = 512

/** What an offer's address ends with; only its hash is stored. */
export function newHandle({ random }: Pick<Platform, 'random'>): string {
  return random.token(HANDLE_BYTES)
}

/** The pre-authorized code of an offer. It leads to no handle, and neither can be had from what is stored. */
export function codeOfHandle(handle: string): string {
  return createHmac('sha256', handle).update('pre-authorized_code').digest('base64url')
}

/** The name under which a handle or code is stored; null for a text that is none of ours. */
export function hashOpaque(value: string): string | null {
  return value.length > OPAQUE_MAX_CHARS ? null : sha256Base64url(value)
}

/** Six digits that reach the person on another channel than the offer (OpenID4VCI section 3.5). */
export function newTxCode({ random }: Pick<Platform, 'random'>): string {
  return toSixDigits(random.bytes(6))
}

/** Keyed, since a million codes are soon tried. The same digits for another offer have another hash. */
export function hashTxCode(secret: Buffer, offerId: string, txCode: string): string {
  return createHmac('sha256', secret).update(`${offerId}:${txCode}`).digest('base64url')
}

/** 400 credential_request_denied: the person of the offer has been erased or has restricted processing. */
export function buildNoCredentialError(): ServiceError {
  return new ServiceError('credential_request_denied', 'No credential can be issued to this principal.')
}

export const TX_CODE_PURPOSE = 'credential-tx-code'

/** How a transaction code fits an offer: `missing` and `unexpected` are mistakes of the wallet, `wrong` is a guess. */
export function checkTxCode(
  { sealer }: Pick<Platform, 'sealer'>,
  { id, tx_code_hash: hash }: Pick<OfferRow, 'id' | 'tx_code_hash'>,
  txCode: string | undefined,
): 'right' | 'missing' | 'unexpected' | 'wrong' {
  if (hash === null) return txCode === undefined ? 'right' : 'unexpected'
  if (txCode === undefined) return 'missing'
  const wanted = Buffer.from(hash)
  const isRight = sealer
    .deriveAll(TX_CODE_PURPOSE)
    .some((secret) => timingSafeEqual(Buffer.from(hashTxCode(secret, id, txCode)), wanted))
  return isRight ? 'right' : 'wrong'
}

/** Whether the code can still be redeemed. */
export function isOpen(offer: Pick<OfferRow, 'redeemed_at' | 'ended_at' | 'expires_at'>, now: Date): boolean {
  return offer.redeemed_at === null && offer.ended_at === null && offer.expires_at > now
}
