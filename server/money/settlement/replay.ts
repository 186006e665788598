import { setTimeout as delay } from 'node:timers/promises'
import type { Call } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { isSameAudience } from '../../base/protocol/audience'
import { type SettlementAnswer, statusOfState } from './answers'
import { buildChallengePendingError } from './ask-cardholder'
import { IN_FLIGHT_POLL_MILLISECONDS, IN_FLIGHT_WAIT_MILLISECONDS, RETRY_AFTER_SECONDS } from './bounds'
import { findSettlementByKey, type Settlement } from './store'

export interface ReplayQuery {
  readonly clientId: string
  readonly idempotencyKey: string
  readonly requestDigest: string
  /** The audience of the caller's access token; null when the caller needs no token. */
  readonly audience: readonly string[] | null
}

/**
 * Returns the answer of the settlement under the key; null when the key is new. Waits for a settlement that is still
 * being worked on.
 * @throws 409 idempotency_conflict or idempotency_in_flight, 502 bad_gateway while the outcome is unknown, 403
 * step_up_required while the bank waits for the cardholder
 */
export async function replayKnown(call: Pick<Call, 'platform'>, query: ReplayQuery): Promise<SettlementAnswer | null> {
  const { platform } = call
  const giveUpAt = performance.now() + IN_FLIGHT_WAIT_MILLISECONDS
  for (;;) {
    const known = await findSettlementByKey(platform.db, query)
    if (known === null) return null
    requireAudience(known, query, platform.config.baseUrl)
    const answer = answerKnown(known, query, platform.clock.now())
    if (answer !== null) return answer
    if (performance.now() >= giveUpAt) throw buildInFlightError()
    await delay(IN_FLIGHT_POLL_MILLISECONDS)
  }
}

function requireAudience(known: Settlement, { audience }: ReplayQuery, issuer: string): void {
  if (audience === null || audience.includes(issuer)) return
  if (audience.some((uri) => isSameAudience(uri, known.merchant_audience))) return
  throw new ServiceError('invalid_token', 'The token is for another audience.')
}

/** Returns the answer of a known settlement; null while a process still works on it. */
function answerKnown(known: Settlement, query: ReplayQuery, now: Date): SettlementAnswer | null {
  if (known.request_digest !== query.requestDigest) {
    throw new ServiceError('idempotency_conflict', 'The idempotency key was used for another request.')
  }
  if (known.response !== null) {
    return { settlementId: known.id, status: statusOfState(known.state), body: known.response, replayed: true }
  }
  if (known.state === 'requires_action') throw buildChallengePendingError(known)
  if (known.state === 'unknown' || known.lease_until <= now) throw buildOutcomeUnknownError()
  return null
}

/** Returns 502: the outcome is unknown; the same request may be repeated and never charges twice. */
export function buildOutcomeUnknownError(cause?: unknown): ServiceError {
  return new ServiceError(
    'bad_gateway',
    'The outcome is not known yet. Repeat the request with the same idempotency key.',
    {
      cause,
      headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
    },
  )
}

function buildInFlightError(): ServiceError {
  return new ServiceError('idempotency_in_flight', 'A request with the same idempotency key is being worked on.', {
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  })
}
