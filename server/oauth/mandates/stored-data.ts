import type { Queryable } from '../../base/core/platform'
import type { StoredRows } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** Reads this slice's rows for a person's access request (GDPR Article 15). */
export async function readStoredMandates(
  db: Queryable,
  principalId: string,
): Promise<{ readonly [list: string]: StoredRows }> {
  return {
    mandates: await db.query(
      sql`SELECT id, client_id, merchant_audience, amount_minor, currency, offer_id, line_items, issued_at, expires_at, revoked_at FROM mandates
        WHERE principal_id = ${principalId} ORDER BY issued_at, id`,
    ),
  }
}
