import type { Transaction } from '../../base/core/platform'
import { type Means, recordPersonAct } from '../../shared/audit'

/** The person whose card it is, the time, and the session or token that they use. */
export type CardRecord = Parameters<typeof recordPersonAct>[1]

interface CardChange {
  readonly card_mandate_id: string
  readonly from: 'saved' | 'default' | 'agent' | 'removed'
  /** `released` for a removed card whose agent pays with the default from now on. */
  readonly to: 'saved' | 'default' | 'agent' | 'removed' | 'released'
  readonly means: Means
  /** The agent that the card is or was bound to. */
  readonly agent_client_id?: string
}

/** Records the new use of a card in the audit chain. */
export function recordCard(tx: Transaction, call: CardRecord, change: CardChange): Promise<void> {
  const payload = { what: 'card', ...change } as const
  return recordPersonAct(tx, call, { event: 'oid4ac.card.changed', payload })
}
