import type { Database, Queryable } from '../../base/core/platform'
import { releasedStates, stateIn } from '../../base/core/settlement-state'
import { type Sql, sql } from '../../base/core/sql'
import { type DailyCapSubject, type DailyUse, nearLimitMessageKeys } from './near-limit'
import { type Grant, type Judged, type LimitKind, type LimitScope, type Limits, UNLIMITED } from './rules'
import { type LimitMember, limitMembers, limitsFromWire, type WireLimits } from './wire-limits'

type StoredRow = WireLimits & { readonly updated_at: Date }

export type StoredLimits = Limits & { readonly updatedAt: Date }

const columnsOf = (table: string) => sql.raw(limitMembers.map((member) => `${table}.${member}`).join(', '))
const limitColumns = sql.raw(limitMembers.join(', '))
const replaceLimits = sql.raw([...limitMembers, 'updated_at'].map((name) => `${name} = excluded.${name}`).join(', '))

/** The values of `limitColumns`. */
const limitValues = ({ dailyCapMinor, currency, singleTxnCapMinor, velocityCount, velocityWindowSeconds }: Limits) =>
  sql`${dailyCapMinor}, ${currency}, ${singleTxnCapMinor}, ${velocityCount}, ${velocityWindowSeconds}`

function toStored(row: StoredRow): StoredLimits {
  return { ...limitsFromWire(row), updatedAt: row.updated_at }
}

export async function readLimitsRow(db: Queryable, principalId: string): Promise<StoredLimits | null> {
  const [row] = await db.query<StoredRow>(
    sql`SELECT ${limitColumns}, updated_at FROM wallet_limits WHERE principal_id = ${principalId}`,
  )
  return row === undefined ? null : toStored(row)
}

interface Replacement {
  readonly limits: Limits | null
  /** The change that freezes spending with them. */
  readonly frozenBy?: string
  readonly now: Date
}

/** Replaces the person's limits as a whole, or takes them away. */
export async function saveLimitsRow(
  tx: Queryable,
  principalId: string,
  { limits, frozenBy, now }: Replacement,
): Promise<void> {
  if (limits === null) {
    await tx.query(sql`DELETE FROM wallet_limits WHERE principal_id = ${principalId}`)
    return
  }
  await tx.query(
    sql`INSERT INTO wallet_limits (principal_id, ${limitColumns}, updated_at, frozen_by)
     VALUES (${principalId}, ${limitValues(limits)}, ${now}, ${frozenBy ?? null})
     ON CONFLICT (principal_id) DO UPDATE SET ${replaceLimits}, frozen_by = excluded.frozen_by`,
  )
}

/** One of the person's agents. */
export interface AgentChoice {
  readonly principalId: string
  readonly clientId: string
}

/** The agent's own limits, null when none were ever saved; `unknown` when the person has no such agent. */
export async function readAgentLimitsRow(db: Queryable, agent: AgentChoice): Promise<StoredLimits | null | 'unknown'> {
  const [row] = await db.query<WireLimits & { updated_at: Date | null }>(
    sql`SELECT ${limitColumns}, l.updated_at FROM clients c LEFT JOIN agent_limits l ON l.client_id = c.id
      WHERE c.id = ${agent.clientId} AND c.principal_id = ${agent.principalId} AND c.kind = 'agent'`,
  )
  if (row === undefined) return 'unknown'
  const { updated_at: updatedAt } = row
  return updatedAt === null ? null : { ...limitsFromWire(row), updatedAt }
}

