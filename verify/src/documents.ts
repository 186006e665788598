import { compactVerify, decodeProtectedHeader, importJWK, type JWK } from 'jose'
import { decodeBase64url, isJsonObject, type JsonObject, toText } from './encoding.ts'
import { parseStrictJson } from './strict-json.ts'

/** A fault of a signed document. The message can follow "The receipt …". */
export class DocumentError extends Error {}

/** The key that signed a document is not in the key set. */
export class UnknownKey extends DocumentError {
  readonly kid: string
  constructor(kid: string) {
    super('is signed with a key that is not among the keys.')
    this.kid = kid
  }
}

/** The set of keys that check signatures. */
export class KeySet {
  readonly #keys: ReadonlyMap<string, JWK>
  readonly #used = new Set<string>()

  /** Throws unless `jwks` is a set of public keys, each with a different `kid`. Only Ed25519 keys verify documents. */
  constructor(jwks: unknown) {
    const list = isJsonObject(jwks) ? jwks['keys'] : undefined
    if (!Array.isArray(list)) throw new Error('The keys are not a JWK set.')
    const keys = list.map((jwk: unknown) => readPublicKey(jwk))
    this.#keys = new Map(keys.map((jwk) => [jwk.kid, jwk]))
    if (this.#keys.size !== keys.length) throw new Error('Two keys have the same kid.')
  }

  /** The kids of the keys that have checked a signature. */
  get used(): readonly string[] {
    return [...this.#used]
  }

  find(kid: string): JWK | undefined {
    const jwk = this.#keys.get(kid)
    if (jwk !== undefined) this.#used.add(kid)
    return jwk
  }
}

function readPublicKey(jwk: unknown): JWK & { kid: string } {
  if (!isJsonObject(jwk)) throw new Error('A key is not a JWK.')
  const { kty, crv, x, kid } = jwk
  if (typeof kid !== 'string' || typeof kty !== 'string') throw new Error('A key has no kid or no kty.')
  if (kty === 'OKP' && !(typeof crv === 'string' && typeof x === 'string')) throw new Error('A key has no crv or no x.')
  if ('d' in jwk) throw new Error('A key is a private one.')
  // Key sets also hold keys of other types, which sign nothing in a pack.
  return { kty, kid, ...(typeof crv === 'string' && { crv }), ...(typeof x === 'string' && { x }) }
}

/** A document whose type and signature were checked. */
export interface SignedDocument {
  readonly kid: string
  readonly payload: JsonObject
}

/** Verifies a JWS of the server with the key that its header names (Ed25519 only). Throws a DocumentError. */
export async function verifyDocument(jws: string, typ: string, keys: KeySet): Promise<SignedDocument> {
  const header = readHeader(jws)
  if (header.typ !== typ) throw new DocumentError(`is not of type ${typ}.`)
  const { kid } = header
  const jwk = kid === undefined ? undefined : keys.find(kid)
  if (kid === undefined || jwk === undefined) throw new UnknownKey(kid ?? '')
  return { kid, payload: await verifyWith(jws, jwk) }
}

/** Verifies a JWS with one given key. Throws a DocumentError. */
export async function verifyWith(jws: string, jwk: JWK, parse = parseStrictJson): Promise<JsonObject> {
  const alg = jwk.kty === 'EC' ? 'ES256' : 'EdDSA'
  try {
    // Throws unless the base64url is canonical: otherwise unused bits would make two texts of one document.
    for (const part of jws.split('.')) decodeBase64url(part)
    const { payload } = await compactVerify(jws, await importJWK({ ...jwk, alg }, alg), {
      algorithms: alg === 'EdDSA' ? ['EdDSA', 'Ed25519'] : [alg],
    })
    const claims = parse(toText(payload))
    if (isJsonObject(claims)) return claims
  } catch {
    throw new DocumentError('is not signed by that key, or was altered after it was signed.')
  }
  throw new DocumentError('holds no JSON object.')
}

export function readHeader(jws: string): { readonly typ?: string; readonly kid?: string; readonly alg?: string } {
  try {
    return decodeProtectedHeader(jws)
  } catch {
    throw new DocumentError('is not a JWS.')
  }
}
