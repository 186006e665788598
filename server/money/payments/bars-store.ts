import type { Queryable } from '../../base/core/platform'
import { type Sql, sql } from '../../base/core/sql'

/** A period from `from` (included) to `until` (excluded). */
export interface Stretch {
  readonly from: Date
  readonly until: Date
}

/**
 * The sum of payments in one currency. Amounts are in minor units, as bigint because a sum may exceed what a number
 * holds exactly.
 */
interface SpendingTotal {
  readonly currency: string
  readonly count: number
  readonly amountMinor: bigint
  /** The sum spent in the earlier period. */
  readonly beforeMinor: bigint
}

interface Bar<Key> {
  /** The index of the period, or the merchant or agent, of the sum; null for all parties below the highest ones. */
  readonly key: Key
  readonly name: string | null
  readonly currency: string
  readonly count: number
  readonly amountMinor: bigint
}

/**
 * SQL condition: the payment `p` is one of the person's in the period. A payment whose dispute was lost is left out.
 */
const isSpentSql = (principalId: string, { from, until }: Stretch): Sql =>
  sql`p.principal_id = ${principalId} AND p.processed_at >= ${from} AND p.processed_at < ${until} AND p.status <> 'disputed_lost'`

/** Returns what a person has spent per currency in a period and in an earlier period. */
export async function sumPeriods(
  db: Queryable,
  principalId: string,
  { period, before }: { readonly period: Stretch; readonly before: Stretch },
): Promise<SpendingTotal[]> {
  const rows = await db.query<{ currency: string; count: number; amount_minor: string; before_minor: string }>(
    sql`SELECT currency, sum(count)::bigint AS count, sum(amount)::text AS amount_minor, sum(before)::text AS before_minor
       FROM (SELECT p.currency, count(*) AS count, sum(p.amount_minor) AS amount, 0 AS before
               FROM payments p WHERE ${isSpentSql(principalId, period)} GROUP BY p.currency
             UNION ALL
             SELECT p.currency, 0, 0, sum(p.amount_minor)
               FROM payments p WHERE ${isSpentSql(principalId, before)} GROUP BY p.currency) sums
      GROUP BY currency ORDER BY currency`,
  )
  return rows.map((row) => ({
    currency: row.currency,
    count: row.count,
    amountMinor: BigInt(row.amount_minor),
    beforeMinor: BigInt(row.before_minor),
  }))
}

interface BarRow<Key> {
  key: Key
  name: string | null
  currency: string
  count: number
  amount_minor: string
}

const toBar = <Key>({ amount_minor: amount, ...row }: BarRow<Key>): Bar<Key> => ({
  ...row,
  amountMinor: BigInt(amount),
})

/**
 * Returns what a person has spent per currency and period; the key is the index of the period's start in `starts`.
 * Periods without a payment are left out.
 */
export async function sumByTime(
  db: Queryable,
  principalId: string,
  { starts, until }: { readonly starts: readonly Date[]; readonly until: Date },
): Promise<Bar<number>[]> {
  const period = { from: starts[0] ?? until, until }
  const rows = await db.query<BarRow<number>>(
    sql`SELECT width_bucket(p.processed_at, ${starts}::timestamptz[]) - 1 AS key, NULL AS name, p.currency, count(*) AS count,
            sum(p.amount_minor)::text AS amount_minor
       FROM payments p WHERE ${isSpentSql(principalId, period)} GROUP BY 1, p.currency ORDER BY p.currency, 1`,
  )
  return rows.map(toBar)
}

const partiesSql = {
  merchant: {
    key: sql`p.merchant_audience`,
    named: sql`SELECT merchant_audience AS key, business_name AS name FROM merchant_profiles`,
  },
  agent: { key: sql`p.client_id`, named: sql`SELECT id AS key, shown_name AS name FROM agents` },
} as const

/**
 * Returns what a person has spent per currency and merchant or agent: the `max` highest sums, then the sum of all
 * others.
 */
export async function sumByParty(
  db: Queryable,
  principalId: string,
  { party, period, max }: { readonly party: keyof typeof partiesSql; readonly period: Stretch; readonly max: number },
): Promise<Bar<string | null>[]> {
  const { key, named } = partiesSql[party]
  const rows = await db.query<BarRow<string | null>>(
    sql`WITH sums AS (
       SELECT ${key} AS key, p.currency, count(*) AS count, sum(p.amount_minor) AS amount
         FROM payments p WHERE ${isSpentSql(principalId, period)} GROUP BY 1, 2),
     placed AS (
       SELECT sums.*, row_number() OVER (PARTITION BY currency ORDER BY amount DESC, key) <= ${max}::int AS shown FROM sums),
     folded AS (
       SELECT CASE WHEN shown THEN key END AS key, currency, sum(count)::bigint AS count, sum(amount) AS amount
         FROM placed GROUP BY 1, 2)
     SELECT f.key, n.name, f.currency, f.count, f.amount::text AS amount_minor
       FROM folded f LEFT JOIN (${named}) n ON n.key = f.key
      ORDER BY f.currency, f.key IS NULL, f.amount DESC, f.key`,
  )
  return rows.map(toBar)
}
