import type { Queryable } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { openStates, type SettlementState, stateIn } from '../../base/core/settlement-state'
import { sql } from '../../base/core/sql'

type OpenCount = Row<'Settlement', 'state', { state: SettlementState }> & {
  readonly count: number
  /** The seconds since the oldest one was reserved; 0 when there is none. */
  readonly oldest_seconds: number
}

/** Returns the number of settlements without an outcome for every open state, also for those without any. */
export async function countOpenSettlements(db: Queryable, now: Date): Promise<OpenCount[]> {
  const rows = await db.query<OpenCount>(
    sql`SELECT state, count(*) AS count,
               greatest(extract(epoch FROM ${now}::timestamptz - min(reserved_at)), 0)::float8 AS oldest_seconds
          FROM settlements WHERE state ${stateIn(openStates)} GROUP BY state`,
  )
  const byState = new Map(rows.map((row) => [row.state, row]))
  return openStates.map((state) => byState.get(state) ?? { state, count: 0, oldest_seconds: 0 })
}
