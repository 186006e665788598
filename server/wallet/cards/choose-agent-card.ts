import type { ProcedureInput } from '../../base/contract/portal-procedure'
import { announceChange } from '../../base/core/announce-change'
import type { WalletCall } from '../../base/core/call'
import { buildUnknownAgentError } from '../../base/core/common-errors'
import { ServiceError } from '../../base/core/errors'
import type { Transaction } from '../../base/core/platform'
import { proveStepUp } from '../../identity/passkeys'
import { type Means, meansOf } from '../../shared/audit'
import { lockActor } from '../../shared/principals'
import { bindCard, findCardUse, isActiveAgent, releaseCardOf } from './agent-card-store'
import type { chooseAgentCardProcedure } from './contract'
import { recordCard } from './record-card'

/**
 * Sets the card that one agent pays with, once the person has confirmed it: a card of its own, which nothing else is
 * charged to from then on, or with null the default. Settlements take the same lock, so each one charges either the
 * earlier or the new card. 404 for an unknown card or agent, 409 conflict for the default card and for one of another
 * agent; 403 step_up_required.
 */
export async function chooseAgentCard(
  call: WalletCall,
  { client_id: clientId, card_id: cardId, proof }: ProcedureInput<typeof chooseAgentCardProcedure>,
): Promise<{ readonly client_id: string; readonly card_id: string | null }> {
  const { platform, actor } = call
  const subject = { client_id: clientId, card_id: cardId }
  const { method: means } = await proveStepUp(call, { purpose: 'card.choose', subject }, proof)
  await platform.db.transaction(async (tx) => {
    await lockActor(tx, actor)
    if (!(await isActiveAgent(tx, { principalId: actor.principalId, clientId }))) {
      throw buildUnknownAgentError()
    }
    if (cardId === null) await returnToDefault(tx, call, { clientId, means })
    else await bind(tx, call, { clientId, cardId, means })
  })
  await announceChange(platform, actor.principalId)
  return subject
}

interface Binding {
  readonly clientId: string
  readonly cardId: string
  readonly means: Means
}

async function bind(tx: Transaction, call: WalletCall, { clientId, cardId, means }: Binding): Promise<void> {
  const { principalId } = call.actor
  const card = await findCardUse(tx, { principalId, cardId })
  if (card === null) throw new ServiceError('not_found', 'There is no such card.')
  if (card.agent_client_id === clientId) return
  if (card.agent_client_id !== null) throw new ServiceError('conflict', 'This card is bound to another agent.')
  if (card.is_default) {
    throw new ServiceError('conflict', 'The default card is for all agents. Make another card the default first.')
  }
  await release(tx, call, { clientId, means })
  await bindCard(tx, { principalId, clientId, cardId })
  await recordCard(tx, call, { card_mandate_id: cardId, from: 'saved', to: 'agent', means, agent_client_id: clientId })
}

type Release = Omit<Binding, 'cardId'>

/** An agent whose card was removed pays with the default from now on, so this is an entry of its own. */
async function returnToDefault(tx: Transaction, call: WalletCall, { clientId, means }: Release): Promise<void> {
  const card = await release(tx, call, { clientId, means })
  if (card?.status !== 'removed') return
  const change = { from: 'removed', to: 'released', means, agent_client_id: clientId } as const
  await recordCard(tx, call, { card_mandate_id: card.id, ...change })
}

async function release(tx: Transaction, call: WalletCall, { clientId, means }: Release) {
  const card = await releaseCardOf(tx, clientId)
  if (card?.status === 'active') {
    const change = { from: 'agent', to: 'saved', means, agent_client_id: clientId } as const
    await recordCard(tx, call, { card_mandate_id: card.id, ...change })
  }
  return card
}

/** Releases the card of an agent that is revoked. The caller holds the person's lock. */
export async function releaseCards(tx: Transaction, call: WalletCall, clientId: string): Promise<void> {
  await release(tx, call, { clientId, means: meansOf(call.actor) })
}
