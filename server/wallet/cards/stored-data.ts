import type { Queryable } from '../../base/core/platform'
import type { StoredRows } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** This slice's rows for a person's access request (GDPR Article 15). Card numbers are not stored. */
export async function readStoredCards(
  db: Queryable,
  principalId: string,
): Promise<{ readonly [list: string]: StoredRows }> {
  return {
    cards: await db.query(
      sql`SELECT id, brand, last4, exp_month, exp_year, is_default, status, created_at, agent_client_id FROM card_mandates
        WHERE principal_id = ${principalId} ORDER BY created_at, id`,
    ),
  }
}
