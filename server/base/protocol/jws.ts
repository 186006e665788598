import { type KeyObject, verify } from 'node:crypto'
import { compactVerify, SignJWT } from 'jose'
import { type DecodedJws, decodeJws, ED25519_ALGORITHMS, type SigningKey, verifyEddsa } from './eddsa'
import type { JsonObject } from './encoding'
import { ensure, ProtocolError } from './errors'

/** What agents may sign assertions and proofs with. */
export const CLIENT_ALGORITHMS: readonly string[] = [...ED25519_ALGORITHMS, 'ES256']

/** What a signature is checked against. */
export interface JwsVerification {
  readonly key: KeyObject
  readonly algorithms: readonly string[]
}

/**
 * Checks the signature of a decoded JWS by a client's key; throws `invalid_signature` unless it verifies with an
 * algorithm of the list that also fits the type of the key.
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

/** RFC 7518 section 3.4: with P-256 alone, r and s behind one another. WebCrypto would cost as much again. */
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
    // A key that does not fit is told in errors of several kinds, so none of them is taken for a fault of ours.
    throw new ProtocolError('invalid_signature', 'The signature of the JWT is not valid')
  }
}

/** Signs a document of ours that is not on a hot path. */
export function signDocument(input: {
  readonly typ: string
  readonly payload: object
  readonly key: SigningKey
}): Promise<string> {
  const { typ, payload, key } = input
  return new SignJWT({ ...payload }).setProtectedHeader({ alg: 'EdDSA', typ, kid: key.kid }).sign(key.privateKey)
}

/** What a document of ours is verified with. */
export interface DocumentVerification {
  /** What the refusals call it. */
  readonly name: string
  readonly typ: string
  readonly findKey: (kid: string) => KeyObject | undefined | Promise<KeyObject | undefined>
}

/** A document whose signature verifies. */
export interface VerifiedDocument {
  readonly kid: string
  readonly payload: JsonObject
}

/** Verifies type and signature of a document of ours; refusals are `malformed` and `invalid_signature`. */
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
