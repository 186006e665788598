import type { InputOf } from '../../base/contract/endpoint'
import { Reply } from '../../base/contract/reply'
import type { AnonymousCall } from '../../base/core/call'
import { type SettlementAnswer, settledBody, settlementResponse } from '../../money/settlement'
import { chargePresentation, type PresentationTarget } from './charge-presentation'
import type { chargeMandateEndpoint, verifyAtMerchantEndpoint, verifyMandateEndpoint } from './contract'
import { audienceOf, requireMerchant } from './merchants'
import { testVerifier } from './nonces'

type Charged = Awaited<ReturnType<typeof chargePresentation>>

function anyMerchant(call: AnonymousCall): PresentationTarget {
  return { merchant: null, audience: null, verifiers: [testVerifier(call.platform)] }
}

/** Verifies and charges a mandate of any merchant. */
export async function verifyMandate(call: AnonymousCall, input: InputOf<typeof verifyMandateEndpoint>): Promise<Reply> {
  return toVerificationReply(await chargePresentation(call, input, anyMerchant(call)))
}

/** Verifies and charges a mandate of one sandbox merchant, which compares the purchase with its catalog. */
export async function verifyAtMerchant(
  call: AnonymousCall,
  input: InputOf<typeof verifyAtMerchantEndpoint>,
): Promise<Reply> {
  const merchant = requireMerchant(input.merchant_id)
  const target: PresentationTarget = { merchant, audience: audienceOf(call.platform, merchant), verifiers: [] }
  return toVerificationReply(await chargePresentation(call, input, target))
}

/** Verifies and charges as verify-mandate does, and returns the settlement itself. */
export async function chargeMandate(call: AnonymousCall, input: InputOf<typeof chargeMandateEndpoint>): Promise<Reply> {
  const { answer } = await chargePresentation(call, input, anyMerchant(call))
  return settlementResponse(answer)
}

/** Returns the reply of verify-mandate; a decline is the settlement's own. */
function toVerificationReply({ answer, ages }: Charged): Reply {
  if (answer.status !== 200) return settlementResponse(answer)
  const settled = settledBody.parse(JSON.parse(answer.body))
  const verified = {
    ok: true,
    mandate_id: settled.mandate_id,
    amount_minor: settled.amount_minor,
    currency: settled.currency,
    merchant_audience: settled.merchant_audience,
    receipt_jws: settled.receipt_jws,
    payment_provider_ref: settled.payment_intent_id,
    ...(ages !== null && { age_equal_or_over: ages }),
  }
  return Reply.json(verified, replayHeaders(answer))
}

function replayHeaders({ replayed }: SettlementAnswer): Record<string, string> {
  return replayed ? { 'idempotent-replayed': 'true' } : {}
}
