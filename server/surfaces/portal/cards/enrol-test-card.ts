import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import type { WalletCall } from '../../../base/core/call'
import { ServiceError } from '../../../base/core/errors'
import { asSandbox } from '../../../base/platform/processor/sandbox'
import { testCardWithNumber } from '../../../base/platform/processor/sandbox-cards'
import { confirmSetupIntent } from '../../../wallet/cards'
import { beginEnrolment } from './begin-enrolment'
import type { enrolTestCardProcedure } from './contract'

/** Adds a test card in the steps of a real one: an intent, the cardholder's entry at the processor, a confirmation. */
export async function enrolTestCard(call: WalletCall, input: ProcedureInput<typeof enrolTestCardProcedure>) {
  const processor = call.platform.config.sandbox ? asSandbox(call.platform.processor) : null
  if (processor === null) throw new ServiceError('not_found', 'There are no test cards here.')
  const card = testCardWithNumber(input.number)
  if (card === null)
    throw new ServiceError('invalid_request', 'That is not one of the test cards. Real cards are never taken here.')
  const { setup_intent_id: setupIntentId } = await beginEnrolment(call, input)
  await processor.enrolTestCard({ setupIntentId, card })
  return confirmSetupIntent.verb(call, { setup_intent_id: setupIntentId })
}
