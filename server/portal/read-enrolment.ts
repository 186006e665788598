import type { WalletCall } from '../core/call'
import { asSandbox } from '../platform/processor/sandbox'
import type { EnrolmentView } from './contract'

/** How a card is added here: by choosing a test card, in the processor's own form, or not at all. */
export async function readEnrolment({ platform }: WalletCall): Promise<EnrolmentView> {
  const { config, processor } = platform
  if (config.sandbox && asSandbox(processor) !== null) return { way: 'test_cards' }
  return { way: processor.publishableKey === null ? 'none' : 'elements' }
}
