import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import * as z from 'zod'
import { CountersignError } from '../errors.js'

/** A private Ed25519 key as JWK. @see {@link https://www.rfc-editor.org/rfc/rfc8037#section-2} */
export const privateKeyJwk = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().regex(/^[\w-]{43}$/),
  d: z.string().regex(/^[\w-]{43}$/),
})

/** A private Ed25519 key as JWK. */
export type PrivateKeyJwk = z.infer<typeof privateKeyJwk>
/** The public part of the key. */
export type PublicKeyJwk = Omit<PrivateKeyJwk, 'd'>

/** A key ready to sign. */
export interface SigningKey {
  readonly privateKey: KeyObject
  readonly publicJwk: PublicKeyJwk
  /** RFC 7638 thumbprint: the `jkt` of a DPoP key, the `kid` of an assertion key. */
  readonly thumbprint: string
}

/**
 * The length of the key at the end of a PKCS #8 and of an SPKI Ed25519 key.
 * @see {@link https://www.rfc-editor.org/rfc/rfc8410#section-10}
 */
const ED25519_KEY_BYTES = 32

/** Creates an Ed25519 key pair, through DER, since exporting a fresh key as JWK can hang on Node.js 20. */
export function mintKey(): PrivateKeyJwk {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { format: 'der', type: 'pkcs8' },
    publicKeyEncoding: { format: 'der', type: 'spki' },
  })
  return { kty: 'OKP', crv: 'Ed25519', x: keyBytes(publicKey), d: keyBytes(privateKey) }
}

const keyBytes = (der: Buffer): string => der.subarray(-ED25519_KEY_BYTES).toString('base64url')

/**
 * Converts a JWK to a signing key.
 * @throws {CountersignError} names the key when it is no private Ed25519 key, or when its parts do not belong together
 */
export function importKey(jwk: PrivateKeyJwk, name = 'the key'): SigningKey {
  const parsed = privateKeyJwk.safeParse(jwk)
  if (!parsed.success) throw new CountersignError(`${name} is not a private Ed25519 JWK`)
  const { kty, crv, x, d } = parsed.data
  const privateKey = createPrivateKey({ key: { kty, crv, x, d }, format: 'jwk' })
  const publicDer = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  if (keyBytes(publicDer) !== x) throw new CountersignError(`${name} has parts that do not belong together`)
  return { privateKey, publicJwk: { kty, crv, x }, thumbprint: thumbprint({ kty, crv, x }) }
}

/** @see {@link https://www.rfc-editor.org/rfc/rfc7638#section-3} */
function thumbprint({ crv, kty, x }: PublicKeyJwk): string {
  return sha256(JSON.stringify({ crv, kty, x }))
}

/** Returns the SHA-256 of a text in base64url. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
