import type { WalletCall } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import type { Means } from '../../shared/audit'
import { type CardRecord, recordCard } from './record-card'
import { moveDefault, outlivesDefault, promoteNewest } from './store'

/** Makes another unbound card the default where there is none any more. The caller holds the person's lock. */
export async function promoteCard(tx: Transaction, call: WalletCall, means: Means): Promise<void> {
  const promoted = await promoteNewest(tx, call.actor.principalId, call.now)
  if (promoted === null) return
  await recordCard(tx, call, { card_mandate_id: promoted, from: 'saved', to: 'default', means })
}

/**
 * Makes a card that was just saved the default where the present default has expired. The caller holds the person's
 * lock.
 */
export async function replaceExpiredDefault(tx: Transaction, call: CardRecord, cardId: string): Promise<void> {
  const { actor, now } = call
  if (!(await outlivesDefault(tx, { principalId: actor.principalId, cardId, now }))) return
  await moveDefault(tx, actor.principalId, cardId)
  await recordCard(tx, call, { card_mandate_id: cardId, from: 'saved', to: 'default', means: 'processor' })
}
