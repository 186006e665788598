import type * as z from 'zod'
import { sendWithToken } from '../client/wallet-access.js'
import { Cancelled, CountersignError, TransportFailure } from '../errors.js'
import { DELIVERED_KEEP_MS, LOCK_HANDOVER_MS, UNSETTLED_KEEP_MS } from '../limits.js'
import { type SessionSlot, SessionStore, sessionKey } from '../state/session-store.js'
import { expectWalletAnswer, isUnanswered } from './failures.js'
import type { OpenAccess } from './registrations.js'
import type { SessionCall } from './session.js'
import { agentRevoked } from './wire.js'

const RETRY_NOTE = 'Retry is safe: revoking is idempotent.'

/** One revocation. */
export interface RevokeOrder {
  readonly agentId: string
  /** When the call began, in milliseconds since the epoch. */
  readonly startedAt: number
}

type Revoked = z.infer<typeof agentRevoked>

/**
 * Revokes an agent of the person. An unanswered request is stored, so that its repetition is a success and no conflict;
 * a result is stored too, so that another call is a conflict, however soon it follows.
 * @throws {CountersignError} `409 conflict` when the agent had been revoked before
 */
export async function revokeAgent(call: SessionCall, access: OpenAccess, order: RevokeOrder): Promise<Revoked> {
  const { settings, host } = call
  const key = sessionKey({ act: 'revoke', issuer: access.session.issuer, agentId: order.agentId })
  const wait = { signal: host.signal, until: Date.now() + LOCK_HANDOVER_MS }
  const slot = await new SessionStore(settings.home).take(key, wait)
  if (slot === null) throw new CountersignError('another call is revoking the same agent', RETRY_NOTE)
  try {
    return await attempt(call, access, { ...order, slot })
  } finally {
    await slot.release()
  }
}

async function attempt(
  call: SessionCall,
  access: OpenAccess,
  { agentId, startedAt, slot }: RevokeOrder & { readonly slot: SessionSlot },
): Promise<Revoked> {
  const before = await slot.read()
  const isRepetition = before?.stage === 'attempted'
  const beganAt = isRepetition ? before.began_at : startedAt
  await slot.write({ stage: 'attempted', began_at: beganAt, expires_at: beganAt + UNSETTLED_KEEP_MS })
  let answer: Answer
  try {
    answer = await send(call, access, agentId)
  } catch (error) {
    if (!isUnanswered(error) && !isRepetition) await slot.remove()
    throw toRevokeFailure(error)
  }
  const { revoked } = answer
  await slot.write({
    stage: 'revoked',
    revoked_at: revoked.revoked_at,
    expires_at: Date.now() + DELIVERED_KEEP_MS,
  })
  const wasTold = before?.stage === 'revoked' && before.revoked_at === revoked.revoked_at
  if (revoked.families_revoked === 0 && (wasTold || isOlder(answer, beganAt))) throw conflict(revoked)
  return revoked
}

interface Answer {
  readonly revoked: Revoked
  /**
   * The time of the response by the server's clock, in milliseconds since the epoch; up to about a second too early.
   */
  readonly answeredAt: number
}

async function send({ host, scope }: SessionCall, access: OpenAccess, agentId: string): Promise<Answer> {
  const path = `/wallet/agents/${encodeURIComponent(agentId)}/revoke`
  const reply = await sendWithToken(access.session, access, { method: 'POST', path, signal: host.signal })
  const revoked = expectWalletAnswer(reply, { schema: agentRevoked, scope })
  const date = Date.parse(reply.headers['date'] ?? '')
  return { revoked, answeredAt: Number.isNaN(date) ? Date.now() : date }
}

/**
 * Returns whether the agent was certainly revoked before the call began. The endpoint repeats its response, so that
 * only times tell: both are the server's, and this machine's clock only measures how long the call took.
 */
function isOlder({ revoked, answeredAt }: Answer, beganAt: number): boolean {
  const elapsed = Date.now() - beganAt
  return Date.parse(revoked.revoked_at) < answeredAt - elapsed
}

const conflict = ({ revoked_at: at }: Revoked) =>
  new CountersignError('409 conflict', `The agent was revoked before, at ${at}.`)

function toRevokeFailure(error: unknown): unknown {
  if (!isUnanswered(error) || error instanceof Cancelled) return error
  if (error instanceof TransportFailure) return new CountersignError(error.message, RETRY_NOTE)
  return new CountersignError('503 server_error', RETRY_NOTE)
}
