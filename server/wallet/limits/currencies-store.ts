import type { Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

/** Returns the currencies that the person's agents paid in or that one of their limits is in. */
export async function listUsedCurrencies(db: Queryable, principalId: string): Promise<string[]> {
  const rows = await db.query<{ currency: string }>(
    sql`SELECT currency FROM spend_counters WHERE principal_id = ${principalId}
        UNION SELECT currency FROM wallet_limits WHERE principal_id = ${principalId} AND currency IS NOT NULL
        UNION SELECT jsonb_object_keys(other_currencies) FROM wallet_limits WHERE principal_id = ${principalId}
        UNION SELECT currency FROM agent_limits WHERE principal_id = ${principalId} AND currency IS NOT NULL
        ORDER BY currency`,
  )
  return rows.map(({ currency }) => currency)
}
