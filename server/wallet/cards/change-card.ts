import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { ProcedureInput } from '../../base/contract/portal-procedure'
import { announceChange } from '../../base/core/announce-change'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { proveStepUp } from '../../identity/passkeys'
import { meansOf } from '../../shared/audit'
import { lockActor } from '../../shared/principals'
import { enqueueJob } from '../../shared/queue'
import type { chooseCardProcedure, makeDefaultCardEndpoint, removeCardEndpoint } from './contract'
import { DETACH_JOB } from './detach-card'
import { listCards } from './list-cards'
import { recordCard } from './record-card'
import { markRemoved, moveDefault } from './store'

type MakeDefault = typeof makeDefaultCardEndpoint
type Remove = typeof removeCardEndpoint

/**
 * Makes one of the caller's cards the default, once the person has confirmed it, and returns all cards. 409 conflict
 * for a card that is bound to an agent; 403 step_up_required; 401 insufficient_user_authentication for a token that
 * does not suffice.
 */
export async function makeDefaultCard(
  call: WalletCall,
  input: ProcedureInput<typeof chooseCardProcedure>,
): Promise<OutputOf<MakeDefault>> {
  const { platform, actor } = call
  const subject = { card_id: input.card_id }
  const { method: means } = await proveStepUp(call, { purpose: 'card.choose', subject }, input.proof)
  const moved = await platform.db.transaction(async (tx) => {
    await lockActor(tx, actor)
    const outcome = await moveDefault(tx, actor.principalId, input.card_id)
    if (outcome === 'moved')
      await recordCard(tx, call, { card_mandate_id: input.card_id, from: 'saved', to: 'default', means })
    return outcome
  })
  if (moved === 'unknown') throw buildUnknownCardError()
  if (moved === 'bound')
    throw new ServiceError('conflict', 'This card is bound to one agent. Let the agent pay with another first.')
  await announceChange(platform, actor.principalId)
  return listCards(call)
}

/**
 * Removes a card, so that no new settlement charges it, and returns the other cards. A settlement that has begun still
 * completes, and then the processor deletes the card too. No other card takes its place by itself, since choosing a card
 * needs a confirmation: after the default, none is the default, and after the card of one agent, that agent pays with
 * none.
 */
export async function removeCard(call: WalletCall, input: InputOf<Remove>): Promise<OutputOf<Remove>> {
  const { platform, actor } = call
  const removed = await platform.db.transaction(async (tx) => {
    await lockActor(tx, actor)
    const card = await markRemoved(tx, actor.principalId, input.card_id)
    if (card === null) return false
    const payload = { card_id: input.card_id }
    await enqueueJob(tx, call, { kind: DETACH_JOB, key: `detach:${input.card_id}`, payload })
    const change = { ...formerUse(card), to: 'removed', means: meansOf(actor) } as const
    await recordCard(tx, call, { card_mandate_id: input.card_id, ...change })
    return true
  })
  if (!removed) throw buildUnknownCardError()
  await announceChange(platform, actor.principalId)
  return listCards(call)
}

function formerUse({ wasDefault, clientId }: { readonly wasDefault: boolean; readonly clientId: string | null }) {
  if (clientId !== null) return { from: 'agent', agent_client_id: clientId } as const
  return { from: wasDefault ? 'default' : 'saved' } as const
}

function buildUnknownCardError(): ServiceError {
  return new ServiceError('not_found', 'There is no such card.')
}
