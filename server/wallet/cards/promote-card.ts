import type { WalletCall } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import type { Means } from '../../shared/audit'
import { recordCard } from './record-card'
import { promoteNewest } from './store'

/** Makes another card the default where there is none any more, if there is one that is free. Needs the owner's lock. */
export async function promoteCard(tx: Transaction, call: WalletCall, means: Means): Promise<void> {
  const promoted = await promoteNewest(tx, call.actor.principalId, call.now)
  if (promoted === null) return
  await recordCard(tx, call, { card_mandate_id: promoted, from: 'saved', to: 'default', means })
}
