import { DAY_MILLISECONDS } from '../../base/core/calendar-day'
import type { Queryable } from '../../base/core/platform'
import { type Sql, sql } from '../../base/core/sql'
import type { LimitScope, Limits } from './rules'
import { utcDay } from './utc-day'
import type { Windows } from './windows'

/** The sums spent and held in the week and the month, in minor units; 0 where there is no such limit. */
export interface WindowUse {
  readonly weekMinor: number
  readonly monthMinor: number
}

interface WindowQuery {
  readonly principalId: string
  readonly agentClientId: string | null
  readonly currency: string | null
  readonly windows: Windows
  readonly limits: Readonly<Record<LimitScope, Limits>>
}

const counters = {
  wallet: { table: sql`spend_counters`, owner: sql`principal_id` },
  agent: { table: sql`agent_spend_counters`, owner: sql`client_id` },
} as const

interface UsedSince {
  readonly scope: LimitScope
  /** The person or agent, and the currency: values, or columns of a larger statement. */
  readonly owner: Sql
  readonly currency: Sql
  readonly from: Date
}

/**
 * SQL expression: the sum spent and held since an instant. Whole UTC days are read from their counters; for the day of
 * the instant, the settlements since then are added up.
 */
export function usedSinceSql({ scope, owner, currency, from }: UsedSince): Sql {
  const counter = counters[scope]
  const nextDay = new Date(Math.ceil(from.getTime() / DAY_MILLISECONDS) * DAY_MILLISECONDS)
  return sql`((SELECT coalesce(sum(w.reserved_minor + w.spent_minor), 0) FROM ${counter.table} w
          WHERE w.${counter.owner} = ${owner} AND w.currency = ${currency} AND w.day >= ${utcDay(nextDay)}::date)
       + (SELECT coalesce(sum(s.amount_minor), 0) FROM counted_settlements s
           WHERE s.${counter.owner} = ${owner} AND s.currency = ${currency}
             AND s.reserved_at >= ${from}::timestamptz AND s.reserved_at < ${nextDay}::timestamptz))::bigint`
}

const NONE: WindowUse = { weekMinor: 0, monthMinor: 0 }

/**
 * Returns the use of the limits per week and month of wallet and agent, in one statement, or none where there is no
 * such limit.
 */
export async function listWindowUse(
  db: Queryable,
  query: WindowQuery,
): Promise<Readonly<Record<LimitScope, WindowUse>>> {
  const { wallet, agent } = query.limits
  if (!isWindowed(wallet) && !isWindowed(agent)) return { wallet: NONE, agent: NONE }
  const [row] = await db.query<Record<'week' | 'month' | 'agent_week' | 'agent_month', number>>(
    sql`SELECT ${useSql('wallet', query)}, ${useSql('agent', query)}`,
  )
  return {
    wallet: { weekMinor: row?.week ?? 0, monthMinor: row?.month ?? 0 },
    agent: { weekMinor: row?.agent_week ?? 0, monthMinor: row?.agent_month ?? 0 },
  }
}

const isWindowed = ({ weeklyCapMinor, monthlyCapMinor }: Limits) => weeklyCapMinor !== null || monthlyCapMinor !== null

/** SQL columns: the use of week and month; 0 where there is no such limit. */
function useSql(scope: LimitScope, { principalId, agentClientId, currency, windows, limits }: WindowQuery): Sql {
  const { weeklyCapMinor, monthlyCapMinor } = limits[scope]
  const id = scope === 'wallet' ? principalId : agentClientId
  const used = ({ from }: { readonly from: Date }) =>
    usedSinceSql({ scope, owner: sql`${id}::text`, currency: sql`${currency}::text`, from })
  const week = weeklyCapMinor === null ? sql`0` : used(windows.week)
  const month = monthlyCapMinor === null ? sql`0` : used(windows.month)
  return scope === 'wallet'
    ? sql`${week} AS week, ${month} AS month`
    : sql`${week} AS agent_week, ${month} AS agent_month`
}
