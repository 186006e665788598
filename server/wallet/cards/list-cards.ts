import type { OutputOf } from '../../base/contract/endpoint'
import type { WalletCall } from '../../base/core/call'
import type { listCardsEndpoint } from './contract'
import { type CardMandate, listActiveCards } from './store'

/** Returns the caller's cards, the default one first. */
export async function listCards({ platform, actor, now }: WalletCall): Promise<OutputOf<typeof listCardsEndpoint>> {
  const cards = await listActiveCards(platform.db, actor.principalId)
  return {
    cards: cards.map((card) => ({
      id: card.id,
      brand: card.brand,
      last4: card.last4,
      exp_month: card.exp_month,
      exp_year: card.exp_year,
      is_default: card.is_default,
      status: isExpired(card, now) ? 'expired' : 'active',
      created_at: card.created_at.toISOString(),
      agent_client_id: card.agent_client_id,
    })),
  }
}

/** Returns whether a card has expired. A card is valid until the end of its last month. */
function isExpired(card: CardMandate, now: Date): boolean {
  return now.getTime() >= Date.UTC(card.exp_year, card.exp_month, 1)
}
