import type { WalletCall } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { requireStepUpToRelax } from '../../identity/passkeys'
import type { Means } from '../../shared/audit'

/**
 * Saves a change that relaxes nothing, and so needs no step-up, in a transaction under the person's lock. Publishes it
 * to the person's open pages.
 */
export function saveWithoutStepUp<T>(
  call: WalletCall,
  save: (tx: Transaction, means: Means) => Promise<T>,
): Promise<T> {
  return requireStepUpToRelax(call, { relaxes: () => Promise.resolve(null), save }, undefined)
}
