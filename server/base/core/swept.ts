import type { Queryable } from './platform'
import { type Sql, sql } from './sql'

/** The number of rows that a sweep deletes in one statement, so that others wait only briefly for its locks. */
export const SWEPT_AT_ONCE = 5_000

/** SQL condition with order and limit: the oldest rows whose time in this column lies before the given one. */
export const oldestSql = (column: Sql, before: Date): Sql =>
  sql`${column} < ${before} ORDER BY ${column} LIMIT ${SWEPT_AT_ONCE}`

/** Runs the DELETE of a sweep. Returns how many rows it deleted. */
export async function countSwept(db: Queryable, deletion: Sql): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`WITH swept AS (${deletion} RETURNING 1) SELECT count(*)::int AS count FROM swept`,
  )
  return row?.count ?? 0
}
