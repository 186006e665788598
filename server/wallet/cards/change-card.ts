import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { ProcedureInput } from '../../base/contract/portal-procedure'
import { announceChange } from '../../base/core/announce-change'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { proveStepUp } from '../../identity/passkeys'
import { enqueueJob } from '../../shared/queue'
import type { chooseCardProcedure, makeDefaultCardEndpoint, removeCardEndpoint } from './contract'
import { DETACH_JOB } from './detach-card'
import { listCards } from './list-cards'
import { lockOwner, markRemoved, moveDefault, promoteNewest } from './store'

type MakeDefault = typeof makeDefaultCardEndpoint
type Remove = typeof removeCardEndpoint

/**
 * Makes one of the caller's cards the one that agents charge, once the person has confirmed it, and answers all of them.
 * 403 step_up_required; 401 insufficient_user_authentication for a token that does not suffice.
 */
export async function makeDefaultCard(
  call: WalletCall,
  input: ProcedureInput<typeof chooseCardProcedure>,
): Promise<OutputOf<MakeDefault>> {
  const { platform, actor } = call
  await proveStepUp(call, { purpose: 'card.choose', subject: { card_id: input.card_id } }, input.proof)
  const moved = await platform.db.transaction(async (tx) => {
    await lockOwner(tx, actor.principalId)
    return moveDefault(tx, actor.principalId, input.card_id)
  })
  if (!moved) throw buildUnknownCardError()
  await announceChange(platform, actor.principalId)
  return listCards(call)
}

/**
 * Takes a card away, so that no settlement begins with it any more, and answers the others; a settlement that has begun
 * runs to its end, and then the processor forgets the card too. When it was the default, the newest of the others
 * becomes it.
 */
export async function removeCard(call: WalletCall, input: InputOf<Remove>): Promise<OutputOf<Remove>> {
  const { platform, actor } = call
  const removed = await platform.db.transaction(async (tx) => {
    await lockOwner(tx, actor.principalId)
    const card = await markRemoved(tx, actor.principalId, input.card_id)
    if (card === null) return false
    if (card.wasDefault) await promoteNewest(tx, actor.principalId)
    const payload = { card_id: input.card_id }
    await enqueueJob(tx, call, { kind: DETACH_JOB, key: `detach:${input.card_id}`, payload })
    return true
  })
  if (!removed) throw buildUnknownCardError()
  await announceChange(platform, actor.principalId)
  return listCards(call)
}

function buildUnknownCardError(): ServiceError {
  return new ServiceError('not_found', 'There is no such card.')
}
