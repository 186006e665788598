import { dateOfEpoch, epochSeconds, readOptionalTime, readText, readTime } from './claims'
import { type DecodedJws, decodeJws, hasType } from './eddsa'
import type { JsonObject } from './encoding'
import { ensure, ProtocolError, refusingAs, refusingLater } from './errors'
import { type ClientJwk, fitsAlgorithm } from './jwk'
import { verifyJws } from './jws'
import { importKey } from './key-import'
import { CLIENT_ASSERTION_MAX_SECONDS, CLIENT_ID_MAX_CHARS, CLOCK_SKEW_SECONDS, JTI_MAX_CHARS } from './lifetimes'

/** The value of `client_assertion_type`. @see {@link https://www.rfc-editor.org/rfc/rfc7523#section-2.2} */
export const CLIENT_ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/**
 * The description for an unknown client and also for a signature that does not verify, so that callers cannot tell them
 * apart.
 */
export const CLIENT_AUTHENTICATION_FAILED = 'Client authentication failed'

/** The types of an assertion: a JWT for another purpose has another `typ` (RFC 8725 section 3.11). */
const ASSERTION_TYPES = ['JWT', 'client-authentication+jwt']
/** RFC 6749 appendix A.1. */
const CLIENT_ID = /^[\x20-\x7e]+$/

/** Returns the client that an assertion names, for the look-up of its keys. Verifies nothing. */
export function decodeClientAssertion(assertion: string): string {
  return refusingAs('invalid_client', () => claimedClientId(decodeJws(assertion).payload))
}

function claimedClientId(claims: JsonObject): string {
  const clientId = readText(claims, 'sub', CLIENT_ID_MAX_CHARS)
  ensure(CLIENT_ID.test(clientId), 'malformed', 'The sub is missing or malformed')
  return clientId
}

/** An assertion, and the client, keys, issuer and time that it must match. */
export interface ExpectedAssertion {
  readonly assertion: string
  readonly clientId: string
  readonly issuer: string
  readonly jwks: readonly ClientJwk[]
  readonly now: Date
  readonly algorithms: readonly string[]
  /** Whether the RS256 legacy window is open. */
  readonly legacyRs256: boolean
}

/** A verified client assertion; its `jti` is not consumed yet. */
export interface ClientAssertion {
  readonly jti: string
  /** The time until which the `jti` must be remembered: the expiry of the assertion plus the clock skew. */
  readonly expiresAt: Date
}

/**
 * Verifies a `private_key_jwt` assertion, except that its `jti` is unused. Every refusal is `invalid_client`.
 * @see {@link https://www.rfc-editor.org/rfc/rfc7523#section-3}
 */
export function verifyClientAssertion(expected: ExpectedAssertion): Promise<ClientAssertion> {
  return refusingLater('invalid_client', async () => {
    const jws = decodeJws(expected.assertion)
    // First, so that a caller without a key of the client learns no more than about an unknown client.
    const isSigned = await isSignedByClient(jws, expected)
    ensure(isSigned, 'invalid_client', CLIENT_AUTHENTICATION_FAILED)
    const isAssertion = jws.header.typ === undefined || ASSERTION_TYPES.some((typ) => hasType(jws.header, typ))
    ensure(isAssertion, 'invalid_client', 'The typ of the assertion is not accepted')
    const claims = jws.payload
    // RFC 7523 section 3 (1) and (2B): issuer and subject are the client.
    const isOwn = claimedClientId(claims) === expected.clientId && claims['iss'] === expected.clientId
    ensure(isOwn, 'invalid_client', 'The iss and sub of the assertion are not the client')
    // RFC 7523 section 3 (3), as FAPI 2.0 section 5.3.2.1 narrows it: the issuer itself, as a single string.
    ensure(claims['aud'] === expected.issuer, 'invalid_client', 'The aud of the assertion is not the issuer')
    const exp = requireInTime(claims, expected.now)
    const jti = readText(claims, 'jti', JTI_MAX_CHARS)
    return { jti, expiresAt: dateOfEpoch(Math.ceil(exp) + CLOCK_SKEW_SECONDS) }
  })
}

async function isSignedByClient(jws: DecodedJws, expected: ExpectedAssertion): Promise<boolean> {
  const { jwks, legacyRs256 } = expected
  const algorithms = legacyRs256 ? [...expected.algorithms, 'RS256'] : expected.algorithms
  const { alg, kid } = jws.header
  // RFC 7515 section 4.1.4: a kid picks the key. The header's own jwk, jku and x5u are never looked at.
  const keys = jwks.filter((jwk) => (kid === undefined || jwk.kid === kid) && fitsAlgorithm(jwk, alg))
  for (const jwk of keys) {
    if (await isSignedBy(jws, jwk, algorithms)) return true
  }
  return false
}

async function isSignedBy(jws: DecodedJws, jwk: ClientJwk, algorithms: readonly string[]): Promise<boolean> {
  try {
    const { key } = await importKey(jwk)
    await verifyJws(jws, { key, algorithms })
    return true
  } catch (error) {
    if (error instanceof ProtocolError) return false
    throw error
  }
}

/**
 * Returns the expiry; throws unless the times meet RFC 7523 section 3 (4) to (6): a bounded lifetime, not in the
 * future.
 */
function requireInTime(claims: JsonObject, time: Date): number {
  const now = epochSeconds(time)
  const exp = readTime(claims, 'exp')
  ensure(exp > now, 'invalid_client', 'The assertion has expired')
  ensure(exp <= now + CLIENT_ASSERTION_MAX_SECONDS, 'invalid_client', 'The assertion expires too far ahead')
  for (const name of ['iat', 'nbf']) {
    const stated = readOptionalTime(claims, name)
    const isPast = stated === undefined || stated <= now + CLOCK_SKEW_SECONDS
    ensure(isPast, 'invalid_client', `The ${name} of the assertion lies in the future`)
  }
  return exp
}
