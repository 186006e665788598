import { createHmac, timingSafeEqual } from 'node:crypto'
import { invariant } from '../core/invariant'
import type { NonceSource } from '../core/platform'
import { epochSeconds } from './claims'
import { DPOP_NONCE_SLOT_SECONDS, DPOP_PROOF_MAX_AGE_SECONDS } from './lifetimes'

const SECRET_MIN_BYTES = 32
/** The most nonces that are kept: requests need the same two or three. */
const NONCES_KEPT = 8

/**
 * Creates a source of nonces that are a MAC of the time slot, so they are not stored and are the same in every process.
 * One made at the start of a slot is valid for 180 s, one made at its end for 90 s. The first secret makes nonces;
 * those made with the others are valid too.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9449#section-8}
 */
export function createNonceSource(secrets: readonly Buffer[]): NonceSource {
  const isLong = secrets.every((secret) => secret.length >= SECRET_MIN_BYTES)
  invariant(isLong, 'a nonce secret has at least 32 bytes')
  const [first, ...others] = secrets.map(createNonces)
  invariant(first !== undefined, 'there is a nonce secret')
  return {
    current: (now) => first(slotAt(epochSeconds(now))),
    isValid: (nonce, now) => {
      const seconds = epochSeconds(now)
      const slots = [slotAt(seconds), slotAt(seconds) - 1, slotAt(seconds + DPOP_PROOF_MAX_AGE_SECONDS)]
      const known = [first, ...others].flatMap((nonceOf) => slots.map(nonceOf))
      return known.filter((one) => equalsInConstantTime(nonce, one)).length > 0
    },
  }
}

const slotAt = (seconds: number): number => Math.floor(seconds / DPOP_NONCE_SLOT_SECONDS)

/** Returns a function that gives the nonce of a slot. */
function createNonces(secret: Buffer): (slot: number) => string {
  // RFC 9449 section 8.1 allows NQCHAR in a nonce; base64url is within it.
  const make = (slot: number) => createHmac('sha256', secret).update(`dpop-nonce:${slot}`).digest('base64url')
  const kept = new Map<number, string>()
  return (slot) => {
    const known = kept.get(slot)
    if (known !== undefined) return known
    const nonce = make(slot)
    if (kept.size >= NONCES_KEPT) kept.clear()
    kept.set(slot, nonce)
    return nonce
  }
}

function equalsInConstantTime(given: string, wanted: string): boolean {
  const [givenBytes, wantedBytes] = [Buffer.from(given), Buffer.from(wanted)]
  return givenBytes.length === wantedBytes.length && timingSafeEqual(givenBytes, wantedBytes)
}
