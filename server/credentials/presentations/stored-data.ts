import type { Queryable } from '../../base/core/platform'
import type { StoredRows } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** Returns this slice's rows for a person's access request (GDPR Article 15). Presented claims are not among them. */
export async function readStoredPresentations(
  db: Queryable,
  principalId: string,
): Promise<{ readonly [list: string]: StoredRows }> {
  return {
    presentation_requests: await db.query(
      sql`SELECT purpose, subject_id AS subject, status, created_at, expires_at, ended_at FROM presentation_requests
        WHERE principal_id = ${principalId} ORDER BY created_at, id`,
    ),
  }
}
