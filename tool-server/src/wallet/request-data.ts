import { randomUUID } from 'node:crypto'
import { sendWithToken } from '../client/wallet-access.js'
import { TransportFailure } from '../errors.js'
import type { OutboundReply } from '../http/outbound.js'
import { describeRefusal } from '../http/refusals.js'
import { RETRY_FIRST_MS } from '../limits.js'
import { pause } from '../pause.js'
import { useAsPrincipal } from './principal-token.js'
import type { OpenAccess } from './registrations.js'
import type { SessionCall } from './session.js'

const TRIES = 3

/**
 * Requests the person's data. Without a response it is repeated with the same idempotency key, so that it counts once.
 */
export function requestData(
  call: SessionCall,
  principalToken: string,
  right: 'access' | 'portability',
): Promise<OutboundReply> {
  const idempotencyKey = randomUUID()
  return useAsPrincipal(call, principalToken, (access) => sendUntilAnswered(call, access, { right, idempotencyKey }))
}

interface DataRequest {
  readonly right: string
  readonly idempotencyKey: string
}

async function sendUntilAnswered(
  { host }: SessionCall,
  access: OpenAccess,
  { right, idempotencyKey }: DataRequest,
): Promise<OutboundReply> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await sendWithToken(access.session, access, {
      method: 'POST',
      path: `/privacy/dsar/${right}`,
      headers: { 'idempotency-key': idempotencyKey },
      signal: host.signal,
    }).catch((error: unknown) => failureOf(error, attempt))
    if (reply !== null && (!isOpen(reply) || attempt === TRIES)) return reply
    await pause(RETRY_FIRST_MS * attempt, host.signal)
  }
}

/** Returns null for a request that may be sent again; throws otherwise. */
function failureOf(error: unknown, attempt: number): null {
  if (error instanceof TransportFailure && attempt < TRIES) return null
  throw error
}

/** Returns whether a repetition of the same request may change the response. */
const isOpen = (reply: OutboundReply): boolean =>
  reply.status >= 500 || describeRefusal(reply, true).code === 'idempotency_in_flight'
