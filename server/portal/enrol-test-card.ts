import type * as z from 'zod'
import { confirmSetupIntent, createSetupIntent } from '../cards'
import type { WalletCall } from '../core/call'
import { ServiceError } from '../core/errors'
import { asSandbox } from '../platform/processor/sandbox'
import { testCardNames, testCards, testCardWithNumber } from '../platform/processor/sandbox-cards'
import type { TestCard, testCardChoice } from './contract'
import { perform } from './perform'

/** The cards that can be tried here; none where the processor is a real one. */
export async function listTestCards({ platform }: WalletCall): Promise<TestCard[]> {
  if (!platform.config.sandbox || asSandbox(platform.processor) === null) return []
  return testCardNames.map((name) => ({ number: testCards[name].number, name }))
}

/** Adds a test card by the way that a real one takes: an intent, the cardholder at the processor, a confirmation. */
export async function enrolTestCard(call: WalletCall, input: z.output<typeof testCardChoice>) {
  const processor = call.platform.config.sandbox ? asSandbox(call.platform.processor) : null
  if (processor === null) throw new ServiceError('not_found', 'There are no test cards here.')
  const card = testCardWithNumber(input.number)
  if (card === null)
    throw new ServiceError('invalid_request', 'That is not one of the test cards. Real cards are never taken here.')
  const { setup_intent_id: setupIntentId } = await perform(createSetupIntent, call)
  await processor.enrolTestCard({ setupIntentId, card })
  return perform(confirmSetupIntent, call, { setup_intent_id: setupIntentId })
}
