import { DAY_MILLISECONDS, writeDay } from '../../base/core/calendar-day'
import type { Queryable } from '../../base/core/platform'
import { type Sql, sql } from '../../base/core/sql'
import { matchesSql, type PaymentFilter } from './filter-sql'

/**
 * Returns the number and sum of the matching payments, one row per currency: amounts are never added across currencies.
 * Where a filter names no agent, merchant or words, whole days (UTC) are read from their counters.
 */
export async function sumPayments(db: Queryable, principalId: string, filter: PaymentFilter) {
  const isCounted = [filter.clientId, filter.merchantAudience, filter.words].every((member) => member === undefined)
  const matching = isCounted ? countedSql(principalId, filter) : paidSql(matchesSql(principalId, filter))
  const rows = await db.query<{ currency: string; count: number; amount_minor: string }>(
    sql`SELECT currency, sum(count)::bigint AS count, sum(amount_minor)::text AS amount_minor
       FROM (${matching}) sums GROUP BY currency HAVING sum(count) > 0 ORDER BY currency`,
  )
  return rows.map((row) => ({ currency: row.currency, count: row.count, amountMinor: Number(row.amount_minor) }))
}

const paidSql = (condition: Sql): Sql =>
  sql`SELECT p.currency, count(*) AS count, sum(p.amount_minor) AS amount_minor FROM payments p
       WHERE ${condition} GROUP BY p.currency`

/**
 * SQL that selects the counters of the days that lie wholly in the period, and the payments of the partial days at both
 * ends.
 */
function countedSql(principalId: string, filter: PaymentFilter): Sql {
  const { status, from, to } = filter
  const first = from === undefined ? null : Math.ceil(from.getTime() / DAY_MILLISECONDS)
  const end = to === undefined ? null : Math.floor(to.getTime() / DAY_MILLISECONDS)
  if (first !== null && end !== null && first >= end) return paidSql(matchesSql(principalId, filter))
  return sql`SELECT currency, count, amount_minor FROM payment_counters
       WHERE principal_id = ${principalId}
         ${status === undefined ? NOTHING : sql`AND status = ${status}`}
         ${first === null ? NOTHING : sql`AND day >= ${writeDay(first)}::date`}
         ${end === null ? NOTHING : sql`AND day < ${writeDay(end)}::date`}
       ${first === null ? NOTHING : sql`UNION ALL ${paidSql(sql`${matchesSql(principalId, { ...filter, to: undefined })} AND p.processed_at < ${startOf(first)}`)}`}
       ${end === null ? NOTHING : sql`UNION ALL ${paidSql(matchesSql(principalId, { ...filter, from: startOf(end) }))}`}`
}

const NOTHING = sql``

const startOf = (day: number) => new Date(day * DAY_MILLISECONDS)
