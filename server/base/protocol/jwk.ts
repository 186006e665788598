import { isStrongPoint } from './ed25519-point'
import { decodeBase64url, isJsonObject, type JsonObject } from './encoding'
import { ensure } from './errors'
import { KID_MAX_CHARS } from './lifetimes'

interface JwkLabels {
  readonly kid?: string
  readonly use?: 'sig'
  readonly alg?: string
}

/** An Ed25519 public key. @see {@link https://www.rfc-editor.org/rfc/rfc8037#section-2} */
export interface OkpJwk extends JwkLabels {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
}

/** A P-256 public key. @see {@link https://www.rfc-editor.org/rfc/rfc7518#section-6.2} */
export interface EcJwk extends JwkLabels {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
}

/**
 * An RSA public key, known only to clients of the RS256 legacy window.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7518#section-6.3}
 */
export interface RsaJwk extends JwkLabels {
  readonly kty: 'RSA'
  readonly n: string
  readonly e: string
}

/** A public key that every protocol here accepts. */
export type PublicJwk = OkpJwk | EcJwk

/** A public key that a client may have registered. */
export type ClientJwk = PublicJwk | RsaJwk

/** Members that carry secret material. @see {@link https://www.rfc-editor.org/rfc/rfc7518#section-6} */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']
const ALGORITHMS_OF_TYPE: Record<ClientJwk['kty'], readonly string[]> = {
  // RFC 9864 gives EdDSA with this curve the name Ed25519; both are in use.
  OKP: ['EdDSA', 'Ed25519'],
  EC: ['ES256'],
  RSA: ['RS256'],
}
const COORDINATE_BYTES = 32
const RSA_MIN_BYTES = 256
const RSA_MAX_BYTES = 1024

/**
 * Reads a public key: Ed25519 or P-256, coordinates of the exact length, no private member. Members other than the
 * key's own, `kid`, `use` and `alg` are dropped.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7517#section-4}
 */
export function parsePublicJwk(value: unknown): PublicJwk {
  const jwk = parseClientJwk(value, { allowRsa: false })
  ensure(jwk.kty !== 'RSA', 'malformed', 'The key type is not supported')
  return jwk
}

/** {@link parsePublicJwk} for a client's registration, where an RSA key of 2048 bits or more may be allowed. */
export function parseClientJwk(value: unknown, { allowRsa }: { allowRsa: boolean }): ClientJwk {
  ensure(isJsonObject(value), 'malformed', 'The key is not a JSON object')
  ensure(!PRIVATE_MEMBERS.some((member) => Object.hasOwn(value, member)), 'malformed', 'The key holds private members')
  if (value['kty'] === 'OKP') {
    ensure(value['crv'] === 'Ed25519', 'malformed', 'The curve is not supported')
    return { kty: 'OKP', crv: 'Ed25519', x: readEd25519Point(value), ...readLabels(value, 'OKP') }
  }
  if (value['kty'] === 'EC') {
    ensure(value['crv'] === 'P-256', 'malformed', 'The curve is not supported')
    return {
      kty: 'EC',
      crv: 'P-256',
      x: readCoordinate(value, 'x'),
      y: readCoordinate(value, 'y'),
      ...readLabels(value, 'EC'),
    }
  }
  ensure(allowRsa && value['kty'] === 'RSA', 'malformed', 'The key type is not supported')
  return { kty: 'RSA', ...readRsaNumbers(value), ...readLabels(value, 'RSA') }
}

function readLabels(value: JsonObject, kty: ClientJwk['kty']): JwkLabels {
  const { kid, use, alg } = value
  const isKid = kid === undefined || (typeof kid === 'string' && kid.length > 0 && kid.length <= KID_MAX_CHARS)
  ensure(isKid, 'malformed', 'The kid of the key is malformed')
  ensure(use === undefined || use === 'sig', 'malformed', 'The key is not for signatures')
  const isAlg = alg === undefined || (typeof alg === 'string' && ALGORITHMS_OF_TYPE[kty].includes(alg))
  ensure(isAlg, 'malformed', 'The alg of the key does not fit its type')
  return { ...(kid !== undefined && { kid }), ...(use !== undefined && { use }), ...(alg !== undefined && { alg }) }
}

function readCoordinate(value: JsonObject, member: 'x' | 'y'): string {
  const text = value[member]
  ensure(typeof text === 'string', 'malformed', 'A coordinate of the key is missing')
  // RFC 7518 section 6.2.1.2: the full length, leading zeros included.
  ensure(decodeBase64url(text).length === COORDINATE_BYTES, 'malformed', 'A coordinate of the key has the wrong length')
  return text
}

function readEd25519Point(value: JsonObject): string {
  const text = readCoordinate(value, 'x')
  ensure(isStrongPoint(decodeBase64url(text)), 'malformed', 'The key is not a usable Ed25519 key')
  return text
}

function readRsaNumbers(value: JsonObject): { n: string; e: string } {
  const { n, e } = value
  ensure(typeof n === 'string' && typeof e === 'string', 'malformed', 'The RSA key is incomplete')
  const modulus = decodeBase64url(n)
  // RFC 7518 section 3.3: at least 2048 bits; the leading bit is set, so none of them are padding.
  const isLong = modulus.length >= RSA_MIN_BYTES && modulus.length <= RSA_MAX_BYTES && (modulus[0] ?? 0) >= 0x80
  ensure(isLong, 'malformed', 'The RSA key has an unsupported length')
  ensure(e === 'AQAB', 'malformed', 'The RSA key has an unsupported exponent')
  return { n, e }
}

/**
 * Whether the type of a key fits this algorithm. The parser has checked that its own `alg`, if any, fits the type too.
 */
export function fitsAlgorithm(jwk: ClientJwk, alg: string): boolean {
  return ALGORITHMS_OF_TYPE[jwk.kty].includes(alg)
}
