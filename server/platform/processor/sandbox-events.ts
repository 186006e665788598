import type { Clock, Queryable, Randomness } from '@/server/core/platform'
import { sha256Base64url } from '@/server/protocol/encoding'
import { type IntentRow, insertEvent } from './sandbox-store'

interface EventParts {
  readonly clock: Clock
  readonly random: Randomness
}

export interface Announcement {
  readonly type: string
  readonly object: Readonly<Record<string, unknown>>
  /** How long after now the event is sent; at once when absent. */
  readonly delaySeconds?: number
  /** How many times it is sent; once when absent. */
  readonly deliveries?: number
}

/** Writes an event that is to be sent, in the transaction that it reports. */
export async function announce(tx: Queryable, { clock, random }: EventParts, event: Announcement): Promise<void> {
  const now = clock.now()
  const id = `evt_${random.token(18)}`
  const created = Math.floor(now.getTime() / 1000)
  await insertEvent(tx, {
    id,
    type: event.type,
    body: JSON.stringify({ id, object: 'event', type: event.type, created, data: { object: event.object } }),
    deliveries: event.deliveries ?? 1,
    dueAt: new Date(now.getTime() + (event.delaySeconds ?? 0) * 1000),
    now,
  })
}

/** Writes the event of a dispute that is opened or closed. An intent has one dispute at most. */
export function announceDispute(
  tx: Queryable,
  parts: EventParts,
  { intent, status, delaySeconds }: { intent: IntentRow; status: 'pending' | 'won' | 'lost'; delaySeconds: number },
): Promise<void> {
  const isOpen = status === 'pending'
  return announce(tx, parts, {
    type: isOpen ? 'charge.dispute.created' : 'charge.dispute.closed',
    object: {
      id: `dp_${sha256Base64url(intent.id).slice(0, 24)}`,
      object: 'dispute',
      payment_intent: intent.id,
      amount: intent.amount_minor,
      currency: intent.currency,
      status: isOpen ? 'needs_response' : status,
    },
    delaySeconds,
  })
}
