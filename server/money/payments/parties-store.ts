import type { Queryable } from '../../base/core/platform'
import { type Sql, sql } from '../../base/core/sql'

/** The largest number of agents or merchants offered as choices; the filter accepts any other one too. */
const PARTIES_MAX = 500

export interface PaidMerchant {
  readonly merchant_audience: string
  readonly merchant_name: string | null
}

export interface PayingAgent {
  readonly client_id: string
  readonly label: string
}

/** SQL of `known (id)`: each distinct value of a column in the person's payments, at one index look-up per value. */
const knownSql = (principalId: string, column: Sql): Sql =>
  sql`WITH RECURSIVE paid (id) AS (
       (SELECT ${column} FROM payments WHERE principal_id = ${principalId} ORDER BY ${column} LIMIT 1)
       UNION ALL
       SELECT (SELECT ${column} FROM payments
                WHERE principal_id = ${principalId} AND ${column} > paid.id ORDER BY ${column} LIMIT 1)
         FROM paid WHERE paid.id IS NOT NULL),
     known AS (SELECT id FROM paid WHERE id IS NOT NULL LIMIT ${PARTIES_MAX}::int)`

/** Returns the agents that have paid for a person, revoked ones included, sorted by name. */
export function listPayingAgents(db: Queryable, principalId: string): Promise<PayingAgent[]> {
  return db.query(
    sql`${knownSql(principalId, sql`client_id`)}
     SELECT c.id AS client_id, c.shown_name AS label FROM known JOIN agents c ON c.id = known.id
      ORDER BY lower(c.shown_name), c.id`,
  )
}

/** Returns the merchants that a person has paid, sorted by name or address. */
export function listPaidMerchants(db: Queryable, principalId: string): Promise<PaidMerchant[]> {
  return db.query(
    sql`${knownSql(principalId, sql`merchant_audience`)}
     SELECT known.id AS merchant_audience, m.business_name AS merchant_name
       FROM known LEFT JOIN merchant_profiles m ON m.merchant_audience = known.id
      ORDER BY lower(coalesce(m.business_name, known.id)), known.id`,
  )
}
