import type { Queryable } from '../core/platform'

export async function isKnownEvent(db: Queryable, eventId: string): Promise<boolean> {
  const rows = await db.query('SELECT 1 FROM webhook_events WHERE event_id = $1', [eventId])
  return rows.length === 1
}

/** Consumes the event's id; false when it was seen before. Waits for a delivery that is being handled right now. */
export async function consumeEvent(tx: Queryable, event: { id: string; type: string; now: Date }): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO webhook_events (event_id, type, received_at) VALUES ($1, $2, $3) ON CONFLICT (event_id) DO NOTHING
     RETURNING event_id`,
    [event.id, event.type, event.now],
  )
  return rows.length === 1
}
