import type { WalletCall } from '../../../base/core/call'
import { asSandbox } from '../../../base/platform/processor/sandbox'
import type { EnrolmentView } from './view'

/** Returns how a card is added here: from the test cards, in the processor's own form, or not at all. */
export async function readEnrolment({ platform }: WalletCall): Promise<EnrolmentView> {
  const { config, processor } = platform
  if (config.sandbox && asSandbox(processor) !== null) return { way: 'test_cards' }
  return { way: processor.publishableKey === null ? 'none' : 'elements' }
}
