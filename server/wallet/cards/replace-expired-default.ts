import type { Transaction } from '../../base/core/platform'
import { type CardRecord, recordCard } from './record-card'
import { moveDefault, outlivesDefault } from './store'

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
