import { expectReply } from '../http/refusals.js'
import { SETTLE_TIMEOUT_MS } from '../limits.js'
import { jsonBody, type Session } from './session.js'
import { type SettlementReply, settlementReply } from './wire.js'

/** A mandate to settle. The same key with the same request never charges twice. */
export interface SettleRequest {
  readonly mandate: string
  readonly idempotencyKey: string
  readonly connectedAccountId?: string | undefined
  readonly applicationFeeMinor?: number | undefined
}

/**
 * The codes with which the server refuses a settlement for good. A proxy in between answers with other codes, or with
 * none.
 */
const SETTLEMENT_CODES: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_token',
  'invalid_dpop_proof',
  'insufficient_scope',
  'forbidden',
  'access_denied',
  'mandate_invalid',
  'mandate_expired',
  'mandate_audience_mismatch',
  'mandate_status_revoked',
  'mandate_consumed',
  'limit_exceeded',
  'limit_currency_mismatch',
  'card_required',
  'payment_declined',
  'idempotency_conflict',
])

/** Returns whether a refusal with this code comes from the server itself. */
export const isSettlementCode = (code: string | undefined): boolean => code !== undefined && SETTLEMENT_CODES.has(code)

/** Sends one settlement request. */
export async function settle(
  session: Session,
  accessToken: string,
  call: { readonly request: SettleRequest; readonly signal?: AbortSignal | undefined },
): Promise<SettlementReply> {
  const { request, signal } = call
  const reply = await session.prove({
    path: '/settlement/settle',
    accessToken,
    signal,
    timeoutMs: SETTLE_TIMEOUT_MS,
    body: async () =>
      jsonBody({
        mandate: request.mandate,
        idempotency_key: request.idempotencyKey,
        connected_account_id: request.connectedAccountId,
        application_fee_minor: request.applicationFeeMinor,
      }),
  })
  return expectReply(reply, { step: 'settle', schema: settlementReply })
}
