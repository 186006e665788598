/**
 * The compact JWS of the hot paths: Ed25519, synchronous. Every access token, mandate and most proofs and
 * assertions pass through here. ES256 is in jws.ts, all other JOSE work is jose's (docs/adr/0003).
 */
import { type KeyObject, sign } from 'node:crypto'
import { verifyEd25519 } from './ed25519'
import { decodeBase64url, encodeBase64url, type JsonObject, parseJsonObject } from './encoding'
import { ensure } from './errors'
import { JSON_MAX_DEPTH, JWT_MAX_BYTES, KID_MAX_CHARS } from './lifetimes'

/** EdDSA, and its name in RFC 9864 with Ed25519. */
export const ED25519_ALGORITHMS: readonly string[] = ['EdDSA', 'Ed25519']

/** A private key and the name under which its public half is published. */
export interface SigningKey {
  readonly kid: string
  readonly privateKey: KeyObject
}

/** The protected header of a JWS. Its members are not trustworthy until the signature is verified. */
export interface JwsHeader {
  readonly alg: string
  readonly typ?: string
  readonly kid?: string
  readonly [member: string]: unknown
}

/** A decoded compact JWS, not verified. */
export interface DecodedJws {
  readonly header: JwsHeader
  readonly payload: JsonObject
  readonly signature: Buffer
  /** The whole JWS. */
  readonly compact: string
}

/**
 * Signs a JSON object as compact JWS with EdDSA.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc8037#section-3.1}
 */
export function signEddsa(input: { readonly typ: string; readonly payload: object; readonly key: SigningKey }): string {
  const { typ, payload, key } = input
  const isEd25519 = key.privateKey.asymmetricKeyType === 'ed25519'
  ensure(isEd25519, 'invalid_signature', 'The signing key is not an Ed25519 key')
  const header = { alg: 'EdDSA', typ, kid: key.kid }
  const signingInput = `${encodeBase64url(JSON.stringify(header))}.${encodeBase64url(JSON.stringify(payload))}`
  return `${signingInput}.${encodeBase64url(sign(null, Buffer.from(signingInput), key.privateKey))}`
}

/**
 * Decodes a compact JWS of any algorithm: three segments, a header without extensions, an object as payload.
 * @see {@link https://www.rfc-editor.org/rfc/rfc7515#section-5.2}
 */
export function decodeJws(
  compact: string,
  { maxBytes = JWT_MAX_BYTES, maxDepth = JSON_MAX_DEPTH }: { maxBytes?: number; maxDepth?: number } = {},
): DecodedJws {
  ensure(compact.length <= maxBytes, 'malformed', 'The JWT is too long')
  const [header, payload, signature, ...rest] = compact.split('.', 4)
  ensure(header && payload && signature && rest.length === 0, 'malformed', 'The JWT does not have three parts')
  return {
    header: readHeader(parseJsonObject(decodeBase64url(header))),
    payload: parseJsonObject(decodeBase64url(payload), { maxDepth }),
    signature: decodeBase64url(signature),
    compact,
  }
}

function readHeader(header: JsonObject): JwsHeader {
  const { alg, typ, kid } = header
  ensure(typeof alg === 'string', 'malformed', 'The JWT header has no alg')
  ensure(typ === undefined || typeof typ === 'string', 'malformed', 'The typ of the JWT is malformed')
  const isKid = kid === undefined || (typeof kid === 'string' && kid.length <= KID_MAX_CHARS)
  ensure(isKid, 'malformed', 'The kid of the JWT is malformed')
  // RFC 7515 section 4.1.11: an extension that is not understood makes the JWS invalid, and none is understood here.
  ensure(!Object.hasOwn(header, 'crit') && !Object.hasOwn(header, 'b64'), 'malformed', 'The JWT uses header extensions')
  return { ...header, alg, ...(typ !== undefined && { typ }), ...(kid !== undefined && { kid }) }
}

/**
 * Whether a JWT has this `typ`: a media type, compared without case, whose `application/` may be left out.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7515#section-4.1.9}
 */
export function hasType({ typ }: JwsHeader, expected: string): boolean {
  return typ?.toLowerCase().replace(/^application\//, '') === expected.toLowerCase()
}

/**
 * Verifies the Ed25519 signature of a decoded JWS; throws `invalid_signature` unless its `alg` is in the list and the
 * signature is valid.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc8725#section-3.1}
 */
export function verifyEddsa(
  { header, signature, compact }: DecodedJws,
  { key, algorithms = ['EdDSA'] }: { readonly key: KeyObject; readonly algorithms?: readonly string[] },
): void {
  const isAllowed = ED25519_ALGORITHMS.includes(header.alg) && algorithms.includes(header.alg)
  ensure(isAllowed, 'invalid_signature', 'The alg of the JWT is not accepted')
  const isPublicEd25519 = key.type === 'public' && key.asymmetricKeyType === 'ed25519'
  ensure(isPublicEd25519, 'invalid_signature', 'The key is not an Ed25519 public key')
  const signingInput = Buffer.from(compact.slice(0, compact.lastIndexOf('.')))
  ensure(verifyEd25519(signingInput, key, signature), 'invalid_signature', 'The signature of the JWT is not valid')
}
