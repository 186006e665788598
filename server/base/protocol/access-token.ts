import type { KeyObject } from 'node:crypto'
import { isSameAudience } from './audience'
import { epochSeconds, readOptionalText, readOptionalTime, readText, readTime } from './claims'
import { decodeJws, type SigningKey, signEddsa, verifyEddsa } from './eddsa'
import { isJsonObject, type JsonObject } from './encoding'
import { ensure, refusingAs } from './errors'
import { CLIENT_ID_MAX_CHARS, CLOCK_SKEW_SECONDS, JTI_MAX_CHARS, JWT_MAX_BYTES, URI_MAX_CHARS } from './lifetimes'

/** The claims of an access token. @see {@link https://www.rfc-editor.org/rfc/rfc9068#section-2.2} */
export interface AccessTokenClaims {
  readonly iss: string
  /** The agent's client_id for payment scopes, the principal's id for wallet scopes. */
  readonly sub: string
  /** One resource as a string, several as an array. */
  readonly aud: string | readonly string[]
  readonly client_id: string
  readonly jti: string
  readonly iat: number
  readonly exp: number
  readonly scope: string
  /** RFC 9449 section 6.1. */
  readonly cnf: { readonly jkt: string }
  readonly auth_time?: number
  readonly acr?: string
  /** RFC 9396 section 9.1. */
  readonly authorization_details?: readonly JsonObject[]
  readonly mandate_id?: string
}

/** Signs an access token. @see {@link https://www.rfc-editor.org/rfc/rfc9068#section-2.1} */
export function signAccessToken(claims: AccessTokenClaims, key: SigningKey): string {
  return signEddsa({ typ: 'at+jwt', payload: claims, key })
}

/** The issuer, the time and the keys for the verification of an access token. */
export interface AccessTokenVerification {
  readonly issuer: string
  readonly now: Date
  readonly findKey: (kid: string) => KeyObject | undefined
}

/**
 * Verifies type, signature, issuer and time of an access token of this server; every refusal is `invalid_token`. The
 * caller checks the audience with {@link audienceIncludes}, and the revocation in the store.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9068#section-4}
 */
export function verifyAccessToken(token: string, { issuer, now, findKey }: AccessTokenVerification): AccessTokenClaims {
  return refusingAs('invalid_token', () => {
    const jws = decodeJws(token, { maxBytes: JWT_MAX_BYTES })
    ensure(jws.header.typ === 'at+jwt', 'invalid_token', 'The token is not an access token')
    const key = jws.header.kid === undefined ? undefined : findKey(jws.header.kid)
    ensure(key, 'invalid_token', 'The token is not signed by a known key')
    verifyEddsa(jws, { key })
    const claims = readClaims(jws.payload)
    const seconds = epochSeconds(now)
    ensure(claims.iss === issuer, 'invalid_token', 'The token is of another issuer')
    ensure(claims.exp > seconds, 'invalid_token', 'The token has expired')
    ensure(claims.iat <= seconds + CLOCK_SKEW_SECONDS, 'invalid_token', 'The token is not valid yet')
    return claims
  })
}

function readClaims(payload: JsonObject): AccessTokenClaims {
  const { cnf, authorization_details: details } = payload
  ensure(isJsonObject(cnf), 'malformed', 'The token is bound to no key')
  ensure(details === undefined || isObjectList(details), 'malformed', 'The authorization_details are malformed')
  const authTime = readOptionalTime(payload, 'auth_time')
  const acr = readOptionalText(payload, 'acr', URI_MAX_CHARS)
  const mandateId = readOptionalText(payload, 'mandate_id', JTI_MAX_CHARS)
  return {
    iss: readText(payload, 'iss', URI_MAX_CHARS),
    sub: readText(payload, 'sub', CLIENT_ID_MAX_CHARS),
    aud: readAudience(payload),
    client_id: readText(payload, 'client_id', CLIENT_ID_MAX_CHARS),
    jti: readText(payload, 'jti', JTI_MAX_CHARS),
    iat: readTime(payload, 'iat'),
    exp: readTime(payload, 'exp'),
    scope: readText(payload, 'scope', JWT_MAX_BYTES),
    cnf: { jkt: readText(cnf, 'jkt', JTI_MAX_CHARS) },
    ...(authTime !== undefined && { auth_time: authTime }),
    ...(acr !== undefined && { acr }),
    ...(details !== undefined && { authorization_details: details }),
    ...(mandateId !== undefined && { mandate_id: mandateId }),
  }
}

function readAudience({ aud }: JsonObject): string | readonly string[] {
  const isList = Array.isArray(aud) && aud.length > 0 && aud.every((entry) => typeof entry === 'string')
  ensure(typeof aud === 'string' || isList, 'malformed', 'The aud is missing or malformed')
  return aud
}

function isObjectList(value: unknown): value is JsonObject[] {
  return Array.isArray(value) && value.every(isJsonObject)
}

/** Whether a token was issued for this resource. @see {@link https://www.rfc-editor.org/rfc/rfc7519#section-4.1.3} */
export function audienceIncludes({ aud }: Pick<AccessTokenClaims, 'aud'>, uri: string): boolean {
  return [aud].flat().some((named) => isSameAudience(named, uri))
}
