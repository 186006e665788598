import type { Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

/** SQL condition: the payment `p` is one of the person's since `from`. A payment whose dispute was lost is left out. */
const isSpent = (principalId: string, from: Date) =>
  sql`p.principal_id = ${principalId} AND p.processed_at >= ${from} AND p.status <> 'disputed_lost'`

interface MerchantSpendRow {
  merchant_audience: string
  merchant_name: string | null
  currency: string
  count: number
  amount_minor: string
}

interface MerchantSpend {
  readonly merchantAudience: string
  readonly merchantName: string | null
  readonly currency: string
  readonly count: number
  readonly amountMinor: number
}

/** Returns what an agent has spent since `from`, per merchant and currency: the highest sums first, at most `limit`. */
export async function sumByMerchantOfAgent(
  db: Queryable,
  agent: { readonly principalId: string; readonly clientId: string },
  { from, limit }: { readonly from: Date; readonly limit: number },
): Promise<MerchantSpend[]> {
  const rows = await db.query<MerchantSpendRow>(
    sql`SELECT s.merchant_audience, m.business_name AS merchant_name, s.currency, s.amount_minor::text AS amount_minor, s.count
       FROM (SELECT merchant_audience, currency, sum(amount_minor) AS amount_minor, count(*) AS count FROM payments p
              WHERE ${isSpent(agent.principalId, from)} AND client_id = ${agent.clientId}
              GROUP BY merchant_audience, currency) s
       LEFT JOIN merchant_profiles m ON m.merchant_audience = s.merchant_audience
      ORDER BY s.amount_minor DESC, s.merchant_audience, s.currency LIMIT ${limit}::int`,
  )
  return rows.map((row) => ({
    merchantAudience: row.merchant_audience,
    merchantName: row.merchant_name,
    currency: row.currency,
    count: row.count,
    amountMinor: Number(row.amount_minor),
  }))
}

export interface AgentSpend {
  readonly clientId: string
  readonly currency: string
  readonly amountMinor: number
}

/** Returns what each agent of a person has spent since `from`, per currency. */
export async function sumByAgent(db: Queryable, principalId: string, from: Date): Promise<AgentSpend[]> {
  const rows = await db.query<{ client_id: string; currency: string; amount_minor: string }>(
    sql`SELECT p.client_id, p.currency, sum(p.amount_minor)::text AS amount_minor
       FROM payments p WHERE ${isSpent(principalId, from)} GROUP BY 1, 2 ORDER BY 1, 2`,
  )
  return rows.map((row) => ({
    clientId: row.client_id,
    currency: row.currency,
    amountMinor: Number(row.amount_minor),
  }))
}
