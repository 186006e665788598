import { dateOfEpoch, epochSeconds, readOptionalTime, readText, readTime } from './claims'
import { decodeJws, hasType } from './eddsa'
import { type JsonObject, sha256Base64url } from './encoding'
import { ensure, refusingLater } from './errors'
import { type PublicJwk, parsePublicJwk } from './jwk'
import { CLIENT_ALGORITHMS, verifyJws } from './jws'
import { importKey } from './key-import'
import {
  CLOCK_SKEW_SECONDS,
  DPOP_PROOF_MAX_AGE_SECONDS,
  JTI_MAX_CHARS,
  NONCE_MAX_CHARS,
  SMALL_CLOCK_SKEW_SECONDS,
  URI_MAX_CHARS,
} from './lifetimes'
import { normaliseHtu } from './uri'

/** The request that a DPoP proof must be for. */
export interface ExpectedProof {
  readonly method: string
  /**
   * The configured public base URL followed by the unchanged path of the request; never taken from request headers.
   */
  readonly uri: string
  readonly now: Date
  /** The access token of the request. When given, `ath` is required and must be its hash. */
  readonly accessToken?: string
  /** The thumbprint that the access token is bound to. Another key is refused as `invalid_token`. */
  readonly boundKey?: string
  readonly nonceRequired: boolean
  /** Returns whether the server issued the nonce and it has not expired. Without it, optional nonces are unchecked. */
  readonly isNonceValid?: (nonce: string) => boolean
}

/** A verified proof; the pair of its `jkt` and `jti` is not consumed yet. */
export interface DpopProof {
  readonly jkt: string
  readonly jti: string
  readonly iat: number
  readonly jwk: PublicJwk
  readonly nonce: string | null
  /** The time until which `jkt` and `jti` must be remembered: the end of the proof's validity plus the clock skew. */
  readonly replayUntil: Date
}

/**
 * Verifies a DPoP proof, except that its `jti` is unused: form, key, signature, method, URI, time, token, nonce.
 * Refusals are `invalid_dpop_proof`, `use_dpop_nonce` when a fresh nonce would help, and `invalid_token` for a key
 * other than the bound one.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9449#section-4.3}
 */
export function verifyDpopProof(proof: string | null, expected: ExpectedProof): Promise<DpopProof> {
  return refusingLater('invalid_dpop_proof', async () => {
    ensure(proof, 'invalid_dpop_proof', 'A DPoP proof is required')
    // RFC 9449 section 4.3 (1): one header field; two of them arrive joined with a comma.
    ensure(!proof.includes(','), 'invalid_dpop_proof', 'There is more than one DPoP proof')
    const { jwk, jkt, claims } = await readSignedProof(proof)
    requireSameRequest(claims, expected)
    const iat = requireRecent(claims, expected.now)
    // RFC 9449 section 11.1: the jti has to be stored, so its length is bounded.
    const jti = readText(claims, 'jti', JTI_MAX_CHARS)
    requireSameToken(claims, jkt, expected)
    const nonce = requireNonce(claims, expected)
    const replayUntil = dateOfEpoch(Math.ceil(iat) + DPOP_PROOF_MAX_AGE_SECONDS + CLOCK_SKEW_SECONDS)
    return { jkt, jti, iat, jwk, nonce, replayUntil }
  })
}

/** Reads a JWT of the right type, signed by the public key in its own header (RFC 9449 section 4.3 (2) to (7)). */
async function readSignedProof(proof: string): Promise<{ jwk: PublicJwk; jkt: string; claims: JsonObject }> {
  const jws = decodeJws(proof)
  ensure(hasType(jws.header, 'dpop+jwt'), 'invalid_dpop_proof', 'The typ of the DPoP proof is not dpop+jwt')
  const jwk = parsePublicJwk(jws.header['jwk'])
  const { key, thumbprint: jkt } = await importKey(jwk)
  await verifyJws(jws, { key, algorithms: CLIENT_ALGORITHMS })
  return { jwk, jkt, claims: jws.payload }
}

/** Throws unless method and URI match the request (RFC 9449 section 4.3 (8) and (9)). */
function requireSameRequest(claims: JsonObject, expected: ExpectedProof): void {
  // RFC 9110 section 9.1: methods are case-sensitive.
  ensure(claims['htm'] === expected.method, 'invalid_dpop_proof', 'The htm of the DPoP proof is not the method')
  const htu = readText(claims, 'htu', URI_MAX_CHARS)
  const isSame = normaliseHtu(htu) === normaliseHtu(expected.uri)
  ensure(isSame, 'invalid_dpop_proof', 'The htu of the DPoP proof is not the URI of the request')
}

/** Returns `iat`; throws unless the proof is recent (RFC 9449 section 4.3 (11)) and within its own `exp` and `nbf`. */
function requireRecent(claims: JsonObject, time: Date): number {
  const now = epochSeconds(time)
  const iat = readTime(claims, 'iat')
  const isRecent = Math.abs(now - iat) <= DPOP_PROOF_MAX_AGE_SECONDS
  ensure(isRecent, 'invalid_dpop_proof', 'The iat of the DPoP proof is too far from now')
  const exp = readOptionalTime(claims, 'exp')
  ensure(exp === undefined || exp > now, 'invalid_dpop_proof', 'The DPoP proof has expired')
  const nbf = readOptionalTime(claims, 'nbf')
  const hasBegun = nbf === undefined || nbf <= now + SMALL_CLOCK_SKEW_SECONDS
  ensure(hasBegun, 'invalid_dpop_proof', 'The DPoP proof is not valid yet')
  return iat
}

/** Throws unless the proof is for the access token and its bound key (RFC 9449 section 4.3 (12)). */
function requireSameToken(claims: JsonObject, jkt: string, expected: ExpectedProof): void {
  const { accessToken, boundKey } = expected
  const isForToken = accessToken === undefined || claims['ath'] === sha256Base64url(accessToken)
  ensure(isForToken, 'invalid_dpop_proof', 'The ath of the DPoP proof is not that of the access token')
  ensure(boundKey === undefined || boundKey === jkt, 'invalid_token', 'The token is bound to another DPoP key')
}

/** Returns the nonce (RFC 9449 sections 4.3 (10) and 8). Runs last: only otherwise valid proofs get a challenge. */
function requireNonce(claims: JsonObject, expected: ExpectedProof): string | null {
  const { nonceRequired, isNonceValid } = expected
  if (claims['nonce'] === undefined) {
    ensure(!nonceRequired, 'use_dpop_nonce', 'The DPoP proof needs a nonce of this server')
    return null
  }
  ensure(typeof claims['nonce'] === 'string', 'invalid_dpop_proof', 'The nonce of the DPoP proof is not a string')
  const nonce = claims['nonce']
  if (!nonceRequired && isNonceValid === undefined) return nonce
  const isFresh = nonce.length <= NONCE_MAX_CHARS && isNonceValid?.(nonce) === true
  ensure(isFresh, 'use_dpop_nonce', 'The nonce of the DPoP proof is stale or unknown')
  return nonce
}
