import { createHmac, timingSafeEqual } from 'node:crypto'
import { invariant } from '../core/invariant'
import { epochSeconds } from './claims'
import { DPOP_NONCE_SLOT_SECONDS, DPOP_PROOF_MAX_AGE_SECONDS } from './lifetimes'

/** Makes and recognises the server's DPoP nonces without storing any. */
export interface NonceSource {
  /** The nonce to hand out now. */
  readonly current: (now: Date) => string
  /**
   * Whether a nonce was handed out by any process with this secret in the current or the previous slot, or in the next
   * one by a process whose clock is ahead by no more than a proof's `iat` may be.
   */
  readonly isValid: (nonce: string, now: Date) => boolean
}

const SECRET_MIN_BYTES = 32
/** Every request asks for the same two or three. */
const NONCES_KEPT = 8

/**
 * Nonces that are a MAC of the time slot: nothing to store, and the same in every process. One made at the start of a
 * slot lives 180 s, one made at its end 90 s.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9449#section-8}
 */
export function createNonceSource(secret: Buffer): NonceSource {
  invariant(secret.length >= SECRET_MIN_BYTES, 'a nonce secret has at least 32 bytes')
  const slotOf = (now: Date) => Math.floor(epochSeconds(now) / DPOP_NONCE_SLOT_SECONDS)
  // RFC 9449 section 8.1 allows NQCHAR in a nonce; base64url is within it.
  const make = (slot: number) => createHmac('sha256', secret).update(`dpop-nonce:${slot}`).digest('base64url')
  const kept = new Map<number, string>()
  const nonceOf = (slot: number) => {
    const known = kept.get(slot)
    if (known !== undefined) return known
    const nonce = make(slot)
    if (kept.size >= NONCES_KEPT) kept.clear()
    kept.set(slot, nonce)
    return nonce
  }
  return {
    current: (now) => nonceOf(slotOf(now)),
    isValid: (nonce, now) => {
      const slot = slotOf(now)
      const slotAhead = Math.floor((epochSeconds(now) + DPOP_PROOF_MAX_AGE_SECONDS) / DPOP_NONCE_SLOT_SECONDS)
      const isCurrent = equalsInConstantTime(nonce, nonceOf(slot))
      const isPrevious = equalsInConstantTime(nonce, nonceOf(slot - 1))
      const isAhead = equalsInConstantTime(nonce, nonceOf(slotAhead))
      return isCurrent || isPrevious || isAhead
    },
  }
}

function equalsInConstantTime(given: string, wanted: string): boolean {
  const [givenBytes, wantedBytes] = [Buffer.from(given), Buffer.from(wanted)]
  return givenBytes.length === wantedBytes.length && timingSafeEqual(givenBytes, wantedBytes)
}
