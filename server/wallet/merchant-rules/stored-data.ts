import type { Queryable } from '../../base/core/platform'
import type { StoredRows } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** This slice's rows for a person's access request (GDPR Article 15): their rules, and their tenant's about their agents. */
export async function readStoredMerchantRules(
  db: Queryable,
  principalId: string,
): Promise<{ readonly [list: string]: StoredRows }> {
  return {
    merchant_rules: await db.query(
      sql`SELECT merchant_audience, client_id, verdict, updated_at FROM principal_merchant_rules
        WHERE principal_id = ${principalId} ORDER BY merchant_audience, client_id`,
    ),
    tenant_merchant_rules: await db.query(
      sql`SELECT r.merchant_audience, r.client_id, r.verdict, r.updated_at FROM merchant_rules r
        JOIN agents a ON a.id = r.client_id WHERE a.principal_id = ${principalId} ORDER BY r.merchant_audience, r.client_id`,
    ),
  }
}
