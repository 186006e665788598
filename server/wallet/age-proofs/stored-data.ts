import type { Queryable } from '../../base/core/platform'
import type { StoredRows } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** This slice's rows for a person's access request (GDPR Article 15). */
export async function readStoredAgeProofs(
  db: Queryable,
  principalId: string,
): Promise<{ readonly [list: string]: StoredRows }> {
  return {
    age_proofs: await db.query(
      sql`SELECT age, source, issuer, region, proven_at, expires_at FROM age_proofs
        WHERE principal_id = ${principalId} ORDER BY age`,
    ),
  }
}
