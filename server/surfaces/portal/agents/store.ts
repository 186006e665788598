import type { Queryable } from '../../../base/core/platform'
import { sql } from '../../../base/core/sql'

/** The sessions that a revocation of the agent would end. */
export async function countActiveFamilies(
  db: Queryable,
  principalId: string,
  { clientId, now }: { readonly clientId: string; readonly now: Date },
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`SELECT count(*) AS count FROM active_token_families
      WHERE principal_id = ${principalId} AND client_id = ${clientId} AND expires_at > ${now}`,
  )
  return row?.count ?? 0
}
