import { invariant } from '../../base/core/invariant'
import type { Queryable } from '../../base/core/platform'
import { type Sql, sql } from '../../base/core/sql'
import { isForPurchaseSql } from './bump-store'
import { limitsIn } from './currencies'
import { type Grant, type LimitState, type Usage } from './rules'
import { type ClockRow, toTurningClock } from './store'
import { utcDay } from './utc-day'
import { listWindowUse, type WindowUse } from './window-use-store'
import { countingWindows, type Windows } from './windows'
import { limitsFromWire, type SharedLimitMember, sharedLimitMembers, type WireLimits } from './wire-limits'

/** The person and agent whose limits are read, in which currency and at what instant. */
export interface LimitsSubject {
  readonly principalId: string
  /** The agent; null when only the person's limits are read. */
  readonly agentClientId: string | null
  readonly currency: string
  readonly now: Date
}

const walletColumns = sql.raw(
  [...sharedLimitMembers, 'other_currencies', 'time_zone', 'carried_windows'].map((member) => `l.${member}`).join(', '),
)

/** The agent's own limits, as columns beside those of the wallet. */
type AgentLimits = { readonly [Member in SharedLimitMember as `agent_${Member}`]: WireLimits[Member] }

interface AllowancesRow extends WireLimits, AgentLimits, ClockRow {
  readonly time_zone: string | null
  used_minor: number | null
  recent_count: number
  agent_used_minor: number | null
  agent_recent_count: number
}

export interface LimitStateRow extends AllowancesRow {
  grants: readonly Grant[] | null
}

/** The subject's parts in a larger statement: columns of its tables, or values. */
interface SubjectParts {
  readonly principal: Sql
  readonly day: Sql
  readonly currency: Sql
  readonly now: Sql
  readonly agent: Sql
}

/** The parts of the subject and of the payment. */
interface LimitStateParts extends SubjectParts {
  readonly audience: Sql
  readonly amount: Sql
  /** The items as jsonb; NULL when they are not known. */
  readonly items: Sql
  /** The approval that the payment comes from; NULL where there is none. */
  readonly consent: Sql
}

const agentColumns = sql.raw(sharedLimitMembers.map((member) => `al.${member} AS agent_${member}`).join(', '))

const allowancesSql = ({ principal, day, currency, now, agent }: SubjectParts) => ({
  columns: sql`${walletColumns}, ${agentColumns},
       (SELECT u.reserved_minor + u.spent_minor FROM spend_counters u
         WHERE u.principal_id = ${principal} AND u.day = ${day}::date AND u.currency = ${currency}) AS used_minor,
       (SELECT u.reserved_minor + u.spent_minor FROM agent_spend_counters u
         WHERE u.client_id = ${agent} AND u.day = ${day}::date AND u.currency = ${currency}) AS agent_used_minor,
       (SELECT count(*) FROM counted_settlements s
         WHERE s.principal_id = ${principal}
           AND s.reserved_at > ${now}::timestamptz - make_interval(secs => l.velocity_window_seconds)) AS recent_count,
       (SELECT count(*) FROM counted_settlements s
         WHERE s.client_id = ${agent}
           AND s.reserved_at > ${now}::timestamptz - make_interval(secs => al.velocity_window_seconds)) AS agent_recent_count`,
  join: sql`LEFT JOIN wallet_limits l ON l.principal_id = ${principal}
       LEFT JOIN agent_limits al ON al.client_id = ${agent} AND al.principal_id = ${principal}`,
})

/**
 * Returns the columns of a `LimitStateRow` and the join that they need, for a statement that has these parts of a
 * payment. The grants are those for this payment: first that of its approval, then those of limit requests without a
 * consent.
 */
export function limitStateSql({ consent, ...parts }: LimitStateParts): { readonly columns: Sql; readonly join: Sql } {
  const { columns, join } = allowancesSql(parts)
  const grants = sql`(SELECT jsonb_agg(jsonb_build_object('bumpId', b.id, 'exceeds', b.exceeds)
                                    ORDER BY b.consent_id, b.created_at, b.id)
          FROM limit_bumps b
         WHERE b.principal_id = ${parts.principal} AND b.status = 'approved' AND b.used_by IS NULL
           AND b.expires_at > ${parts.now}
           AND (b.consent_id = ${consent} OR (b.consent_id IS NULL AND ${isForPurchaseSql(parts)}))) AS grants`
  return { columns: sql`${columns}, ${grants}`, join }
}

const allowances = allowancesSql({
  principal: sql`asked.principal_id`,
  day: sql`asked.day`,
  currency: sql`asked.currency`,
  now: sql`asked.now`,
  agent: sql`asked.agent`,
})

/** The allowances of wallet (in the subject's currency) and agent, and the week and month that their usage covers. */
type Allowances = Omit<LimitState, 'grants'> & { readonly windows: Windows }

/** Reads the limits of wallet and agent, and their use. */
export async function readAllowances(db: Queryable, subject: LimitsSubject): Promise<Allowances> {
  const { principalId, agentClientId, currency, now } = subject
  const [row] = await db.query<AllowancesRow>(
    sql`SELECT ${allowances.columns}
       FROM (SELECT ${principalId}::text AS principal_id, ${utcDay(now)}::text AS day, ${currency}::text AS currency,
                    ${now}::timestamptz AS now, ${agentClientId}::text AS agent) asked
       ${allowances.join}`,
  )
  invariant(row !== undefined, 'a statement about given values has one row')
  return completeAllowances(db, row, subject)
}

/**
 * Completes the row that a statement with `limitStateSql` has read with the use of weeks and months. That needs the
 * person's time zone, so it is a separate statement, sent only where there is such a limit. Exact when the caller holds
 * the person's lock.
 */
export async function readLimitState(
  db: Queryable,
  { grants, ...row }: LimitStateRow,
  subject: LimitsSubject,
): Promise<LimitState & { readonly windows: Windows }> {
  return { ...(await completeAllowances(db, row, subject)), grants: grants ?? [] }
}

async function completeAllowances(db: Queryable, row: AllowancesRow, subject: LimitsSubject): Promise<Allowances> {
  const limits = { wallet: limitsIn(limitsFromWire(row), subject.currency), agent: agentLimitsOf(row) }
  const windows = countingWindows(subject.now, toTurningClock(row))
  const use = await listWindowUse(db, { ...subject, windows, limits })
  return {
    wallet: { limits: limits.wallet, usage: usageOf(row.used_minor, row.recent_count, use.wallet) },
    agent: { limits: limits.agent, usage: usageOf(row.agent_used_minor, row.agent_recent_count, use.agent) },
    windows,
  }
}

const usageOf = (usedMinor: number | null, recentCount: number, { weekMinor, monthMinor }: WindowUse): Usage => ({
  usedTodayMinor: usedMinor ?? 0,
  usedThisWeekMinor: weekMinor,
  usedThisMonthMinor: monthMinor,
  recentCount,
})

const agentLimitsOf = (row: AllowancesRow) =>
  limitsFromWire({
    daily_cap_minor: row.agent_daily_cap_minor,
    weekly_cap_minor: row.agent_weekly_cap_minor,
    monthly_cap_minor: row.agent_monthly_cap_minor,
    currency: row.agent_currency,
    single_txn_cap_minor: row.agent_single_txn_cap_minor,
    velocity_count: row.agent_velocity_count,
    velocity_window_seconds: row.agent_velocity_window_seconds,
  })
