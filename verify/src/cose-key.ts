import { type Bytes, encodeBase64url } from './encoding.ts'

/** The public key of a passkey, and the algorithm that checks its signatures. */
export interface PasskeyKey {
  readonly jwk: JsonWebKey
  readonly importAs: EcKeyImportParams | RsaHashedImportParams | Algorithm
  readonly verifyAs: EcdsaParams | Algorithm
  /** Whether signatures are in DER, as ECDSA signatures of authenticators are (WebAuthn section 6.5.5). */
  readonly isDer: boolean
}

type CborMap = ReadonlyMap<number, number | Bytes>

/**
 * Reads a COSE key (RFC 9052 section 7) of the algorithms that passkeys use: ES256, EdDSA and RS256. Throws for any
 * other.
 */
export function readCoseKey(bytes: Bytes): PasskeyKey {
  const map = readCborMap(bytes)
  switch (Number(map.get(3))) {
    case -7: {
      const jwk = { kty: 'EC', crv: 'P-256', x: textOf(map, -2), y: textOf(map, -3) }
      const verifyAs = { name: 'ECDSA', hash: 'SHA-256' }
      return { jwk, importAs: { name: 'ECDSA', namedCurve: 'P-256' }, verifyAs, isDer: true }
    }
    case -8: {
      const jwk = { kty: 'OKP', crv: 'Ed25519', x: textOf(map, -2) }
      return { jwk, importAs: { name: 'Ed25519' }, verifyAs: { name: 'Ed25519' }, isDer: false }
    }
    case -257: {
      const jwk = { kty: 'RSA', n: textOf(map, -1), e: textOf(map, -2) }
      const importAs = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
      return { jwk, importAs, verifyAs: { name: 'RSASSA-PKCS1-v1_5' }, isDer: false }
    }
    default:
      throw new Error('The key of the passkey is of an unknown kind.')
  }
}

function textOf(map: CborMap, label: number): string {
  const value = map.get(label)
  if (!(value instanceof Uint8Array)) throw new Error('The key of the passkey lacks a part.')
  return encodeBase64url(value)
}

/** Reads a map of integers to integers and byte strings (RFC 8949), which suffices for a COSE key. */
function readCborMap(bytes: Bytes): CborMap {
  let at = 0
  const readLength = (info: number): number => {
    if (info < 24) return info
    const size = { 24: 1, 25: 2 }[info]
    if (size === undefined) throw new Error('The key of the passkey is too long.')
    const digits = bytes.slice(at, at + size)
    at += size
    return digits.reduce((sum, byte) => sum * 256 + byte, 0)
  }
  const readItem = (): number | Bytes => {
    const head = bytes[at] ?? 0xff
    at += 1
    const value = readLength(head & 0x1f)
    if (head >> 5 === 0) return value
    if (head >> 5 === 1) return -1 - value
    if (head >> 5 !== 2 || at + value > bytes.length) throw new Error('The key of the passkey is malformed.')
    at += value
    return bytes.slice(at - value, at)
  }
  const head = bytes[0] ?? 0
  if (head >> 5 !== 5 || (head & 0x1f) >= 24) throw new Error('The key of the passkey is malformed.')
  at = 1
  const entries = Array.from({ length: head & 0x1f }, () => [readItem(), readItem()] as const)
  if (at !== bytes.length) throw new Error('The key of the passkey has something after it.')
  return new Map(entries.flatMap(([label, value]) => (typeof label === 'number' ? [[label, value] as const] : [])))
}
