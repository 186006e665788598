import type { Queryable } from '../../base/core/platform'
import type { StoredRows } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** Reads this slice's rows, except the agents that the API lists, for an access request (GDPR Article 15). */
export async function readStoredClients(
  db: Queryable,
  principalId: string,
): Promise<{ readonly [list: string]: StoredRows }> {
  return {
    agent_names: await db.query(
      sql`SELECT id AS client_id, name, given_name FROM clients WHERE principal_id = ${principalId} ORDER BY created_at, id`,
    ),
    setup_tokens: await db.query(
      sql`SELECT id, name, purpose, scope, limits, created_at, expires_at, consumed_at, consumed_by, cancelled_at FROM setup_tokens
        WHERE principal_id = ${principalId} ORDER BY created_at, id`,
    ),
  }
}
