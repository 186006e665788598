import { isSameAudience } from './audience'
import { epochSeconds, readOptionalTime, readText, readTime } from './claims'
import { decodeJws, ED25519_ALGORITHMS, hasType, verifyEddsa } from './eddsa'
import { sha256Base64url } from './encoding'
import { ensure, refusingLater } from './errors'
import type { PublicJwk } from './jwk'
import { importKey } from './key-import'
import { CLOCK_SKEW_SECONDS, KEY_BINDING_MAX_AGE_SECONDS, NONCE_MAX_CHARS } from './lifetimes'

/** What the key-binding JWT of a presentation is checked against. */
export interface ExpectedKeyBinding {
  /** The key that the credential is bound to. */
  readonly holderKey: PublicJwk
  readonly audience: string
  /** Judges the nonce: whether the verifier gave it out. */
  readonly isNonce: (nonce: string) => boolean
  /** The presentation up to and including its last tilde. */
  readonly boundText: string
  readonly now: Date
}

/** A key binding that was found good. The caller has yet to consume its nonce. */
export interface KeyBinding {
  readonly nonce: string
  readonly audience: string
  readonly iat: number
}

/**
 * Checks a key-binding JWT: signed just now by the holder, for this verifier, its nonce and exactly these disclosures.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9901#section-7.3}
 */
export function checkKeyBinding(keyBindingJwt: string, expected: ExpectedKeyBinding): Promise<KeyBinding> {
  return refusingLater('mandate_invalid', async () => {
    const jws = decodeJws(keyBindingJwt)
    // RFC 9901 section 4.3: the typ is required.
    ensure(hasType(jws.header, 'kb+jwt'), 'mandate_invalid', 'The typ of the key binding is not kb+jwt')
    const { key } = await importKey(expected.holderKey)
    verifyEddsa(jws, { key, algorithms: ED25519_ALGORITHMS })
    const claims = jws.payload
    const iat = readTime(claims, 'iat')
    const now = epochSeconds(expected.now)
    const isRecent = iat >= now - KEY_BINDING_MAX_AGE_SECONDS && iat <= now + CLOCK_SKEW_SECONDS
    ensure(isRecent, 'mandate_invalid', 'The iat of the key binding is too far from now')
    const exp = readOptionalTime(claims, 'exp')
    ensure(exp === undefined || exp > now, 'mandate_invalid', 'The key binding has expired')
    // RFC 9901 section 4.3: aud is a single string.
    const aud = claims['aud']
    const isForUs = typeof aud === 'string' && isSameAudience(aud, expected.audience)
    ensure(isForUs, 'mandate_audience_mismatch', 'The aud of the key binding is not this verifier')
    const nonce = claims['nonce']
    const isKnown = typeof nonce === 'string' && nonce.length <= NONCE_MAX_CHARS && expected.isNonce(nonce)
    ensure(isKnown, 'mandate_kb_nonce_mismatch', 'The nonce of the key binding is not one of this verifier')
    const isBound = readText(claims, 'sd_hash', NONCE_MAX_CHARS) === sha256Base64url(expected.boundText)
    ensure(isBound, 'mandate_invalid', 'The key binding is for another presentation')
    return { nonce, audience: aud, iat }
  })
}
