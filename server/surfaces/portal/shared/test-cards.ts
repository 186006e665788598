import type { WalletCall } from '../../../base/core/call'
import { asSandbox } from '../../../base/platform/processor/sandbox'
import { testCardNames, testCards } from '../../../base/platform/processor/sandbox-cards'
import type { TestCard } from './view'

/** Returns the test cards; none with a real processor. */
export async function listTestCards({ platform }: WalletCall): Promise<TestCard[]> {
  if (!platform.config.sandbox || asSandbox(platform.processor) === null) return []
  return testCardNames.map((name) => ({ number: testCards[name].number, name }))
}