/** Replaces the agent's own limits as a whole, or takes them away. The agent has to be the person's. */
export async function saveAgentLimitsRow(
  tx: Queryable,
  agent: AgentChoice,
  { limits, now }: Omit<Replacement, 'frozenBy'>,
): Promise<void> {
  if (limits === null) {
    await tx.query(
      sql`DELETE FROM agent_limits WHERE client_id = ${agent.clientId} AND principal_id = ${agent.principalId}`,
    )
    return
  }
  await tx.query(
    sql`INSERT INTO agent_limits (principal_id, client_id, ${limitColumns}, updated_at)
     VALUES (${agent.principalId}, ${agent.clientId}, ${limitValues(limits)}, ${now})
     ON CONFLICT (client_id) DO UPDATE SET ${replaceLimits}`,
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

/** The agent's own limits, beside those of the wallet. */
type AgentLimits = { readonly [Member in LimitMember as `agent_${Member}`]: WireLimits[Member] }

export interface JudgedRow extends WireLimits, AgentLimits {
  used_minor: number | null
  recent_count: number
  agent_used_minor: number | null
  agent_recent_count: number
  grants:
    | { id: string; scope: LimitScope; kind: LimitKind; currency: string; current: number; requested: number }[]
    | null
}

/** What stands for the subject in a larger statement: columns of its tables, or values. */
interface JudgedParts {
  readonly principal: Sql
  readonly day: Sql
  readonly currency: Sql
  readonly now: Sql
  readonly agent: Sql
  readonly audience: Sql
}

/** The columns of a `JudgedRow` and the join that they need, for a statement in which these parts stand for the subject. */
export const judgedSql = ({ principal, day, currency, now, agent, audience }: JudgedParts) => ({
  columns: sql`${columnsOf('l')}, ${agentColumns},
       (SELECT u.reserved_minor + u.spent_minor FROM spend_counters u
         WHERE u.principal_id = ${principal} AND u.day = ${day}::date AND u.currency = ${currency}) AS used_minor,
       (SELECT u.reserved_minor + u.spent_minor FROM agent_spend_counters u
         WHERE u.client_id = ${agent} AND u.day = ${day}::date AND u.currency = ${currency}) AS agent_used_minor,
       (SELECT count(*) FROM settlements s
         WHERE s.principal_id = ${principal} AND s.state NOT ${stateIn(releasedStates)}
           AND s.reserved_at > ${now}::timestamptz - make_interval(secs => l.velocity_window_seconds)) AS recent_count,
       (SELECT count(*) FROM settlements s
         WHERE s.client_id = ${agent} AND s.state NOT ${stateIn(releasedStates)}
           AND s.reserved_at > ${now}::timestamptz - make_interval(secs => al.velocity_window_seconds)) AS agent_recent_count,
       (SELECT jsonb_agg(jsonb_build_object('id', b.id, 'scope', b.scope, 'kind', b.kind, 'currency', b.currency,
                                            'current', b.current_minor, 'requested', b.requested_minor)
                         ORDER BY b.created_at, b.id)
          FROM limit_bumps b
         WHERE b.principal_id = ${principal} AND b.agent_client_id = ${agent} AND b.merchant_audience = ${audience}
           AND b.status = 'approved' AND b.used_by IS NULL AND b.expires_at > ${now}) AS grants`,
  join: sql`LEFT JOIN wallet_limits l ON l.principal_id = ${principal}
       LEFT JOIN agent_limits al ON al.client_id = ${agent} AND al.principal_id = ${principal}`,
})

const agentColumns = sql.raw(limitMembers.map((member) => `al.${member} AS agent_${member}`).join(', '))

const judged = judgedSql({
  principal: sql`asked.principal_id`,
  day: sql`asked.day`,
  currency: sql`asked.currency`,
  now: sql`asked.now`,
  agent: sql`asked.agent`,
  audience: sql`asked.audience`,
})

/**
 * The limits of wallet and agent, what is used of them, and what the person granted this agent at this merchant, in one
 * statement. Inside a transaction that holds the principal's lock the answer stays true until the commit.
 */
export async function readJudged(db: Queryable, subject: LimitsSubject): Promise<Judged> {
  const { principalId, agentClientId, merchantAudience, currency, now } = subject
  const [row] = await db.query<JudgedRow>(
    sql`SELECT ${judged.columns}
       FROM (SELECT ${principalId}::text AS principal_id, ${utcDay(now)}::text AS day, ${currency}::text AS currency,
                    ${now}::timestamptz AS now, ${agentClientId}::text AS agent, ${merchantAudience}::text AS audience) asked
       ${judged.join}`,
  )
  return row === undefined ? { wallet: UNLIMITED, agent: UNLIMITED, grants: [] } : toJudged(row)
}

export function toJudged(row: JudgedRow): Judged {
  return {
    wallet: {
      limits: limitsFromWire(row),
      usage: { usedTodayMinor: row.used_minor ?? 0, recentCount: row.recent_count },
    },
    agent: {
      limits: limitsFromWire({
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
    sql`SELECT l.daily_cap_minor AS cap_minor, u.spent_minor + u.reserved_minor AS used_minor,
            (SELECT jsonb_agg(m.event_key) FROM messages m WHERE m.event_key = ANY (${[...percentOf.keys()]}::text[])) AS told
       FROM wallet_limits l JOIN spend_counters u ON u.principal_id = l.principal_id AND u.currency = l.currency
      WHERE l.principal_id = ${subject.principalId} AND l.daily_cap_minor IS NOT NULL AND u.day = ${subject.day}::date AND u.currency = ${subject.currency}`,
  )
  if (row === undefined) return null
  const told = (row.told ?? []).flatMap((key) => percentOf.get(key) ?? [])
  return { capMinor: row.cap_minor, usedMinor: row.used_minor, told: told.toSorted((a, b) => a - b).at(-1) ?? null }
}

/** The UTC day of an instant as `YYYY-MM-DD`: the day that daily caps count in. */
export function utcDay(now: Date): string {
  return now.toISOString().slice(0, 10)
}

interface FirstLimits extends Pick<Limits, 'dailyCapMinor' | 'singleTxnCapMinor' | 'currency'> {
  readonly principalId: string
  readonly now: Date
}

/** Saves a person's first limits; existing limits stay as they are. */
export async function insertFirstLimits(db: Database, limits: FirstLimits): Promise<void> {
  const data = {
    principal_id: limits.principalId,
    daily_cap_minor: limits.dailyCapMinor,
    single_txn_cap_minor: limits.singleTxnCapMinor,
    currency: limits.currency,
    updated_at: limits.now,
  }
  await db.prisma.walletLimits.createMany({ data, skipDuplicates: true })
}
