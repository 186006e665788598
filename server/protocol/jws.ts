import { type KeyObject, sign, verify } from 'node:crypto'
import { decodeBase64url, encodeBase64url, type JsonObject, parseJsonObject } from './encoding'
import { ensure, ProtocolError } from './errors'
import { JWT_MAX_BYTES, KID_MAX_CHARS } from './lifetimes'

/** The algorithms that may be asked for by name. RS256 is not among them: see `allowRs256`. */
export type JwsAlgorithm = 'EdDSA' | 'Ed25519' | 'ES256'

/** EdDSA and its RFC 9864 name. */
export const ED25519_ALGORITHMS: readonly JwsAlgorithm[] = ['EdDSA', 'Ed25519']
/** What agents may sign assertions and proofs with. */
export const CLIENT_ALGORITHMS: readonly JwsAlgorithm[] = ['EdDSA', 'Ed25519', 'ES256']

/** A private key and the name under which its public half is published. */
export interface SigningKey {
  readonly kid: string
  readonly privateKey: KeyObject
}

/** The protected header of a JWS. Its members say nothing trustworthy until the signature is verified. */
export interface JwsHeader {
  readonly alg: string
  readonly typ?: string
  readonly kid?: string
  readonly [member: string]: unknown
}

/** A compact JWS taken apart, not verified. */
export interface DecodedJws {
  readonly header: JwsHeader
  readonly payload: JsonObject
  readonly signingInput: string
  readonly signature: Buffer
}

const ED25519_SIGNATURE_BYTES = 64
const P256_SIGNATURE_BYTES = 64
const RSA_MIN_BITS = 2048

/**
 * Signs a JSON object as compact JWS. `alg` follows from the key (EdDSA for Ed25519, ES256 for P-256), `kid` from its
 * name.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7515#section-5.1}
 */
export function signJws(input: {
  readonly header: { readonly typ: string; readonly [member: string]: unknown }
  readonly payload: object
  readonly key: { readonly kid?: string; readonly privateKey: KeyObject }
}): string {
  const { kid, privateKey } = input.key
  const isEd25519 = privateKey.asymmetricKeyType === 'ed25519'
  const header = { alg: isEd25519 ? 'EdDSA' : 'ES256', ...input.header, ...(kid !== undefined && { kid }) }
  const signingInput = `${encodeBase64url(JSON.stringify(header))}.${encodeBase64url(JSON.stringify(input.payload))}`
  return `${signingInput}.${encodeBase64url(signBytes(Buffer.from(signingInput), privateKey))}`
}

/**
 * Signs bytes with Ed25519, or with P-256 in the raw `r || s` form.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7518#section-3.4}
 */
export function signBytes(data: Uint8Array, privateKey: KeyObject): Buffer {
  if (privateKey.asymmetricKeyType === 'ed25519') return sign(null, data, privateKey)
  ensure(isP256(privateKey), 'invalid_signature', 'The signing key has an unsupported type')
  return sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' })
}

/**
 * Takes a compact JWS apart: three segments, a header without extensions, an object as payload.
 * @see {@link https://www.rfc-editor.org/rfc/rfc7515#section-5.2}
 */
export function decodeJws(compact: string, { maxBytes = JWT_MAX_BYTES }: { maxBytes?: number } = {}): DecodedJws {
  ensure(compact.length <= maxBytes, 'malformed', 'The JWT is too long')
  const [header, payload, signature, ...rest] = compact.split('.', 4)
  ensure(header && payload && signature && rest.length === 0, 'malformed', 'The JWT does not have three parts')
  return {
    header: readHeader(parseJsonObject(decodeBase64url(header))),
    payload: parseJsonObject(decodeBase64url(payload)),
    signingInput: `${header}.${payload}`,
    signature: decodeBase64url(signature),
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

/** What a signature is checked against. RS256 counts only where a legacy window says so in words. */
export interface JwsVerification {
  readonly key: KeyObject
  readonly algorithms: readonly JwsAlgorithm[]
  readonly allowRs256?: boolean
}

/**
 * Checks the signature of a decoded JWS; throws `invalid_signature` unless it verifies with an algorithm of the list
 * that also fits the type of the key.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc8725#section-3.1}
 */
export function verifyJws(jws: DecodedJws, { key, algorithms, allowRs256 = false }: JwsVerification): void {
  const { alg } = jws.header
  const isAllowed = algorithms.some((allowed) => allowed === alg) || (allowRs256 && alg === 'RS256')
  ensure(isAllowed, 'invalid_signature', 'The alg of the JWT is not accepted')
  ensure(key.type === 'public', 'invalid_signature', 'The key is not a public key')
  const isValid = verifyWith({ alg, key, data: Buffer.from(jws.signingInput), signature: jws.signature })
  ensure(isValid, 'invalid_signature', 'The signature of the JWT is not valid')
}

function verifyWith(input: { alg: string; key: KeyObject; data: Buffer; signature: Buffer }): boolean {
  const { alg, key, data, signature } = input
  switch (alg) {
    case 'EdDSA':
    case 'Ed25519':
      return isEd25519Signature(key, data, signature)
    case 'ES256':
      return isP256Signature(key, data, signature)
    case 'RS256': {
      // RFC 7518 section 3.3: keys of 2048 bits or more.
      const isLongRsa =
        key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_MIN_BITS
      ensure(isLongRsa, 'invalid_signature', 'The alg of the JWT does not fit the key')
      return verify('sha256', data, key, signature)
    }
    default:
      throw new ProtocolError('invalid_signature', 'The alg of the JWT is not accepted')
  }
}

/**
 * Whether an Ed25519 signature over the data verifies; throws when the key is of another type.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc8037#section-3.1}
 */
export function isEd25519Signature(key: KeyObject, data: Uint8Array, signature: Uint8Array): boolean {
  ensure(key.asymmetricKeyType === 'ed25519', 'invalid_signature', 'The algorithm does not fit the key')
  return signature.length === ED25519_SIGNATURE_BYTES && verify(null, data, key, signature)
}

/**
 * Whether a raw `r || s` P-256 signature over the data verifies; throws when the key is of another type.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7518#section-3.4}
 */
export function isP256Signature(key: KeyObject, data: Uint8Array, signature: Uint8Array): boolean {
  ensure(isP256(key), 'invalid_signature', 'The algorithm does not fit the key')
  return (
    signature.length === P256_SIGNATURE_BYTES && verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature)
  )
}

function isP256(key: KeyObject): boolean {
  return key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
}
