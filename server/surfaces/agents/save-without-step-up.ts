import type { WalletCall } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { type Means, meansOf } from '../../shared/audit'
import { lockActor } from '../../shared/principals'

/**
 * Saves a change that relaxes nothing, and so needs no step-up, in a transaction under the person's lock. The caller
 * announces it.
 */
export function saveWithoutStepUp<T>(
  call: WalletCall,
  save: (tx: Transaction, means: Means) => Promise<T>,
): Promise<T> {
  const { platform, actor } = call
  return platform.db.transaction(async (tx) => {
    await lockActor(tx, actor)
    return save(tx, meansOf(actor))
  })
}
