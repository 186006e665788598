import type { Queryable } from '../../base/core/platform'
import { type Sql, sql } from '../../base/core/sql'
import { stopSql } from '../../wallet/limits'

/** Returns whether mandate, token family, agent and person are still active. */
export async function isAuthorityActive(db: Queryable, mandateId: string): Promise<boolean> {
  const rows = await db.query(
    sql`SELECT 1 FROM active_mandates d JOIN active_token_families f ON f.id = d.family_id
       JOIN active_clients c ON c.id = d.client_id JOIN active_principals p ON p.id = d.principal_id
      WHERE d.id = ${mandateId}`,
  )
  return rows.length === 1
}

/**
 * SQL condition: the mandate's authority is active, and its person has neither restricted processing, frozen spending
 * nor paused the agent.
 */
export const mayPaySql = (mandateId: Sql): Sql =>
  sql`EXISTS (SELECT 1 FROM active_mandates d JOIN active_token_families f ON f.id = d.family_id
       JOIN active_clients c ON c.id = d.client_id JOIN principal_profiles p ON p.id = d.principal_id
      WHERE d.id = ${mandateId} AND NOT p.erased AND NOT p.processing_restricted
        AND ${stopSql({ principal: sql`p`, agent: sql`c` })} IS NULL)`

/** Returns whether the agent may still pay with the mandate, as {@link mayPaySql} says. */
export async function mayAgentPay(db: Queryable, mandateId: string): Promise<boolean> {
  const [row] = await db.query<{ may: boolean }>(sql`SELECT ${mayPaySql(sql`${mandateId}`)} AS may`)
  return row?.may === true
}
