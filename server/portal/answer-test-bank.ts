import type * as z from 'zod'
import type { WalletCall } from '../core/call'
import { ServiceError } from '../core/errors'
import { asSandbox } from '../platform/processor/sandbox'
import { checkStepUp, readStepUp, type StepUp } from '../settlement'
import type { bankAnswer } from './contract'

/** Plays the cardholder who answers their bank about a test card's payment. 404 where the processor is a real one. */
export async function answerTestBank(call: WalletCall, input: z.output<typeof bankAnswer>): Promise<StepUp> {
  const processor = call.platform.config.sandbox ? asSandbox(call.platform.processor) : null
  if (processor === null) throw new ServiceError('not_found', 'There is no test bank here.')
  const { bank, payment_intent_id: paymentIntentId } = await readStepUp(call, input)
  if (bank !== null)
    await processor.authenticatePayment(paymentIntentId, input.answer === 'confirm' ? 'succeed' : 'fail')
  return checkStepUp(call, input)
}
