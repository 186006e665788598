import type { Queryable } from '../../base/core/platform'
import type { StoredRows } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** This slice's rows for a person's access request (GDPR Article 15). */
export async function readStoredLinks(
  db: Queryable,
  principalId: string,
): Promise<{ readonly [list: string]: StoredRows }> {
  return {
    mailed_links: await db.query(
      sql`SELECT purpose, subject ->> 'email' AS email, subject ->> 'name' AS name, created_at, expires_at, consumed_at FROM mailed_links
        WHERE principal_id = ${principalId} ORDER BY created_at, token_hash`,
    ),
  }
}
