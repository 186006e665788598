import type { Queryable } from '../../base/core/platform'
import type { StoredRows } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** Returns this slice's rows for a person's access request (GDPR Article 15). */
export async function readStoredSessions(
  db: Queryable,
  principalId: string,
): Promise<{ readonly [list: string]: StoredRows }> {
  return {
    sessions: await db.query(
      sql`SELECT method, device, created_at, last_seen_at, expires_at, revoked_at, ended_by FROM portal_sessions
        WHERE principal_id = ${principalId} ORDER BY created_at, id`,
    ),
    sign_in_requests: await db.query(
      sql`SELECT created_at, expires_at, consumed_at FROM sign_in_requests
        WHERE principal_id = ${principalId} ORDER BY created_at, id`,
    ),
  }
}
