import type { Queryable } from '../../base/core/platform'
import type { StoredRows } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** Reads this slice's rows, which are kept for a day, for a person's access request (GDPR Article 15). */
export async function readStoredRequests(
  db: Queryable,
  principalId: string,
): Promise<{ readonly [list: string]: StoredRows }> {
  return {
    pushed_requests: await db.query(
      sql`SELECT client_id, redirect_uri, scope, resources, authorization_details, decision, refusal, created_at, expires_at FROM pushed_requests
        WHERE principal_id = ${principalId} ORDER BY created_at, handle_hash`,
    ),
    magic_links: await db.query(
      sql`SELECT client_id, redirect_uri, scope, resources, authorization_details, created_at, expires_at, consumed_at FROM magic_links
        WHERE principal_id = ${principalId} ORDER BY created_at, token_hash`,
    ),
    authorization_codes: await db.query(
      sql`SELECT client_id, redirect_uri, scope, resources, authorization_details, acr, auth_time, created_at, expires_at,
             redeemed_at FROM authorization_codes
        WHERE principal_id = ${principalId} ORDER BY created_at, code_hash`,
    ),
  }
}
