import { readCoseKey } from './cose-key.ts'
import { type Bytes, decodeBase64url, equalBytes, isJsonObject, join, sha256, toText } from './encoding.ts'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const RP_ID_HASH_BYTES = 32
const P256_BYTES = 32

/** A passkey's signature with all values that it is checked against. */
export interface Assertion {
  readonly authenticatorData: string
  readonly clientDataJson: string
  readonly signature: string
  /** The COSE key, base64url. */
  readonly publicKey: string
  readonly challenge: string
  /** The origin of the issuer. */
  readonly origin: string
}

/**
 * Returns the fault of a passkey's signature, or null when it is valid: type, challenge, origin, relying party, that
 * the person was present and verified, and the signature itself (WebAuthn section 7.2).
 */
export async function findAssertionFault(assertion: Assertion): Promise<string | null> {
  try {
    const clientData = decodeBase64url(assertion.clientDataJson)
    const authenticatorData = decodeBase64url(assertion.authenticatorData)
    return (
      findClientFault(clientData, assertion) ??
      (await findAuthenticatorFault(authenticatorData, assertion.origin)) ??
      (await findSignatureFault(assertion, join(authenticatorData, await sha256(clientData))))
    )
  } catch {
    return 'it is malformed'
  }
}

function findClientFault(bytes: Bytes, { challenge, origin }: Assertion): string | null {
  const data: unknown = JSON.parse(toText(bytes))
  if (!isJsonObject(data) || data['type'] !== 'webauthn.get') return 'it is no sign of approval'
  if (data['challenge'] !== challenge) return 'it was made for another challenge'
  return data['origin'] === origin ? null : 'it was made for another site'
}

async function findAuthenticatorFault(data: Bytes, origin: string): Promise<string | null> {
  const expected = await sha256(new URL(origin).hostname)
  if (!equalBytes(data.slice(0, RP_ID_HASH_BYTES), expected)) return 'it was made for another site'
  const flags = data[RP_ID_HASH_BYTES] ?? 0
  const isPerson = (flags & USER_PRESENT) !== 0 && (flags & USER_VERIFIED) !== 0
  return isPerson ? null : 'the authenticator did not verify the person'
}

async function findSignatureFault({ publicKey, signature }: Assertion, signed: Bytes): Promise<string | null> {
  const { jwk, importAs, verifyAs, isDer } = readCoseKey(decodeBase64url(publicKey))
  const key = await crypto.subtle.importKey('jwk', jwk, importAs, false, ['verify'])
  const bytes = decodeBase64url(signature)
  const isRight = await crypto.subtle.verify(verifyAs, key, isDer ? fromDer(bytes) : bytes, signed)
  return isRight ? null : 'the signature does not match'
}

/** Converts an ECDSA signature from DER to `r || s`. Throws for anything but canonical DER. */
function fromDer(der: Bytes): Bytes {
  const [tag, length, ...body] = der
  if (tag !== 0x30 || length !== body.length) throw new Error('not DER')
  const r = readInteger(Uint8Array.from(body))
  const s = readInteger(r.rest)
  if (s.rest.length > 0) throw new Error('not DER')
  return join(r.value, s.value)
}

function readInteger(der: Bytes): { readonly value: Bytes; readonly rest: Bytes } {
  const length = der[1] ?? 0
  const digits = der.slice(2, 2 + length)
  const isMinimal = digits[0] !== 0 || (digits[1] ?? 0) >= 0x80
  if (der[0] !== 0x02 || digits.length !== length || !isMinimal || (digits[0] ?? 0x80) >= 0x80)
    throw new Error('not DER')
  const value = digits[0] === 0 ? digits.slice(1) : digits
  if (value.length > P256_BYTES) throw new Error('not DER')
  return { value: join(new Uint8Array(P256_BYTES - value.length), value), rest: der.slice(2 + length) }
}
