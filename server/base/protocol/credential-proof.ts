import { epochSeconds, readOptionalTime, readText, readTime } from './claims'
import { decodeJws, ED25519_ALGORITHMS, hasType, type JwsHeader, verifyEddsa } from './eddsa'
import type { JsonObject } from './encoding'
import { ensure, refusingLater } from './errors'
import { type OkpJwk, parsePublicJwk } from './jwk'
import { importKey } from './key-import'
import { CLOCK_SKEW_SECONDS, CREDENTIAL_PROOF_MAX_AGE_SECONDS, NONCE_MAX_CHARS, URI_MAX_CHARS } from './lifetimes'

/** The issuer, nonce and time that the proof of a credential request must match. */
export interface ExpectedCredentialProof {
  /** The credential issuer, which must be the proof's audience. */
  readonly issuer: string
  readonly now: Date
  /** Returns whether the issuer gave out the nonce and it has not expired. */
  readonly isNonceValid: (nonce: string) => boolean
}

/** A verified proof; its nonce is not consumed yet. */
export interface CredentialProof {
  /** The key that the credential is to be bound to, without labels. */
  readonly jwk: Pick<OkpJwk, 'kty' | 'crv' | 'x'>
  readonly jkt: string
  readonly nonce: string
}

/**
 * Verifies a key proof of the type `jwt`: signed recently, for this issuer, by the key in its own header. Refusals are
 * `invalid_proof`, and `invalid_nonce` when only a fresh nonce is needed.
 *
 * @see {@link https://openid.net/specs/openid-4-verifiable-credential-issuance-1_0.html#appendix-F.1} and F.4
 */
export function verifyCredentialProof(jwt: string, expected: ExpectedCredentialProof): Promise<CredentialProof> {
  return refusingLater('invalid_proof', async () => {
    const jws = decodeJws(jwt)
    ensure(hasType(jws.header, 'openid4vci-proof+jwt'), 'invalid_proof', 'The typ is not openid4vci-proof+jwt')
    const jwk = readHolderKey(jws.header)
    const { key, thumbprint: jkt } = await importKey(jwk)
    verifyEddsa(jws, { key, algorithms: ED25519_ALGORITHMS })
    requireClaims(jws.payload, expected)
    return { jwk, jkt, nonce: readNonce(jws.payload, expected) }
  })
}

/** Returns the key of the proof, which must be a `jwk` in the header and no other reference (appendix F.1). */
function readHolderKey(header: JwsHeader): CredentialProof['jwk'] {
  const isNamedOtherwise = ['kid', 'x5c'].some((name) => Object.hasOwn(header, name))
  ensure(!isNamedOtherwise, 'invalid_proof', 'The key of the proof must be in jwk alone')
  const jwk = parsePublicJwk(Object.hasOwn(header, 'jwk') ? header['jwk'] : undefined)
  ensure(jwk.kty === 'OKP', 'invalid_proof', 'The key of the proof is not an Ed25519 key')
  const { kty, crv, x } = jwk
  return { kty, crv, x }
}

function requireClaims(claims: JsonObject, { issuer, now: time }: ExpectedCredentialProof): void {
  // Appendix F.1: iss is absent for an anonymous wallet, as with every pre-authorized code of this server.
  ensure(!Object.hasOwn(claims, 'iss'), 'invalid_proof', 'The proof of an anonymous wallet must not have an iss')
  ensure(typeof claims['aud'] === 'string', 'invalid_proof', 'The aud of the proof is missing or not a string')
  ensure(readText(claims, 'aud', URI_MAX_CHARS) === issuer, 'invalid_proof', 'The aud is not this issuer')
  const now = epochSeconds(time)
  const iat = readTime(claims, 'iat')
  const isRecent = iat >= now - CREDENTIAL_PROOF_MAX_AGE_SECONDS && iat <= now + CLOCK_SKEW_SECONDS
  ensure(isRecent, 'invalid_proof', 'The iat of the proof is too far from now')
  const exp = readOptionalTime(claims, 'exp')
  ensure(exp === undefined || exp > now, 'invalid_proof', 'The proof has expired')
  const nbf = readOptionalTime(claims, 'nbf')
  ensure(nbf === undefined || nbf <= now + CLOCK_SKEW_SECONDS, 'invalid_proof', 'The proof is not valid yet')
}

/** Returns the nonce. Runs last, so that `invalid_nonce` is sent only for otherwise valid proofs. */
function readNonce(claims: JsonObject, { isNonceValid }: ExpectedCredentialProof): string {
  const { nonce } = claims
  ensure(typeof nonce === 'string' && nonce !== '', 'invalid_proof', 'The proof has no nonce')
  const isKnown = nonce.length <= NONCE_MAX_CHARS && isNonceValid(nonce)
  ensure(isKnown, 'invalid_nonce', 'The nonce is unknown, expired or used')
  return nonce
}
