/** Keys and builders that the tests of this folder share; no part of the product. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { encodeBase64url } from './encoding'
import { ProtocolError, type ProtocolErrorCode } from './errors'
import { type PublicJwk, parsePublicJwk, thumbprint } from './jwk'
import { signBytes, signJws } from './jws'

export interface TestKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly jwk: PublicJwk
}

function describeKey({ privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject }): TestKey {
  const jwk = parsePublicJwk(publicKey.export({ format: 'jwk' }))
  return { kid: thumbprint(jwk), privateKey, publicKey, jwk }
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

/** Signs any bytes under any header, for what signJws would not write. */
export function rawJws(header: unknown, payload: unknown, key: { privateKey: KeyObject }): string {
  const part = (value: unknown) => encodeBase64url(typeof value === 'string' ? value : JSON.stringify(value))
  const input = `${part(header)}.${part(payload)}`
  return `${input}.${encodeBase64url(signBytes(Buffer.from(input), key.privateKey))}`
}

/** A copy without one of its members. */
export function without(value: object, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([member]) => member !== name))
}

/** A DPoP proof as a client makes it. */
export function signProof(key: TestKey, claims: object, header: object = {}): string {
  return signJws({
    header: { typ: 'dpop+jwt', jwk: key.jwk, ...header },
    payload: claims,
    key: { privateKey: key.privateKey },
  })
}

/** The key-binding JWT of a presentation as a holder makes it. */
export function signKeyBinding(key: TestKey, claims: object, header: object = {}): string {
  return signJws({ header: { typ: 'kb+jwt', ...header }, payload: claims, key: { privateKey: key.privateKey } })
}
