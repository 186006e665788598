import type { Transaction } from '../../base/core/platform'
import { type Means, recordPersonAct } from '../../shared/audit'

/** Whose card it is and when, with the session or token that they act with. */
export type CardRecord = Parameters<typeof recordPersonAct>[1]

interface CardChange {
  readonly card_mandate_id: string
  readonly from: 'saved' | 'default' | 'agent'
  readonly to: 'saved' | 'default' | 'agent' | 'removed'
  readonly means: Means
  /** The one agent that the card is or was for. */
  readonly agent_client_id?: string
}

/** Notes in the audit chain what a card is for from now on. */
export function recordCard(tx: Transaction, call: CardRecord, change: CardChange): Promise<void> {
  const payload = { what: 'card', ...change } as const
  return recordPersonAct(tx, call, { event: 'oid4ac.card.changed', payload })
}
