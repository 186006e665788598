import { expectReply } from '../http/refusals.js'
import { SETTLE_TIMEOUT_MS } from '../limits.js'
import { jsonBody, type Session } from './session.js'
import { type SettlementReply, settlementReply } from './wire.js'

/** A mandate to be settled. The same key with the same request never charges twice. */
export interface SettleRequest {
  readonly mandate: string
  readonly idempotencyKey: string
  readonly connectedAccountId?: string | undefined
  readonly applicationFeeMinor?: number | undefined
}

/** Asks for the settlement, once. */
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
