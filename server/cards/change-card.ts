import type * as z from 'zod'
import type { WalletCall } from '../core/call'
import { ServiceError } from '../core/errors'
import type { cardChoice } from './contract'
import { lockOwner, markRemoved, moveDefault, promoteNewest } from './store'

type CardChoice = z.output<typeof cardChoice>

/** Makes one of the caller's cards the one that agents charge. 404 when it is not theirs. */
export async function makeDefaultCard({ platform, actor }: WalletCall, { card_id: cardId }: CardChoice): Promise<void> {
  const moved = await platform.db.transaction(async (tx) => {
    await lockOwner(tx, actor.principalId)
    return moveDefault(tx, actor.principalId, cardId)
  })
  if (!moved) throw new ServiceError('not_found', 'There is no such card.')
  await platform.cache.publish(`principal:${actor.principalId}`)
}

/**
 * Takes a card away, so that no settlement begins with it any more; one that has begun runs to its end. When it was the
 * default, the newest of the others becomes it. 404 when it is not the caller's.
 */
export async function removeCard({ platform, actor }: WalletCall, { card_id: cardId }: CardChoice): Promise<void> {
  const removed = await platform.db.transaction(async (tx) => {
    await lockOwner(tx, actor.principalId)
    const card = await markRemoved(tx, actor.principalId, cardId)
    if (card?.wasDefault) await promoteNewest(tx, actor.principalId)
    return card !== null
  })
  if (!removed) throw new ServiceError('not_found', 'There is no such card.')
  await platform.cache.publish(`principal:${actor.principalId}`)
}
