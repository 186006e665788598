import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '../core/errors'

/** The time after which another request may take over the key of one that has not been answered. */
export const KEY_LEASE_SECONDS = 15
const WAIT_MILLISECONDS = 3_000
const POLL_MILLISECONDS = 50

/** The value of an Idempotency-Key header: printable ASCII, as in a field value (RFC 9110 section 5.5). */
const HEADER_KEY = /^[\x20-\x7e]{1,255}$/

/** Throws 400 invalid_request unless the Idempotency-Key is 1 to 255 printable ASCII characters. */
export function requireIdempotencyKey(key: string): void {
  if (HEADER_KEY.test(key)) return
  throw new ServiceError('invalid_request', 'Idempotency-Key must be 1 to 255 printable ASCII characters.')
}

/** Returns 409 idempotency_in_flight, with Retry-After, for a key that another request holds. */
export const buildInFlightError = () =>
  new ServiceError('idempotency_in_flight', 'A request with the same Idempotency-Key is running.', {
    headers: { 'retry-after': '1' },
  })

/** The row of a key, with the sealed reply; null while the request that holds the key runs. */
interface KeptReply {
  readonly sealed_reply: string | null
}

type Answered<Kept extends KeptReply> = Kept & { readonly sealed_reply: string }

/**
 * Waits until the request that holds a key is answered, and returns the row. Throws 409 when the row is gone, because
 * that request failed, and when it takes too long.
 */
export async function awaitReply<Kept extends KeptReply>(find: () => Promise<Kept | null>): Promise<Answered<Kept>> {
  const giveUpAt = performance.now() + WAIT_MILLISECONDS
  for (;;) {
    const kept = await find()
    if (kept !== null && isAnswered(kept)) return kept
    if (kept === null || performance.now() >= giveUpAt) throw buildInFlightError()
    await delay(POLL_MILLISECONDS)
  }
}

function isAnswered<Kept extends KeptReply>(kept: Kept): kept is Answered<Kept> {
  return kept.sealed_reply !== null
}
