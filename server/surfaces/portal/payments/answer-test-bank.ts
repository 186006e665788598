import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import type { WalletCall } from '../../../base/core/call'
import { ServiceError } from '../../../base/core/errors'
import { asSandbox } from '../../../base/platform/processor/sandbox'
import { type CardholderChallenge, checkCardholderChallenge, readCardholderChallenge } from '../../../money/settlement'
import type { answerTestBankProcedure } from './contract'

/** Answers the bank's challenge for a test card's payment as its cardholder. 404 with a real processor. */
export async function answerTestBank(
  call: WalletCall,
  input: ProcedureInput<typeof answerTestBankProcedure>,
): Promise<CardholderChallenge> {
  const processor = call.platform.config.sandbox ? asSandbox(call.platform.processor) : null
  if (processor === null) throw new ServiceError('not_found', 'There is no test bank here.')
  const { bank, payment_intent_id: paymentIntentId } = await readCardholderChallenge(call, input)
  if (bank !== null)
    await processor.authenticatePayment(paymentIntentId, input.answer === 'confirm' ? 'succeed' : 'fail')
  return checkCardholderChallenge(call, input)
}
