import type { Queryable } from '../../base/core/platform'
import type { StoredRows } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** What is stored about a person here, as they are told when they ask. */
export async function readStoredMerchantRules(
  db: Queryable,
  principalId: string,
): Promise<{ readonly [list: string]: StoredRows }> {
  return {
    merchant_rules: await db.query(
      sql`SELECT merchant_audience, client_id, verdict, updated_at FROM principal_merchant_rules
        WHERE principal_id = ${principalId} ORDER BY merchant_audience, client_id`,
    ),
  }
}
