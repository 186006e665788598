import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '../core/errors'
import { idempotencyKey } from './wire'

/** How long a request holds its key at most; then another may take it. */
export const KEY_LEASE_SECONDS = 15
const WAIT_MILLISECONDS = 3_000
const POLL_MILLISECONDS = 50

/** 400 invalid_request unless the Idempotency-Key is 1 to 255 visible ASCII characters. */
export function requireIdempotencyKey(key: string): void {
  if (idempotencyKey.safeParse(key).success) return
  throw new ServiceError('invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.')
}

/** 409 idempotency_in_flight, with Retry-After: another request holds the key. */
export const buildInFlightError = () =>
  new ServiceError('idempotency_in_flight', 'A request with the same Idempotency-Key is running.', {
    headers: { 'retry-after': '1' },
  })

/** What is kept under a key: null while the request that holds it runs. */
interface KeptReply {
  readonly sealed_reply: string | null
}

type Answered<Kept extends KeptReply> = Kept & { readonly sealed_reply: string }

/**
 * Waits until the request that holds a key is answered. 409 when nothing is kept under the key any more, since that request
 * has failed, and when it takes longer than a repeat waits.
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
