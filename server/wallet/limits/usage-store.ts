import type { Database, Queryable } from '../../base/core/platform'
import { type Row, rowOf } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import type { LimitsOwner } from './change-store'
import { type Limits, NO_LIMITS } from './rules'
import { findTurningClock } from './store'
import { utcDay } from './utc-day'
import { listWindowUse, type WindowUse } from './window-use-store'
import { countingWindows, type Windows } from './windows'

interface UsageQuery {
  readonly day: string
  readonly currency: string | null
  /** The start of the velocity window; null when payments are not counted. */
  readonly since: Date | null
}

/** Returns the use of limits: the amount of a day in one currency, and the number of payments since an instant. */
export async function readLimitsUse(
  db: Queryable,
  { principalId, clientId }: LimitsOwner,
  { day, currency, since }: UsageQuery,
): Promise<{ readonly used: number; readonly count: number }> {
  const owner = clientId === null ? { ...personUse, id: principalId } : { ...agentUse, id: clientId }
  const [row] = await db.query<{ used: number; count: number }>(
    sql`SELECT coalesce((SELECT reserved_minor + spent_minor ${owner.counters}
                          WHERE ${owner.column} = ${owner.id} AND day = ${day}::date AND currency = ${currency}), 0) AS used,
               (SELECT count(*) FROM counted_settlements
                 WHERE ${owner.column} = ${owner.id} AND reserved_at > ${since}::timestamptz) AS count`,
  )
  return row ?? { used: 0, count: 0 }
}

const personUse = { counters: sql`FROM spend_counters`, column: sql`principal_id` }
const agentUse = { counters: sql`FROM agent_spend_counters`, column: sql`client_id` }

/** Returns the use of limits per week and month, 0 where there is none, with the week and month that it covers. */
export async function readWindowUse(
  db: Queryable,
  { principalId, clientId }: LimitsOwner,
  { limits, now }: { readonly limits: Limits; readonly now: Date },
): Promise<WindowUse & { readonly windows: Windows }> {
  const scope = clientId === null ? 'wallet' : 'agent'
  const windows = countingWindows(now, await findTurningClock(db, principalId))
  const both = { wallet: NO_LIMITS, agent: NO_LIMITS, [scope]: limits }
  const { currency } = limits
  const use = await listWindowUse(db, { principalId, agentClientId: clientId, currency, windows, limits: both })
  return { ...use[scope], windows }
}

export type DaySpendRow = Row<'SpendCounter', 'currency' | 'spent_minor' | 'reserved_minor'>

/** Returns what a person's agents have spent and hold on one day, per currency. */
export async function listSpendOfDay(db: Database, principalId: string, day: string): Promise<DaySpendRow[]> {
  const rows = await db.prisma.spendCounter.findMany({
    where: { principal_id: principalId, day: new Date(day) },
    select: { currency: true, spent_minor: true, reserved_minor: true },
    orderBy: { currency: 'asc' },
  })
  return rows.map((row) => rowOf<DaySpendRow>(row))
}

/**
 * SQL expression: a text that changes whenever the person's limits, their use today or the limit requests change, or a
 * request expires; part of the portal's revision.
 */
export const limitsRevisionSql = (principalId: string, now: Date): Sql =>
  sql`concat_ws('|',
     (SELECT concat_ws(',', count(*), max(created_at), max(decided_at), count(*) FILTER (WHERE status = 'pending' AND expires_at > ${now}))
        FROM limit_bumps WHERE principal_id = ${principalId}),
     (SELECT updated_at FROM wallet_limits WHERE principal_id = ${principalId}),
     (SELECT concat_ws(',', count(*), max(updated_at)) FROM agent_limits WHERE principal_id = ${principalId}),
     (SELECT string_agg(currency || reserved_minor || '/' || spent_minor, ',' ORDER BY currency)
        FROM spend_counters WHERE principal_id = ${principalId} AND day = ${utcDay(now)}::date))`
