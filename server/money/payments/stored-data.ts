import type { Queryable } from '../../base/core/platform'
import type { StoredRows } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** This slice's rows for a person's access request (GDPR Article 15). */
export async function readStoredPayments(
  db: Queryable,
  principalId: string,
): Promise<{ readonly [list: string]: StoredRows }> {
  return {
    payments: await db.query(
      sql`SELECT payment_intent_id, settlement_id, client_id, mandate_id, merchant_audience, amount_minor, currency, status,
             processed_at FROM payments
        WHERE principal_id = ${principalId} ORDER BY processed_at, payment_intent_id`,
    ),
  }
}
