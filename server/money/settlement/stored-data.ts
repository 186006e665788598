import type { Queryable } from '../../base/core/platform'
import type { StoredRows } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** This slice's rows for a person's access request (GDPR Article 15). */
export async function readStoredSettlements(
  db: Queryable,
  principalId: string,
): Promise<{ readonly [list: string]: StoredRows }> {
  return {
    settlements: await db.query(
      sql`SELECT id, client_id, mandate_id, state, amount_minor, application_fee_minor, currency, merchant_audience, card_id,
             payment_intent_id, failure_code, reserved_at, settled_at FROM settlements
        WHERE principal_id = ${principalId} ORDER BY reserved_at, id`,
    ),
    refunds: await db.query(
      sql`SELECT payment_intent_id, settlement_id, reason, amount_minor, currency, demanded_at, refunded_at FROM refunds
        WHERE principal_id = ${principalId} ORDER BY demanded_at, payment_intent_id`,
    ),
  }
}
