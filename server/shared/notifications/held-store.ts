import type { Queryable, Transaction } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import { moveJobs } from '../queue'
import { type QuietHours, quietUntil } from './quiet-hours'
import { deliveryKeyOf } from './store'

/** The time until which quiet hours hold a message back. */
export interface Hold {
  readonly until: Date
  /** The event key of the request that the message is about; null for a message that only informs. */
  readonly request: string | null
}

interface HoldQuery {
  readonly quiet: QuietHours | null
  readonly timeZone: string
  /** The event key of the request that the message is about; null for a message that only informs. */
  readonly request: string | null
}

/** Returns the hold of a message that is written now; null when it is sent at once. */
export function holdOf({ quiet, timeZone, request }: HoldQuery, now: Date): Hold | null {
  if (quiet === null || (request !== null && quiet.requestsComeThrough)) return null
  const until = quietUntil(now, quiet, timeZone)
  return until === null ? null : { until, request }
}

/** Returns whether a request still waits for its person, by the event key of its message. */
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

/**
 * Applies new quiet hours to the messages that are held back: they are sent when these end, or at once outside them, but
 * never later than before.
 */
export async function moveHeld(tx: Transaction, principalId: string, { now, ...hours }: NewHours): Promise<void> {
  for (const isRequest of [true, false]) {
    const until = holdOf({ ...hours, request: isRequest ? '' : null }, now)?.until ?? now
    const rows = await tx.query<Row<'Message', 'id'>>(
      sql`UPDATE messages SET held_until = ${until}
          WHERE principal_id = ${principalId} AND sent_at IS NULL AND held_until > ${now} AND held_until > ${until}
            AND (held_request IS NOT NULL) = ${isRequest}::boolean RETURNING id`,
    )
    await moveJobs(
      tx,
      rows.map(({ id }) => deliveryKeyOf(id)),
      until,
    )
  }
}
