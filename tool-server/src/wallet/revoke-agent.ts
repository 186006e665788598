import type * as z from 'zod'
import { sendWithToken } from '../client/wallet-access.js'
import { Cancelled, CountersignError, TransportFailure } from '../errors.js'
import type { OutboundReply } from '../http/outbound.js'
import { UNSETTLED_KEEP_MS } from '../limits.js'
import { type SessionSlot, SessionStore, sessionKey } from '../state/session-store.js'
import { expectWalletAnswer, isUnanswered } from './failures.js'
import type { OpenAccess } from './registrations.js'
import type { SessionCall } from './session.js'
import { agentRevoked } from './wire.js'

/** A server whose clock differs by less than this is taken to have the same time, unless it is surely behind. */
const CLOCK_TOLERANCE_MS = 2_000
/** A `Date` header names whole seconds, and servers make one for the answers of a moment. */
const DATE_HEADER_STEP_MS = 1_000
const DATE_HEADER_LAG_MS = 250
const RETRY_NOTE = 'Retry is safe: revoking is idempotent.'

/** One revocation. */
export interface RevokeOrder {
  readonly agentId: string
  /** When the call began, in milliseconds since the epoch. */
  readonly startedAt: number
}

type Revoked = z.infer<typeof agentRevoked>

/**
 * Revokes an agent of the person. What went unanswered is written down, so that its repetition is a success and no conflict.
 * @throws {CountersignError} `409 conflict` when the agent had been revoked before
 */
export async function revokeAgent(call: SessionCall, access: OpenAccess, order: RevokeOrder): Promise<Revoked> {
  const { settings, host } = call
  const key = sessionKey({ act: 'revoke', issuer: access.session.issuer, agentId: order.agentId })
  const wait = { signal: host.signal, until: Date.now() + CLOCK_TOLERANCE_MS }
  const slot = await new SessionStore(settings.home).take(key, wait)
  if (slot === null) throw new CountersignError('another call is revoking the same agent', RETRY_NOTE)
  try {
    return await attempt(call, access, { ...order, slot })
  } finally {
    await slot.release()
  }
}

async function attempt(
  { host, scope }: SessionCall,
  access: OpenAccess,
  { agentId, startedAt, slot }: RevokeOrder & { readonly slot: SessionSlot },
): Promise<Revoked> {
  const before = await slot.read()
  const beganAt = before?.stage === 'attempted' ? before.began_at : startedAt
  await slot.write({ stage: 'attempted', began_at: beganAt, expires_at: beganAt + UNSETTLED_KEEP_MS })
  try {
    const sentAt = Date.now()
    const path = `/wallet/agents/${encodeURIComponent(agentId)}/revoke`
    const reply = await sendWithToken(access.session, access, { method: 'POST', path, signal: host.signal })
    const revoked = expectWalletAnswer(reply, { schema: agentRevoked, scope })
    await slot.remove()
    if (wasRevokedBefore(revoked, beganAt, clockDifference(reply, sentAt))) throw conflict(revoked)
    return revoked
  } catch (error) {
    if (!isUnanswered(error) && before === null) await slot.remove()
    throw toRevokeFailure(error)
  }
}

/** The endpoint repeats itself gladly; whether this call did it, the times tell. */
function wasRevokedBefore(revoked: Revoked, beganAt: number, clockAhead: number): boolean {
  const revokedAt = Date.parse(revoked.revoked_at)
  return revoked.families_revoked === 0 && revokedAt < beganAt + clockAhead
}

/**
 * How far the clock of the server is ahead, as far as it matters; rather too little than too much. It is behind where it
 * answered before it was asked.
 */
function clockDifference({ headers: { date = '' } }: OutboundReply, sentAt: number): number {
  const answeredAt = Date.parse(date)
  const ahead = answeredAt - Date.now()
  const isBehind = answeredAt + DATE_HEADER_STEP_MS + DATE_HEADER_LAG_MS < sentAt
  return isBehind || Math.abs(ahead) > CLOCK_TOLERANCE_MS ? ahead - DATE_HEADER_STEP_MS : 0
}

const conflict = ({ revoked_at: at }: Revoked) =>
  new CountersignError('409 conflict', `The agent was revoked before, at ${at}.`)

function toRevokeFailure(error: unknown): unknown {
  if (!isUnanswered(error) || error instanceof Cancelled) return error
  if (error instanceof TransportFailure) return new CountersignError(error.message, RETRY_NOTE)
  return new CountersignError('503 server_error', RETRY_NOTE)
}
