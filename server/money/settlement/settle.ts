import type { InputOf } from '../../base/contract/endpoint'
import type { Reply } from '../../base/contract/reply'
import type { AgentCall } from '../../base/core/call'
import { verifyOwnMandate } from '../../oauth/mandates'
import { settlementResponse } from './answers'
import type { settleEndpoint } from './contract'
import { settleMandate } from './settle-mandate'

/** Settles the caller's own mandate. */
export async function settle(call: AgentCall, input: InputOf<typeof settleEndpoint>): Promise<Reply> {
  const { clientId, familyId, jkt, audience } = call.actor
  const answer = await settleMandate(call, {
    clientId,
    idempotencyKey: input.idempotency_key,
    mandateJwt: input.mandate,
    token: { familyId, audience },
    connectedAccountId: input.connected_account_id ?? null,
    applicationFeeMinor: input.application_fee_minor,
    verify: () => verifyOwnMandate(call, input.mandate, { clientId, jkt }),
  })
  return settlementResponse(answer)
}
