import type { Queryable } from '../../base/core/platform'
import type { StoredRows } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** Returns this slice's rows for a person's access request (GDPR Article 15). */
export async function readStoredPhoneCodes(
  db: Queryable,
  principalId: string,
): Promise<{ readonly [list: string]: StoredRows }> {
  return {
    phone_codes: await db.query(
      sql`SELECT phone_e164, tries, created_at, expires_at FROM phone_codes
        WHERE principal_id = ${principalId} ORDER BY created_at`,
    ),
  }
}
