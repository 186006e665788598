import type { Call } from '../../base/core/call'
import { failpoint } from '../../base/core/failpoints'
import { inTime } from '../../base/core/in-time'
import { invariant } from '../../base/core/invariant'
import type { Platform } from '../../base/core/platform'
import { canonicalJson, sha256Base64url } from '../../base/protocol/encoding'
import type { MandateRow } from '../../oauth/mandates'
import { advance } from './advance'
import { type SettlementAnswer, statusOfState } from './answers'
import { buildChallengePendingError } from './ask-cardholder'
import { FIRST_LOOK_SECONDS, PROCESSOR_BUDGET_MILLISECONDS } from './bounds'
import { trackSettlement } from './in-flight'
import { openLimitRequest } from './open-limit-request'
import { buildOutcomeUnknownError, replayKnown } from './replay'
import { reserve } from './reserve'
import type { SettlementDetails, SettlementStatus } from './store'

type SettleCall = Pick<Call, 'platform' | 'now'>

/** A mandate to settle on behalf of its client. */
export interface SettlementRequest {
  readonly clientId: string
  /** 1 to 255 characters, unique per client. */
  readonly idempotencyKey: string
  /** The mandate as it was presented; disclosures and key binding do not count when requests are compared. */
  readonly mandateJwt: string
  /**
   * The caller's access token, null without one: its family must be active, and its audience this server or the
   * merchant.
   */
  readonly token: { readonly familyId: string; readonly audience: readonly string[] } | null
  readonly connectedAccountId: string | null
  /** The platform's fee in minor units of the mandate's currency. */
  readonly applicationFeeMinor: number
  /** Verifies that the mandate is genuine, active and the client's. Not called when the key is known already. */
  readonly verify: () => Promise<MandateRow>
}

/**
 * Settles a mandate: replays the answer under a known key; otherwise admits, reserves, charges and records, each step
 * in a transaction of its own, none of which is open while the processor is asked.
 * @returns the answer of a charge that succeeded (200) or was declined (402), final for this key
 * @throws 401 from `verify`; 403 limit_exceeded with `limit` and `bump_id`, limit_currency_mismatch, forbidden,
 * step_up_required while the bank waits for the cardholder; 400 card_required; 409 idempotency_conflict,
 * idempotency_in_flight, mandate_consumed; 429 rate_limited after too many failed attempts; 502 bad_gateway with
 * Retry-After while the outcome is unknown
 */
export function settleMandate(call: SettleCall, request: SettlementRequest): Promise<SettlementAnswer> {
  return trackSettlement(call.platform, () => settle(call, request))
}

async function settle(call: SettleCall, request: SettlementRequest): Promise<SettlementAnswer> {
  const requestDigest = digestOf(request)
  const audience = request.token?.audience ?? null
  const query = { clientId: request.clientId, idempotencyKey: request.idempotencyKey, requestDigest, audience }
  const known = await replayKnown(call, query)
  if (known !== null) return known
  const mandate = await request.verify()
  await failpoint('settle.after_auth')
  const reservation = await reserve(call.platform, {
    mandate,
    familyIds: [mandate.family_id, ...(request.token === null ? [] : [request.token.familyId])],
    idempotencyKey: request.idempotencyKey,
    requestDigest,
    connectedAccountId: request.connectedAccountId,
    applicationFeeMinor: request.applicationFeeMinor,
    presentation: request.mandateJwt,
    now: call.now,
  })
  if (reservation.kind === 'exceeded') throw await openLimitRequest(call, mandate, reservation.exceeds)
  if (reservation.kind === 'known') {
    const other = await replayKnown(call, query)
    invariant(other !== null, 'a known key stays known')
    return other
  }
  await failpoint('settle.after_reserve_commit')
  return charge(call.platform, reservation.settlement)
}

/**
 * Returns the digest by which a repeated request is recognized: of the mandate, the account and the fee. Of the mandate
 * only the signed part counts, so that disclosures and key binding may differ but claims may not.
 */
function digestOf({ mandateJwt, connectedAccountId, applicationFeeMinor }: SettlementRequest): string {
  const [issuerJwt = ''] = mandateJwt.split('~', 1)
  return sha256Base64url(
    canonicalJson({
      mandate: sha256Base64url(issuerJwt),
      connected_account_id: connectedAccountId,
      application_fee_minor: applicationFeeMinor,
    }),
  )
}

/**
 * Charges within the time budget. A charge that takes longer continues: its outcome is written when it arrives, or
 * looked up.
 */
async function charge(platform: Platform, reserved: SettlementDetails): Promise<SettlementAnswer> {
  const budget = new AbortController()
  const step = { kind: 'submit', settlement: reserved, abandoned: budget.signal } as const
  const submission = advance(platform, 'request', step).catch((cause: unknown) => {
    platform.log.warn('settlement not submitted', { settlementId: reserved.id }, cause)
    return null
  })
  const settlement = await inTime(submission, PROCESSOR_BUDGET_MILLISECONDS).catch(() => null)
  if (settlement?.state === 'requires_action') throw buildChallengePendingError(settlement)
  if (settlement !== null) return toAnswer(settlement)
  budget.abort()
  const lookAt = new Date(platform.clock.now().getTime() + FIRST_LOOK_SECONDS * 1000)
  await advance(platform, 'request', { kind: 'defer', settlementId: reserved.id, lookAt })
  throw buildOutcomeUnknownError()
}

function toAnswer(settlement: SettlementStatus): SettlementAnswer {
  invariant(settlement.response !== null, 'a final settlement has its answer')
  return {
    settlementId: settlement.id,
    status: statusOfState(settlement.state),
    body: settlement.response,
    replayed: false,
  }
}
