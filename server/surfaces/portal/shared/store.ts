import type { Queryable } from '../../../base/core/platform'
import type { Row } from '../../../base/core/rows'
import { sql } from '../../../base/core/sql'

/** What the person's agents are called, by their client id. */
export async function findAgentNames(db: Queryable, principalId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<Row<'Client', 'id' | 'name'>>(
    sql`SELECT id, name FROM agents WHERE principal_id = ${principalId}`,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** What registered merchants are called, by their address. */
export async function findMerchantNames(
  db: Queryable,
  audiences: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<Row<'Merchant', 'merchant_audience' | 'business_name'>>(
    sql`SELECT merchant_audience, business_name FROM merchant_profiles WHERE merchant_audience = ANY (${audiences}::text[])`,
  )
  return new Map(rows.map((row) => [row.merchant_audience, row.business_name]))
}
