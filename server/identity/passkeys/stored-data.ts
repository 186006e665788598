import type { Queryable } from '../../base/core/platform'
import type { StoredRows } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** Returns this slice's rows for a person's access request (GDPR Article 15): no keys and no codes. */
export async function readStoredPasskeys(
  db: Queryable,
  principalId: string,
): Promise<{ readonly [list: string]: StoredRows }> {
  return {
    passkeys: await db.query(
      sql`SELECT name, transports, device_type, backed_up, created_at, last_used_at FROM passkeys
        WHERE principal_id = ${principalId} ORDER BY created_at, id`,
    ),
    recovery_codes: await db.query(
      sql`SELECT created_at, used_at FROM recovery_codes
        WHERE principal_id = ${principalId} ORDER BY created_at, used_at`,
    ),
  }
}
