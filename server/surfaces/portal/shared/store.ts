import type { Queryable } from '../../../base/core/platform'
import type { Row } from '../../../base/core/rows'
import { sql } from '../../../base/core/sql'

/** Returns the names of the person's agents, by client id; agents of one name are told apart. */
export async function findAgentNames(db: Queryable, principalId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; shown_name: string }>(
    sql`SELECT id, shown_name FROM agents WHERE principal_id = ${principalId}`,
  )
  return new Map(rows.map(({ id, shown_name: name }) => [id, name]))
}

/** Returns the agents with labels that tell those of one name apart. */
export async function withShownNames<T extends { readonly client_id: string; readonly label: string }>(
  db: Queryable,
  principalId: string,
  agents: readonly T[],
): Promise<T[]> {
  const names = await findAgentNames(db, principalId)
  return agents.map((agent) => ({ ...agent, label: names.get(agent.client_id) ?? agent.label }))
}

/** Returns the names of registered merchants, by their address. */
export async function findMerchantNames(
  db: Queryable,
  audiences: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<Row<'Merchant', 'merchant_audience' | 'business_name'>>(
    sql`SELECT merchant_audience, business_name FROM merchant_profiles WHERE merchant_audience = ANY (${audiences}::text[])`,
  )
  return new Map(rows.map((row) => [row.merchant_audience, row.business_name]))
}
