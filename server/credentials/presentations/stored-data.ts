import type { Queryable } from '../../base/core/platform'
import type { StoredRows } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** What is stored about a person here, as they are told when they ask. What was presented is theirs and their wallet's alone. */
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
