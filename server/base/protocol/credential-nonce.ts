import { createHmac, timingSafeEqual } from 'node:crypto'
import { dateOfEpoch, epochSeconds } from './claims'
import { decodeBase64url, encodeBase64url } from './encoding'
import { orNull } from './errors'
import { CREDENTIAL_NONCE_TTL_SECONDS } from './lifetimes'

const RANDOM_BYTES = 16
const TIME_BYTES = 6
const MAC_BYTES = 32
const LENGTH = RANDOM_BYTES + TIME_BYTES + MAC_BYTES

/**
 * Creates a nonce for the proof of a credential request: 128 random bits and its expiry with a MAC, so that only used
 * nonces must be stored, and anyone may fetch any number of them.
 *
 * @see {@link https://openid.net/specs/openid-4-verifiable-credential-issuance-1_0.html#section-7}
 */
export function createCredentialNonce(secret: Buffer, random: Uint8Array, now: Date): string {
  const content = Buffer.alloc(RANDOM_BYTES + TIME_BYTES)
  content.set(random.subarray(0, RANDOM_BYTES))
  content.writeUIntBE(epochSeconds(now) + CREDENTIAL_NONCE_TTL_SECONDS, RANDOM_BYTES, TIME_BYTES)
  return encodeBase64url(Buffer.concat([content, macOf(secret, content)]))
}

/** Returns the expiry of a nonce; null when it has expired or was made with none of the secrets. */
export function findNonceEnd(nonce: string, secrets: readonly Buffer[], now: Date): Date | null {
  const bytes = orNull(() => decodeBase64url(nonce))
  if (bytes?.length !== LENGTH) return null
  const content = bytes.subarray(0, RANDOM_BYTES + TIME_BYTES)
  const mac = bytes.subarray(RANDOM_BYTES + TIME_BYTES)
  if (!secrets.some((secret) => timingSafeEqual(mac, macOf(secret, content)))) return null
  const end = content.readUIntBE(RANDOM_BYTES, TIME_BYTES)
  return end > epochSeconds(now) ? dateOfEpoch(end) : null
}

const macOf = (secret: Buffer, content: Buffer): Buffer => createHmac('sha256', secret).update(content).digest()
