import type { Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

/** More than these are not chosen from; the filter still takes any. */
const PARTIES_MAX = 500

export interface PaidMerchant {
  readonly merchant_audience: string
  readonly merchant_name: string | null
}

export interface PayingAgent {
  readonly client_id: string
  readonly label: string
}

/** The agents that have paid for a person, revoked ones included, by name. Each costs one index look-up. */
export function listPayingAgents(db: Queryable, principalId: string): Promise<PayingAgent[]> {
  return db.query(
    sql`WITH RECURSIVE paid (id) AS (
       (SELECT client_id FROM payments WHERE principal_id = ${principalId} ORDER BY client_id LIMIT 1)
       UNION ALL
       SELECT (SELECT p.client_id FROM payments p
                WHERE p.principal_id = ${principalId} AND p.client_id > paid.id ORDER BY p.client_id LIMIT 1)
         FROM paid WHERE paid.id IS NOT NULL)
     SELECT c.id AS client_id, c.shown_name AS label
       FROM (SELECT id FROM paid WHERE id IS NOT NULL LIMIT ${PARTIES_MAX}::int) known JOIN agents c ON c.id = known.id
      ORDER BY lower(c.shown_name), c.id`,
  )
}

/** The merchants that a person has paid, by name or address. Each costs one index look-up. */
export function listPaidMerchants(db: Queryable, principalId: string): Promise<PaidMerchant[]> {
  return db.query(
    sql`WITH RECURSIVE paid (audience) AS (
       (SELECT merchant_audience FROM payments WHERE principal_id = ${principalId} ORDER BY merchant_audience LIMIT 1)
       UNION ALL
       SELECT (SELECT p.merchant_audience FROM payments p
                WHERE p.principal_id = ${principalId} AND p.merchant_audience > paid.audience ORDER BY p.merchant_audience LIMIT 1)
         FROM paid WHERE paid.audience IS NOT NULL)
     SELECT known.audience AS merchant_audience, m.business_name AS merchant_name
       FROM (SELECT audience FROM paid WHERE audience IS NOT NULL LIMIT ${PARTIES_MAX}::int) known
       LEFT JOIN merchant_profiles m ON m.merchant_audience = known.audience
      ORDER BY lower(coalesce(m.business_name, known.audience)), known.audience`,
  )
}
