import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, compactDecrypt, decodeProtectedHeader, importJWK, type JWK, SignJWT } from 'jose'
import { encodeBase64url, type JsonObject, parseJsonObject } from './encoding'
import { ensure, ProtocolError } from './errors'

/** The algorithms with which a wallet may encrypt its response (HAIP section 5). */
export const RESPONSE_ENCRYPTION = ['A128GCM', 'A256GCM'] as const

/** The key to which one response is encrypted; its public part is in the request object. */
export interface ResponseKey {
  readonly kid: string
  readonly privateJwk: Readonly<Record<string, unknown>>
}

/**
 * Signs a request object with the access certificate's key (RFC 9101, OpenID4VP section 5). `x5c` begins with the leaf
 * and has no trust anchor (HAIP section 5).
 */
export function signRequestObject(
  claims: Readonly<Record<string, unknown>>,
  { x5c, privateKey }: { readonly x5c: readonly string[]; readonly privateKey: KeyObject },
): Promise<string> {
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'oauth-authz-req+jwt', x5c: [...x5c] })
    .sign(privateKey)
}

/** Encodes a transaction data entry in the form that the wallet receives and hashes (OpenID4VP section 8.4). */
export function encodeTransactionData(data: Readonly<Record<string, unknown>>): string {
  return encodeBase64url(JSON.stringify(data))
}

/** Generates a P-256 key for one response. */
export async function generateResponseKey(): Promise<ResponseKey> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const privateJwk = privateKey.export({ format: 'jwk' })
  return { kid: await calculateJwkThumbprint(privateJwk as JWK), privateJwk: { ...privateJwk } }
}

/** Returns the public part in the form of `client_metadata.jwks` (OpenID4VP section 8.3). */
export function publishResponseKey({ kid, privateJwk }: ResponseKey): Readonly<Record<string, unknown>> {
  const { kty, crv, x, y } = privateJwk
  return { kty, crv, x, y, kid, use: 'enc', alg: 'ECDH-ES' }
}

/**
 * Decrypts a response and returns its parameters. Throws `malformed` unless it is a JWE to this key by its kid, with
 * ECDH-ES and without compression, since the sender could make the inflated size exceed any limit.
 *
 * @see {@link https://openid.net/specs/openid-4-verifiable-presentations-1_0.html#section-8.3}
 */
export async function decryptResponse(jwe: string, key: ResponseKey): Promise<JsonObject> {
  const header = readHeader(jwe)
  ensure(!Object.hasOwn(header, 'zip'), 'malformed', 'The response is compressed')
  ensure(header['kid'] === key.kid, 'malformed', 'The response is not encrypted to the key of the request')
  return parseJsonObject(await decrypt(jwe, key))
}

function readHeader(jwe: string): Readonly<Record<string, unknown>> {
  try {
    return { ...decodeProtectedHeader(jwe) }
  } catch {
    throw new ProtocolError('malformed', 'The response is not an encrypted JWT')
  }
}

async function decrypt(jwe: string, { privateJwk }: ResponseKey): Promise<Uint8Array> {
  try {
    const { plaintext } = await compactDecrypt(jwe, await importJWK(privateJwk as JWK, 'ECDH-ES'), {
      keyManagementAlgorithms: ['ECDH-ES'],
      contentEncryptionAlgorithms: [...RESPONSE_ENCRYPTION],
    })
    return plaintext
  } catch {
    throw new ProtocolError('malformed', 'The response cannot be decrypted with the key of the request')
  }
}
