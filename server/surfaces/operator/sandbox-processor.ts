import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { OperatorCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import { asSandbox, type SandboxProcessor } from '../../base/platform/processor/sandbox'
import { recordOperatorAct } from '../../shared/audit'
import type { confirmSandboxSetupIntentEndpoint, moveSandboxDisputeEndpoint } from './sandbox-contract'

type Confirm = typeof confirmSandboxSetupIntentEndpoint
type Move = typeof moveSandboxDisputeEndpoint

/** Returns the sandbox's processor. @throws 503 in a sandbox that runs on a real processor's test mode */
export function requireSandboxProcessor(platform: Platform): SandboxProcessor {
  const processor = asSandbox(platform.processor)
  if (processor !== null) return processor
  throw new ServiceError('service_unavailable', 'The sandbox processor is not in use here.')
}

/** POST /operator/sandbox/setup-intents: confirms a test card as its cardholder would. */
export async function confirmSandboxSetupIntent(
  call: OperatorCall,
  input: InputOf<Confirm>,
): Promise<OutputOf<Confirm>> {
  const { platform } = call
  const { setup_intent_id: setupIntentId, card, deliveries } = input
  const intent = await requireSandboxProcessor(platform).enrolTestCard({ setupIntentId, card, deliveries })
  if (intent === null) throw new ServiceError('not_found', 'There is no such setup intent.')
  const act = { what: 'confirmSandboxSetupIntent', from: null, to: { card, status: intent.status } }
  await platform.db.transaction((tx) => recordOperatorAct(tx, call, { ...act, subjectId: intent.id }))
  return { setup_intent_id: intent.id, status: intent.status }
}

/** POST /operator/sandbox/disputes: disputes a payment as its cardholder, or decides the dispute as the bank. */
export async function moveSandboxDispute(call: OperatorCall, input: InputOf<Move>): Promise<OutputOf<Move>> {
  const { platform } = call
  const result = await requireSandboxProcessor(platform).openDispute(input.payment_intent_id, input.dispute_status)
  if (result === 'unknown') throw new ServiceError('not_found', 'Nothing was paid under this payment intent.')
  if (result === 'closed') throw new ServiceError('conflict', 'The dispute is closed with another result.')
  const act = { what: 'moveSandboxDispute', from: null, to: input.dispute_status, subjectId: input.payment_intent_id }
  await platform.db.transaction((tx) => recordOperatorAct(tx, call, act))
  return input
}
