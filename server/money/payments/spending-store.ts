import type { Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

export interface DaySpend {
  /** A calendar day in UTC, as `2026-11-21`. */
  readonly day: string
  readonly currency: string
  readonly count: number
  readonly amountMinor: number
}

export interface MerchantSpend {
  /** Null for all the merchants behind the first ones together. */
  readonly merchantAudience: string | null
  readonly merchantName: string | null
  readonly currency: string
  readonly count: number
  readonly amountMinor: number
}

interface MerchantSpendRow<Audience> {
  merchant_audience: Audience
  merchant_name: string | null
  currency: string
  count: number
  amount_minor: string
}

function toMerchantSpend<Audience>(row: MerchantSpendRow<Audience>) {
  return {
    merchantAudience: row.merchant_audience,
    merchantName: row.merchant_name,
    currency: row.currency,
    count: row.count,
    amountMinor: Number(row.amount_minor),
  }
}

/** What a lost dispute gave back was not spent. */
const isSpent = (principalId: string, from: Date) =>
  sql`p.principal_id = ${principalId} AND p.processed_at >= ${from} AND p.status <> 'disputed_lost'`

/** What a person has spent since `from`, per day and currency. Days without a payment are left out. */
export async function sumByDay(db: Queryable, principalId: string, from: Date): Promise<DaySpend[]> {
  const rows = await db.query<{ day: string; currency: string; count: number; amount_minor: string }>(
    sql`SELECT to_char(p.processed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, p.currency, count(*) AS count,
            sum(p.amount_minor)::text AS amount_minor
       FROM payments p WHERE ${isSpent(principalId, from)} GROUP BY 1, 2 ORDER BY 2, 1`,
  )
  return rows.map(({ day, currency, count, amount_minor }) => ({
    day,
    currency,
    count,
    amountMinor: Number(amount_minor),
  }))
}

/** The same per merchant and currency: the `max` merchants with the highest sums of each currency, then the rest in one line. */
export async function sumByMerchant(
  db: Queryable,
  principalId: string,
  { from, max }: { from: Date; max: number },
): Promise<MerchantSpend[]> {
  const rows = await db.query<MerchantSpendRow<string | null>>(
    sql`WITH sums AS (
       SELECT p.merchant_audience, p.currency, count(*) AS count, sum(p.amount_minor) AS amount
         FROM payments p WHERE ${isSpent(principalId, from)} GROUP BY 1, 2),
     placed AS (
       SELECT sums.*, row_number() OVER (PARTITION BY currency ORDER BY amount DESC, merchant_audience) <= ${max}::int AS shown
         FROM sums),
     folded AS (
       SELECT CASE WHEN shown THEN merchant_audience END AS merchant_audience, currency, sum(count)::bigint AS count,
              sum(amount) AS amount
         FROM placed GROUP BY 1, 2)
     SELECT f.merchant_audience, m.business_name AS merchant_name, f.currency, f.count, f.amount::text AS amount_minor
       FROM folded f LEFT JOIN merchant_profiles m ON m.merchant_audience = f.merchant_audience
      ORDER BY f.currency, f.merchant_audience IS NULL, f.amount DESC, f.merchant_audience`,
  )
  return rows.map(toMerchantSpend)
}

interface AgentMerchantSpend extends MerchantSpend {
  readonly merchantAudience: string
}

/** What one agent has spent since `from`, per merchant and currency: the highest sums first, at most `limit` of them. */
export async function sumByMerchantOfAgent(
  db: Queryable,
  agent: { readonly principalId: string; readonly clientId: string },
  { from, limit }: { readonly from: Date; readonly limit: number },
): Promise<AgentMerchantSpend[]> {
  const rows = await db.query<MerchantSpendRow<string>>(
    sql`SELECT s.merchant_audience, m.business_name AS merchant_name, s.currency, s.amount_minor::text AS amount_minor, s.count
       FROM (SELECT merchant_audience, currency, sum(amount_minor) AS amount_minor, count(*) AS count FROM payments p
              WHERE ${isSpent(agent.principalId, from)} AND client_id = ${agent.clientId}
              GROUP BY merchant_audience, currency) s
       LEFT JOIN merchant_profiles m ON m.merchant_audience = s.merchant_audience
      ORDER BY s.amount_minor DESC, s.merchant_audience, s.currency LIMIT ${limit}::int`,
  )
  return rows.map(toMerchantSpend)
}

export interface AgentSpend {
  readonly clientId: string
  readonly currency: string
  readonly amountMinor: number
}

/** What each agent of a person has spent since `from`, per currency. */
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
