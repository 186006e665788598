import type { Queryable, Transaction } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** A daily summary that is due. */
export type DueSummary = Pick<Row<'MessageSettings'>, 'principal_id'> & {
  readonly summary_hour: number
  readonly summary_due_at: Date
  readonly summarised_until: Date
  readonly time_zone: string
}

/** Returns the summaries that are due, the most overdue first. */
export function listDueSummaries(db: Queryable, now: Date, most: number): Promise<DueSummary[]> {
  return db.query<DueSummary>(
    sql`SELECT s.principal_id, s.summary_hour, s.summary_due_at, s.summarised_until, coalesce(z.time_zone, 'UTC') AS time_zone
       FROM message_settings s LEFT JOIN time_zones z USING (principal_id)
      WHERE s.summary_due_at <= ${now} ORDER BY s.summary_due_at, s.principal_id LIMIT ${most}`,
  )
}

interface Claim {
  readonly due: DueSummary
  readonly nextAt: Date
  readonly until: Date
}

/**
 * Claims a due summary, in the transaction that writes it. Returns false when another process has, or it was changed.
 */
export async function claimSummary(tx: Transaction, { due, nextAt, until }: Claim): Promise<boolean> {
  const rows = await tx.query(
    sql`UPDATE message_settings SET summary_due_at = ${nextAt}, summarised_until = ${until}
      WHERE principal_id = ${due.principal_id} AND summary_due_at = ${due.summary_due_at}
        AND summary_hour = ${due.summary_hour} RETURNING principal_id`,
  )
  return rows.length === 1
}
