import type { Queryable } from '../core/platform'
import { type DailyCapSubject, type DailyUse, nearLimitMessageKeys } from './near-limit'
import { type Grant, type Judged, type LimitKind, type LimitScope, type Limits, UNLIMITED } from './rules'

interface LimitsRow {
  daily_cap_minor: number | null
  currency: string | null
  single_txn_cap_minor: number | null
  velocity_count: number | null
  velocity_window_seconds: number | null
}

interface StoredRow extends LimitsRow {
  updated_at: Date
}

export type StoredLimits = Limits & { readonly updatedAt: Date }

const limitColumns = 'daily_cap_minor, currency, single_txn_cap_minor, velocity_count, velocity_window_seconds'

const replaceLimits = `${limitColumns}, updated_at`.replaceAll(/\w+/g, '$& = excluded.$&')

const limitValues = ({ dailyCapMinor, currency, singleTxnCapMinor, velocityCount, velocityWindowSeconds }: Limits) => [
  dailyCapMinor,
  currency,
  singleTxnCapMinor,
  velocityCount,
  velocityWindowSeconds,
]

function toStored(row: StoredRow): StoredLimits {
  return { ...toLimits(row), updatedAt: row.updated_at }
}

function toLimits(row: LimitsRow): Limits {
  return {
    dailyCapMinor: row.daily_cap_minor,
    singleTxnCapMinor: row.single_txn_cap_minor,
    currency: row.currency,
    velocityCount: row.velocity_count,
    velocityWindowSeconds: row.velocity_window_seconds,
  }
}

export async function readLimitsRow(db: Queryable, principalId: string): Promise<StoredLimits | null> {
  const [row] = await db.query<StoredRow>(
    `SELECT ${limitColumns}, updated_at FROM wallet_limits WHERE principal_id = $1`,
    [principalId],
  )
  return row === undefined ? null : toStored(row)
}

interface SavedLimits {
  readonly limits: Limits | null
  /** The change that freezes spending with them. */
  readonly frozenBy?: string
  readonly now: Date
}

/** Replaces the person's limits as a whole, or takes them away. */
export async function saveLimitsRow(
  tx: Queryable,
  principalId: string,
  { limits, frozenBy, now }: SavedLimits,
): Promise<void> {
  if (limits === null) {
    await tx.query('DELETE FROM wallet_limits WHERE principal_id = $1', [principalId])
    return
  }
  await tx.query(
    `INSERT INTO wallet_limits (principal_id, ${limitColumns}, updated_at, frozen_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (principal_id) DO UPDATE SET ${replaceLimits}, frozen_by = excluded.frozen_by`,
    [principalId, ...limitValues(limits), now, frozenBy ?? null],
  )
}

/** One of the person's agents. */
export interface AgentChoice {
  readonly principalId: string
  readonly clientId: string
}

/** The agent's own limits, null when none were ever saved; `unknown` when the person has no such agent. */
export async function readAgentLimitsRow(db: Queryable, agent: AgentChoice): Promise<StoredLimits | null | 'unknown'> {
  const [row] = await db.query<LimitsRow & { updated_at: Date | null }>(
    `SELECT ${limitColumns}, l.updated_at FROM clients c LEFT JOIN agent_limits l ON l.client_id = c.id
      WHERE c.id = $2 AND c.principal_id = $1 AND c.kind = 'agent'`,
    [agent.principalId, agent.clientId],
  )
  if (row === undefined) return 'unknown'
  const { updated_at: updatedAt } = row
  return updatedAt === null ? null : { ...toLimits(row), updatedAt }
}

/** Replaces the agent's own limits as a whole, or takes them away. The agent has to be the person's. */
export async function saveAgentLimitsRow(
  tx: Queryable,
  agent: AgentChoice,
  { limits, now }: Omit<SavedLimits, 'frozenBy'>,
): Promise<void> {
  if (limits === null) {
    await tx.query('DELETE FROM agent_limits WHERE client_id = $2 AND principal_id = $1', [
      agent.principalId,
      agent.clientId,
    ])
    return
  }
  await tx.query(
    `INSERT INTO agent_limits (principal_id, client_id, ${limitColumns}, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (client_id) DO UPDATE SET ${replaceLimits}`,
    [agent.principalId, agent.clientId, ...limitValues(limits), now],
  )
}

/** Whose limits are asked about, where, and at what instant. */
export interface LimitsSubject {
  readonly principalId: string
  readonly agentClientId: string
  readonly merchantAudience: string
  readonly currency: string
  readonly now: Date
}

export interface JudgedRow extends LimitsRow {
  used_minor: number | null
  recent_count: number
  /** The same of the agent's own limits. */
  agent_daily_cap_minor: number | null
  agent_currency: string | null
  agent_single_txn_cap_minor: number | null
  agent_velocity_count: number | null
  agent_velocity_window_seconds: number | null
  agent_used_minor: number | null
  agent_recent_count: number
  grants:
    | { id: string; scope: LimitScope; kind: LimitKind; currency: string; current: number; requested: number }[]
    | null
}

interface JudgedNames {
  readonly principal: string
  readonly day: string
  readonly currency: string
  readonly now: string
  readonly agent: string
  readonly audience: string
}

