import type { Queryable } from '../../../base/core/platform'
import { sql } from '../../../base/core/sql'

export interface SpendRow {
  currency: string
  spent_minor: number
  reserved_minor: number
}

/** What is spent and held today, per currency. */
export function listSpendOfDay(db: Queryable, principalId: string, day: string): Promise<SpendRow[]> {
  return db.query<SpendRow>(
    sql`SELECT currency, spent_minor, reserved_minor FROM spend_counters
      WHERE principal_id = ${principalId} AND day = ${day}::date ORDER BY currency`,
  )
}
