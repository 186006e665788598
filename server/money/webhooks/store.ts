import type { Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

export async function isKnownEvent(db: Queryable, eventId: string): Promise<boolean> {
  const rows = await db.query(sql`SELECT 1 FROM webhook_events WHERE event_id = ${eventId}`)
  return rows.length === 1
}

/**
 * Consumes the event's id; returns false when it was seen before. Waits while the same event is being handled
 * elsewhere.
 */
export async function consumeEvent(tx: Queryable, event: { id: string; type: string; now: Date }): Promise<boolean> {
  const rows = await tx.query(
    sql`INSERT INTO webhook_events (event_id, type, received_at) VALUES (${event.id}, ${event.type}, ${event.now}) ON CONFLICT (event_id) DO NOTHING
     RETURNING event_id`,
  )
  return rows.length === 1
}