/** The columns of a `JudgedRow` and the join that they need, for a statement in which these names stand for the values. */
export const judgedSql = ({ principal, day, currency, now, agent, audience }: JudgedNames) => ({
  columns: `${limitColumns.replaceAll(/\w+/g, 'l.$&')}, ${limitColumns.replaceAll(/\w+/g, 'al.$& AS agent_$&')},
       (SELECT u.reserved_minor + u.spent_minor FROM spend_counters u
         WHERE u.principal_id = ${principal} AND u.day = ${day}::date AND u.currency = ${currency}) AS used_minor,
       (SELECT u.reserved_minor + u.spent_minor FROM agent_spend_counters u
         WHERE u.client_id = ${agent} AND u.day = ${day}::date AND u.currency = ${currency}) AS agent_used_minor,
       (SELECT count(*) FROM settlements s
         WHERE s.principal_id = ${principal} AND s.state <> 'failed'
           AND s.reserved_at > ${now}::timestamptz - make_interval(secs => l.velocity_window_seconds)) AS recent_count,
       (SELECT count(*) FROM settlements s
         WHERE s.client_id = ${agent} AND s.state <> 'failed'
           AND s.reserved_at > ${now}::timestamptz - make_interval(secs => al.velocity_window_seconds)) AS agent_recent_count,
       (SELECT jsonb_agg(jsonb_build_object('id', b.id, 'scope', b.scope, 'kind', b.kind, 'currency', b.currency,
                                            'current', b.current_minor, 'requested', b.requested_minor)
                         ORDER BY b.created_at, b.id)
          FROM limit_bumps b
         WHERE b.principal_id = ${principal} AND b.agent_client_id = ${agent} AND b.merchant_audience = ${audience}
           AND b.status = 'approved' AND b.used_by IS NULL AND b.expires_at > ${now}) AS grants`,
  join: `LEFT JOIN wallet_limits l ON l.principal_id = ${principal}
       LEFT JOIN agent_limits al ON al.client_id = ${agent} AND al.principal_id = ${principal}`,
})

/**
 * The limits of wallet and agent, what is used of them, and what the person granted this agent at this merchant, in one
 * statement. Inside a transaction that holds the principal's lock the answer stays true until the commit.
 */
export async function readJudged(db: Queryable, subject: LimitsSubject): Promise<Judged> {
  const { principalId, agentClientId, merchantAudience, currency, now } = subject
  const [row] = await db.query<JudgedRow>(
    `SELECT ${judged.columns} FROM (SELECT $1::text AS id) asked ${judged.join}`,
    [principalId, utcDay(now), currency, now, agentClientId, merchantAudience],
  )
  return row === undefined ? { wallet: UNLIMITED, agent: UNLIMITED, grants: [] } : toJudged(row)
}

const judged = judgedSql({
  principal: 'asked.id',
  day: '$2',
  currency: '$3',
  now: '$4',
  agent: '$5',
  audience: '$6',
})

export function toJudged(row: JudgedRow): Judged {
  return {
    wallet: {
      limits: toLimits(row),
      usage: { usedTodayMinor: row.used_minor ?? 0, recentCount: row.recent_count },
    },
    agent: {
      limits: toLimits({
        daily_cap_minor: row.agent_daily_cap_minor,
        currency: row.agent_currency,
        single_txn_cap_minor: row.agent_single_txn_cap_minor,
        velocity_count: row.agent_velocity_count,
        velocity_window_seconds: row.agent_velocity_window_seconds,
      }),
      usage: { usedTodayMinor: row.agent_used_minor ?? 0, recentCount: row.agent_recent_count },
    },
    grants: (row.grants ?? []).map(({ id, ...grant }): Grant => ({ bumpId: id, ...grant })),
  }
}

/**
 * What is used of the person's daily cap, or null when they have none in this currency. After a statement that moved the
 * day's counter the answer stays true until the commit, since that row is locked.
 */
export async function readDailyUse(tx: Queryable, subject: DailyCapSubject): Promise<DailyUse | null> {
  const percentOf = nearLimitMessageKeys(subject)
  const [row] = await tx.query<{ cap_minor: number; used_minor: number; told: string[] | null }>(
    `SELECT l.daily_cap_minor AS cap_minor, u.spent_minor + u.reserved_minor AS used_minor,
            (SELECT jsonb_agg(m.event_key) FROM messages m WHERE m.event_key = ANY ($4::text[])) AS told
       FROM wallet_limits l JOIN spend_counters u ON u.principal_id = l.principal_id AND u.currency = l.currency
      WHERE l.principal_id = $1 AND l.daily_cap_minor IS NOT NULL AND u.day = $2::date AND u.currency = $3`,
    [subject.principalId, subject.day, subject.currency, [...percentOf.keys()]],
  )
  if (row === undefined) return null
  const told = (row.told ?? []).flatMap((key) => percentOf.get(key) ?? [])
  return { capMinor: row.cap_minor, usedMinor: row.used_minor, told: told.toSorted((a, b) => a - b).at(-1) ?? null }
}

/** The UTC day of an instant as `YYYY-MM-DD`: the day that daily caps count in. */
export function utcDay(now: Date): string {
  return now.toISOString().slice(0, 10)
}
