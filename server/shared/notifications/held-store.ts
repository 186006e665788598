import type { Queryable, Transaction } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import { moveJobs } from '../queue'
import { type QuietHours, quietUntil } from './quiet-hours'
import { deliveryKeyOf } from './store'

/** A message that quiet hours hold back. */
export interface Hold {
  readonly until: Date
  /** What it asks, by the key of its event; null for what only informs. */
  readonly request: string | null
}

interface HoldQuery {
  readonly quiet: QuietHours | null
  readonly timeZone: string
  /** The key of the event where the person is asked something. */
  readonly request: string | null
}

/** Whether a message that is written now is held back; null when it is sent at once. */
export function holdOf({ quiet, timeZone, request }: HoldQuery, now: Date): Hold | null {
  if (quiet === null || (request !== null && quiet.requestsComeThrough)) return null
  const until = quietUntil(now, quiet, timeZone)
  return until === null ? null : { until, request }
}

/** Whether a request still waits for its person; its key is that of the event that its message tells. */
export async function isWaiting(db: Queryable, request: string, now: Date): Promise<boolean> {
  const id = request.slice(request.indexOf(':') + 1)
  const [row] = await db.query<{ waits: boolean }>(
    sql`SELECT EXISTS (SELECT 1 FROM approval_outcomes WHERE authorization_id = ${id} AND status = 'pending' AND expires_at > ${now})
            OR EXISTS (SELECT 1 FROM limit_requests WHERE id = ${id} AND status = 'pending' AND expires_at > ${now})
            OR EXISTS (SELECT 1 FROM open_settlements WHERE id = ${id}) AS waits`,
  )
  return row?.waits === true
}

interface NewHours {
  readonly quiet: QuietHours | null
  readonly timeZone: string
  readonly now: Date
}

/** Has what quiet hours hold back follow other hours: it is sent when these end, and at once where it is not quiet now. */
export async function moveHeld(tx: Transaction, principalId: string, { now, ...hours }: NewHours): Promise<void> {
  for (const isRequest of [true, false]) {
    const until = holdOf({ ...hours, request: isRequest ? '' : null }, now)?.until ?? now
    const rows = await tx.query<Row<'Message', 'id'>>(
      sql`UPDATE messages SET held_until = ${until}
          WHERE principal_id = ${principalId} AND sent_at IS NULL AND held_until > ${now}
            AND (held_request IS NOT NULL) = ${isRequest}::boolean RETURNING id`,
    )
    await moveJobs(
      tx,
      rows.map(({ id }) => deliveryKeyOf(id)),
      until,
    )
  }
}
