/** Keys and builders that the tests of this folder share; no part of the product. */
import { createHash, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { encodeBase64url } from './encoding'
import { ProtocolError, type ProtocolErrorCode } from './errors'
import { type PublicJwk, parsePublicJwk } from './jwk'

export interface TestKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly jwk: PublicJwk
}

function describeKey({ privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject }): TestKey {
  const jwk = parsePublicJwk(publicKey.export({ format: 'jwk' }))
  return { kid: thumbprintOf(jwk), privateKey, publicKey, jwk }
}

/** RFC 7638, at once, so that keys can be made while a suite is collected. */
function thumbprintOf(jwk: PublicJwk): string {
  const { crv, kty, x } = jwk
  const required = jwk.kty === 'EC' ? { crv, kty, x, y: jwk.y } : { crv, kty, x }
  return createHash('sha256').update(JSON.stringify(required)).digest('base64url')
}

export const ed25519Key = (): TestKey => describeKey(generateKeyPairSync('ed25519'))
export const p256Key = (): TestKey => describeKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }))

/** 2026-11-21T12:00:00Z, the moment at which every test here happens. */
export const NOW = new Date(1_795_262_400_000)
export const NOW_SECONDS = 1_795_262_400

/** The code that a step is refused with, or 'accepted'. Checks on the way that the message may be shown to anybody. */
export function codeOf(step: () => unknown): ProtocolErrorCode | 'accepted' {
  try {
    step()
    return 'accepted'
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    if (!/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/.test(error.message))
      throw new Error(`unfit message: ${error.message}`, { cause: error })
    return error.code
  }
}

/** The code that an asynchronous step is refused with, or 'accepted'. */
export async function laterCodeOf(step: () => Promise<unknown>): Promise<ProtocolErrorCode | 'accepted'> {
  const outcome = await step().then(
    () => () => undefined,
    (error: unknown) => () => {
      throw error
    },
  )
  return codeOf(outcome)
}

/** Signs bytes with Ed25519, or with P-256 in the raw `r || s` form. */
export function signBytes(data: Uint8Array, key: KeyObject): Buffer {
  const hash = key.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  return sign(hash, data, { key, dsaEncoding: 'ieee-p1363' })
}

/** Whether an Ed25519 signature over the data verifies. */
export function isEd25519Signature(key: KeyObject, data: Uint8Array, signature: Uint8Array): boolean {
  return verify(null, data, key, signature)
}

/** Signs any bytes under any header. */
export function rawJws(header: unknown, payload: unknown, key: { privateKey: KeyObject }): string {
  const part = (value: unknown) => encodeBase64url(typeof value === 'string' ? value : JSON.stringify(value))
  const input = `${part(header)}.${part(payload)}`
  return `${input}.${encodeBase64url(signBytes(Buffer.from(input), key.privateKey))}`
}

/** A copy without one of its members. */
export function without(value: object, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([member]) => member !== name))
}

/** A JWT that names the algorithm of its key. */
function signJwt(key: TestKey, header: object, claims: object): string {
  return rawJws({ alg: key.jwk.kty === 'OKP' ? 'EdDSA' : 'ES256', ...header }, claims, key)
}

/** A DPoP proof as a client makes it. */
export function signProof(key: TestKey, claims: object, header: object = {}): string {
  return signJwt(key, { typ: 'dpop+jwt', jwk: key.jwk, ...header }, claims)
}

/** The key-binding JWT of a presentation as a holder makes it. */
export function signKeyBinding(key: TestKey, claims: object, header: object = {}): string {
  return signJwt(key, { typ: 'kb+jwt', ...header }, claims)
}
