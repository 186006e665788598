import type { Queryable } from '../../../base/core/platform'
import { releasedStates, stateIn } from '../../../base/core/settlement-state'
import { sql } from '../../../base/core/sql'
import type { LimitsOwner } from '../../../wallet/limits'

/** What is used of limits: money of a day in one currency, and payments since an instant. */
export async function readLimitsUse(
  db: Queryable,
  { principalId, clientId }: LimitsOwner,
  { day, currency, since }: { readonly day: string; readonly currency: string | null; readonly since: Date | null },
): Promise<{ readonly used: number; readonly count: number }> {
  const owner = clientId === null ? { ...walletUse, id: principalId } : { ...agentUse, id: clientId }
  const [row] = await db.query<{ used: number; count: number }>(
    sql`SELECT coalesce((SELECT reserved_minor + spent_minor FROM ${owner.counters}
                          WHERE ${owner.column} = ${owner.id} AND day = ${day}::date AND currency = ${currency}), 0) AS used,
               (SELECT count(*) FROM settlements
                 WHERE ${owner.column} = ${owner.id} AND state NOT ${stateIn(releasedStates)} AND reserved_at > ${since}::timestamptz) AS count`,
  )
  return row ?? { used: 0, count: 0 }
}

const walletUse = { counters: sql`spend_counters`, column: sql`principal_id` }
const agentUse = { counters: sql`agent_spend_counters`, column: sql`client_id` }

/** What the person's agents are called, by their client id. */
export async function findAgentNames(db: Queryable, principalId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; name: string }>(
    sql`SELECT id, name FROM clients WHERE principal_id = ${principalId}`,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** What registered merchants are called, by their address. */
export async function findMerchantNames(
  db: Queryable,
  audiences: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ merchant_audience: string; business_name: string }>(
    sql`SELECT merchant_audience, business_name FROM merchants WHERE merchant_audience = ANY (${audiences}::text[])`,
  )
  return new Map(rows.map((row) => [row.merchant_audience, row.business_name]))
}
