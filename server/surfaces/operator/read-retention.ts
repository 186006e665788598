import type { OutputOf } from '../../base/contract/endpoint'
import type { OperatorCall } from '../../base/core/call'
import type { Database } from '../../base/core/platform'
import { retention } from '../../base/core/retention'
import type { Retention } from '../../base/core/retention-entry'
import { type Sql, sql } from '../../base/core/sql'
import type { readRetentionEndpoint } from './retention-contract'

type RetentionList = OutputOf<typeof readRetentionEndpoint>

/** GET /operator/retention: the number of rows of each kind, and when the oldest is deleted. */
export async function readRetention({ platform }: OperatorCall): Promise<RetentionList> {
  const kinds: RetentionList['retention'] = []
  for (const [kind, entry] of Object.entries<Retention>(retention)) {
    kinds.push({ kind, ...(await readKind(platform.db, entry)) })
  }
  return { retention: kinds }
}

async function readKind(db: Database, { what, tables, kept, after }: Retention) {
  const counted = []
  let oldest: Date | null = null
  for (const table of tables) {
    const time = counted.length === 0 ? after?.column : undefined
    const row = await countRows(db, { table, time: sql.raw(time ?? 'NULL::timestamptz') })
    counted.push({ table, rows: row.rows })
    oldest ??= row.oldest
  }
  const goesAt = oldest === null || typeof kept === 'string' ? null : new Date(oldest.getTime() + kept * 1000)
  return { what, tables: counted, kept, oldest_goes_at: goesAt?.toISOString() ?? null }
}

/** Counts the rows of a table. Its name comes from the table of retention, never from a request. */
async function countRows(db: Database, { table, time }: { readonly table: string; readonly time: Sql }) {
  const [row] = await db.query<{ rows: number; oldest: Date | null }>(
    sql`SELECT count(*) AS rows, min(${time}) AS oldest FROM ${sql.raw(table)}`,
  )
  return row ?? { rows: 0, oldest: null }
}
