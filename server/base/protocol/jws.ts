import { type KeyObject, verify } from 'node:crypto'
import { compactVerify, SignJWT } from 'jose'
import { type DecodedJws, decodeJws, ED25519_ALGORITHMS, type SigningKey, verifyEddsa } from './eddsa'
import type { JsonObject } from './encoding'
import { ensure, ProtocolError } from './errors'

/** The algorithms with which agents may sign assertions and proofs. */
export const CLIENT_ALGORITHMS: readonly string[] = [...ED25519_ALGORITHMS, 'ES256']

/** The key and the algorithms that a signature must match. */
export interface JwsVerification {
  readonly key: KeyObject
  readonly algorithms: readonly string[]
}

/**
 * Verifies the signature of a decoded JWS with a client's key; throws `invalid_signature` unless its algorithm is in
 * the list and fits the type of the key.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc8725#section-3.1}
 */
export async function verifyJws(jws: DecodedJws, { key, algorithms }: JwsVerification): Promise<void> {
  const { alg } = jws.header
  ensure(algorithms.includes(alg), 'invalid_signature', 'The alg of the JWT is not accepted')
  if (ED25519_ALGORITHMS.includes(alg)) verifyEddsa(jws, { key, algorithms })
  else if (alg === 'ES256') verifyEs256(jws, key)
  else await verifyWithJose(jws, { key, algorithms: [alg] })
}

const ES256_BYTES = 64

/** Verifies an ES256 signature, `r || s` (RFC 7518 section 3.4). WebCrypto would cost twice as much. */
function verifyEs256({ signature, compact }: DecodedJws, key: KeyObject): void {
  const isP256 = key.type === 'public' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
  ensure(isP256, 'invalid_signature', 'The key is not a P-256 public key')
  const signingInput = Buffer.from(compact.slice(0, compact.lastIndexOf('.')))
  const isValid =
    signature.length === ES256_BYTES && verify('sha256', signingInput, { key, dsaEncoding: 'ieee-p1363' }, signature)
  ensure(isValid, 'invalid_signature', 'The signature of the JWT is not valid')
}

async function verifyWithJose({ compact }: DecodedJws, { key, algorithms }: JwsVerification): Promise<void> {
  try {
    await compactVerify(compact, key, { algorithms: [...algorithms] })
  } catch {
    // An unsuitable key causes errors of several kinds, so every error is treated as an invalid signature.
    throw new ProtocolError('invalid_signature', 'The signature of the JWT is not valid')
  }
}

/** Signs a document of this server outside the hot paths. */
export function signDocument(input: {
  readonly typ: string
  readonly payload: object
  readonly key: SigningKey
}): Promise<string> {
  const { typ, payload, key } = input
  return new SignJWT({ ...payload }).setProtectedHeader({ alg: 'EdDSA', typ, kid: key.kid }).sign(key.privateKey)
}

/** The type and the keys for the verification of a document of this server. */
export interface DocumentVerification {
  /** The name of the document in error messages. */
  readonly name: string
  readonly typ: string
  readonly findKey: (kid: string) => KeyObject | undefined | Promise<KeyObject | undefined>
}

/** A document whose signature is valid. */
export interface VerifiedDocument {
  readonly kid: string
  readonly payload: JsonObject
}

/** Verifies type and signature of a document of this server; refusals are `malformed` and `invalid_signature`. */
export async function verifyDocument(compact: string, expected: DocumentVerification): Promise<VerifiedDocument> {
  const { name, typ, findKey } = expected
  const jws = decodeJws(compact)
  ensure(jws.header.typ === typ, 'invalid_signature', `The typ of the ${name} is not ${typ}`)
  const { kid } = jws.header
  const key = kid === undefined ? undefined : await findKey(kid)
  ensure(kid !== undefined && key !== undefined, 'invalid_signature', `The ${name} is not signed by a known key`)
  await verifyWithJose(jws, { key, algorithms: ED25519_ALGORITHMS })
  return { kid, payload: jws.payload }
}
