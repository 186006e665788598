import type { Queryable } from '../../base/core/platform'
import { type Sql, sql } from '../../base/core/sql'
import { type Grant, type Judged, type LimitKind, type LimitScope, UNLIMITED } from './rules'
import { utcDay } from './utc-day'
import { type LimitMember, limitMembers, limitsFromWire, type WireLimits } from './wire-limits'

/** Whose limits are asked about, where, and at what instant. */
export interface LimitsSubject {
  readonly principalId: string
  readonly agentClientId: string
  readonly merchantAudience: string
  readonly currency: string
  readonly now: Date
}

const columnsOf = (table: string) => sql.raw(limitMembers.map((member) => `${table}.${member}`).join(', '))

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

/** The subject's parts in a larger statement: columns of its tables, or values. */
interface JudgedParts {
  readonly principal: Sql
  readonly day: Sql
  readonly currency: Sql
  readonly now: Sql
  readonly agent: Sql
  readonly audience: Sql
}

/** The columns of a `JudgedRow` and the join that they need, for a statement that has these parts of the subject. */
export const judgedSql = ({ principal, day, currency, now, agent, audience }: JudgedParts) => ({
  columns: sql`${columnsOf('l')}, ${agentColumns},
       (SELECT u.reserved_minor + u.spent_minor FROM spend_counters u
         WHERE u.principal_id = ${principal} AND u.day = ${day}::date AND u.currency = ${currency}) AS used_minor,
       (SELECT u.reserved_minor + u.spent_minor FROM agent_spend_counters u
         WHERE u.client_id = ${agent} AND u.day = ${day}::date AND u.currency = ${currency}) AS agent_used_minor,
       (SELECT count(*) FROM counted_settlements s
         WHERE s.principal_id = ${principal}
           AND s.reserved_at > ${now}::timestamptz - make_interval(secs => l.velocity_window_seconds)) AS recent_count,
       (SELECT count(*) FROM counted_settlements s
         WHERE s.client_id = ${agent}
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
