/**
 * Ed25519 signature checks. They are the largest single cost of an OAuth request, and libsodium needs half of what OpenSSL
 * does; node:crypto is used when its package cannot be installed. Both accept the same signatures.
 */
import { type KeyObject, verify } from 'node:crypto'
import type libsodium from 'sodium-native'
import { isStrongPoint } from './ed25519-point'

/** Whether a signature of a message verifies with a public Ed25519 key. */
export type VerifyEd25519 = (message: Buffer, key: KeyObject, signature: Buffer) => boolean

const SIGNATURE_BYTES = 64
const POINT_BYTES = 32

/** The bytes of each key, kept as long as the key exists. */
const points = new WeakMap<KeyObject, Buffer>()

function pointOf(key: KeyObject): Buffer {
  const known = points.get(key)
  if (known !== undefined) return known
  const point = Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url')
  points.set(key, point)
  return point
}

/** Verifies with node:crypto. Weak points as key or commitment, which OpenSSL accepts, are refused, as by libsodium. */
export const verifyWithNode: VerifyEd25519 = (message, key, signature) =>
  signature.length === SIGNATURE_BYTES &&
  isStrongPoint(pointOf(key)) &&
  isStrongPoint(signature.subarray(0, POINT_BYTES)) &&
  verify(null, message, key, signature)

/** Returns a verifier that uses libsodium. */
export function verifyWith(sodium: typeof libsodium): VerifyEd25519 {
  return (message, key, signature) =>
    signature.length === SIGNATURE_BYTES && sodium.crypto_sign_verify_detached(signature, message, pointOf(key))
}

let chosen: VerifyEd25519 = verifyWithNode

/** Sets the implementation of {@link verifyEd25519}, once, when a process starts. */
export function chooseEd25519Verifier(verifier: VerifyEd25519): void {
  chosen = verifier
}

/** Checks a signature. @see {@link https://www.rfc-editor.org/rfc/rfc8032#section-5.1.7} */
export const verifyEd25519: VerifyEd25519 = (message, key, signature) => chosen(message, key, signature)
