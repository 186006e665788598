import type { Queryable } from '../../base/core/platform'
import type { StoredRows } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** What is stored about a person here, as they are told when they ask. Nobody here has a card's number. */
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
