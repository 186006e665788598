import { isSameAudience } from './audience'
import { epochSeconds, readOptionalTime, readText, readTime } from './claims'
import { type DecodedJws, decodeJws, ED25519_ALGORITHMS, hasType } from './eddsa'
import { sha256Base64url } from './encoding'
import { ensure, type ProtocolErrorCode, refusingLater } from './errors'
import type { PublicJwk } from './jwk'
import { verifyJws } from './jws'
import { importKey } from './key-import'
import { CLOCK_SKEW_SECONDS, KEY_BINDING_MAX_AGE_SECONDS, NONCE_MAX_CHARS } from './lifetimes'

/** The key, audience, nonce, text and time that the key-binding JWT of a presentation must match. */
export interface ExpectedKeyBinding {
  /** The key that the credential is bound to. */
  readonly holderKey: PublicJwk
  readonly audience: string
  /** Returns whether the verifier gave out the nonce. */
  readonly isNonceValid: (nonce: string) => boolean
  /** The presentation up to and including its last tilde. */
  readonly boundText: string
  readonly now: Date
}

/** A verified key binding; its nonce is not consumed yet. */
export interface KeyBinding {
  readonly nonce: string
  readonly audience: string
  readonly iat: number
}

/** The rules that differ between verifiers: the accepted algorithms and audiences, and the code of each refusal. */
export interface KeyBindingRules extends Omit<ExpectedKeyBinding, 'audience'> {
  readonly algorithms: readonly string[]
  readonly isAudience: (audience: string) => boolean
  readonly codes: { readonly audience: ProtocolErrorCode; readonly nonce: ProtocolErrorCode }
}

/**
 * Verifies the key-binding JWT of a mandate: signed recently by the holder, for this verifier, its nonce and exactly
 * these disclosures.
 */
export function verifyMandateKeyBinding(keyBindingJwt: string, expected: ExpectedKeyBinding): Promise<KeyBinding> {
  return refusingLater('mandate_invalid', () =>
    verifyKeyBinding(decodeJws(keyBindingJwt), {
      ...expected,
      algorithms: ED25519_ALGORITHMS,
      isAudience: (audience) => isSameAudience(audience, expected.audience),
      codes: { audience: 'mandate_audience_mismatch', nonce: 'mandate_kb_nonce_mismatch' },
    }),
  )
}

/**
 * Verifies any key binding, in this order: signature, time, audience, nonce, and the hash of the presentation. Throws
 * the codes of the rules, else `malformed` or `invalid_signature`.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9901#section-7.3}
 */
export async function verifyKeyBinding(jws: DecodedJws, rules: KeyBindingRules): Promise<KeyBinding> {
  // RFC 9901 section 4.3: the typ is required.
  ensure(hasType(jws.header, 'kb+jwt'), 'malformed', 'The typ of the key binding is not kb+jwt')
  const { key } = await importKey(rules.holderKey)
  await verifyJws(jws, { key, algorithms: rules.algorithms })
  const claims = jws.payload
  const iat = readTime(claims, 'iat')
  const now = epochSeconds(rules.now)
  const isRecent = iat >= now - KEY_BINDING_MAX_AGE_SECONDS && iat <= now + CLOCK_SKEW_SECONDS
  ensure(isRecent, 'malformed', 'The iat of the key binding is too far from now')
  const exp = readOptionalTime(claims, 'exp')
  ensure(exp === undefined || exp > now, 'malformed', 'The key binding has expired')
  // RFC 9901 section 4.3: aud is a single string.
  const aud = claims['aud']
  const isForUs = typeof aud === 'string' && rules.isAudience(aud)
  ensure(isForUs, rules.codes.audience, 'The aud of the key binding is not this verifier')
  const nonce = claims['nonce']
  const isKnown = typeof nonce === 'string' && nonce.length <= NONCE_MAX_CHARS && rules.isNonceValid(nonce)
  ensure(isKnown, rules.codes.nonce, 'The nonce of the key binding is not one of this verifier')
  const isBound = readText(claims, 'sd_hash', NONCE_MAX_CHARS) === sha256Base64url(rules.boundText)
  ensure(isBound, 'malformed', 'The key binding is for another presentation')
  return { nonce, audience: aud, iat }
}
