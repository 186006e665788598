import type { Queryable } from '../../../core/platform'
import type { Row } from '../../../core/rows'
import { sql } from '../../../core/sql'

interface NewEvent {
  readonly id: string
  readonly type: string
  readonly body: string
  readonly deliveries: number
  readonly dueAt: Date
  readonly now: Date
}

export async function insertEvent(tx: Queryable, event: NewEvent): Promise<void> {
  await tx.query(
    sql`INSERT INTO sandbox_processor_events (id, type, body, deliveries_left, next_attempt_at, created_at)
     VALUES (${event.id}, ${event.type}, ${event.body}, ${event.deliveries}, ${event.dueAt}, ${event.now})`,
  )
}

export type DueEvent = Readonly<Row<'SandboxProcessorEvent', 'id' | 'body' | 'deliveries_left'>>

const EVENT_BATCH = 20
const EVENT_ATTEMPTS_MAX = 25
const EVENT_PAUSE_MAX_SECONDS = 300

/** Claims due events for one caller; another caller gets them later unless their delivery is recorded. */
export async function claimDueEvents(db: Queryable, now: Date): Promise<DueEvent[]> {
  return db.query<DueEvent>(
    sql`UPDATE sandbox_processor_events
        SET attempts = attempts + 1,
            next_attempt_at = ${now}::timestamptz + make_interval(secs => least(${EVENT_PAUSE_MAX_SECONDS}, 2 ^ attempts))
      WHERE id IN (SELECT id FROM sandbox_processor_events
                    WHERE deliveries_left > 0 AND next_attempt_at <= ${now} AND attempts < ${EVENT_ATTEMPTS_MAX}
                    ORDER BY next_attempt_at LIMIT ${EVENT_BATCH} FOR UPDATE SKIP LOCKED)
      RETURNING id, body, deliveries_left`,
  )
}

export async function findEvent(db: Queryable, id: string): Promise<DueEvent | null> {
  const [row] = await db.query<DueEvent>(
    sql`SELECT id, body, deliveries_left FROM sandbox_processor_events WHERE id = ${id}`,
  )
  return row ?? null
}

export async function noteDelivered(db: Queryable, id: string, count: number): Promise<void> {
  await db.query(
    sql`UPDATE sandbox_processor_events SET deliveries_left = greatest(0, deliveries_left - ${count}::int) WHERE id = ${id}`,
  )
}
