import type { Queryable } from '../../../base/core/platform'
import { sql } from '../../../base/core/sql'

/** Returns the person's agents that are not revoked. */
export async function findActiveAgents(db: Queryable, principalId: string): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(
    sql`SELECT id FROM agents WHERE principal_id = ${principalId} AND revoked_at IS NULL`,
  )
  return new Set(rows.map(({ id }) => id))
}
