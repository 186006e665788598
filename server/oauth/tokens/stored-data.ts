import type { Queryable } from '../../base/core/platform'
import type { StoredRows } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** Reads this slice's rows for a person's access request (GDPR Article 15): token families, without tokens. */
export async function readStoredFamilies(
  db: Queryable,
  principalId: string,
): Promise<{ readonly [list: string]: StoredRows }> {
  return {
    token_families: await db.query(
      sql`SELECT id, client_id, kind, scope, resources, authorization_details, mandate_id, acr, auth_time, created_at, expires_at,
             revoked_at, revoked_reason FROM token_families
        WHERE principal_id = ${principalId} ORDER BY created_at, id`,
    ),
  }
}
