import type { Database, Queryable } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import type { Limits } from './rules'
import { type LimitMember, limitMembers, limitsFromWire } from './wire-limits'

type LimitsRow = Row<'WalletLimits', LimitMember | 'updated_at'>

export type StoredLimits = Limits & { readonly updatedAt: Date }

const limitColumns = sql.raw(limitMembers.join(', '))
const replaceLimits = sql.raw([...limitMembers, 'updated_at'].map((name) => `${name} = excluded.${name}`).join(', '))

/** The values of `limitColumns`. */
const limitValues = ({ dailyCapMinor, currency, singleTxnCapMinor, velocityCount, velocityWindowSeconds }: Limits) =>
  sql`${dailyCapMinor}, ${currency}, ${singleTxnCapMinor}, ${velocityCount}, ${velocityWindowSeconds}`

/** The person's limits; null when none were ever saved. */
export async function findLimits(db: Queryable, principalId: string): Promise<StoredLimits | null> {
  const [row] = await db.query<LimitsRow>(
    sql`SELECT ${limitColumns}, updated_at FROM wallet_limits WHERE principal_id = ${principalId}`,
  )
  return row === undefined ? null : { ...limitsFromWire(row), updatedAt: row.updated_at }
}

interface Replacement {
  readonly limits: Limits | null
  readonly now: Date
}

/** Replaces the person's limits as a whole, or takes them away. */
export async function updateLimits(tx: Queryable, principalId: string, { limits, now }: Replacement): Promise<void> {
  if (limits === null) {
    await tx.query(sql`DELETE FROM wallet_limits WHERE principal_id = ${principalId}`)
    return
  }
  await tx.query(
    sql`INSERT INTO wallet_limits (principal_id, ${limitColumns}, updated_at)
     VALUES (${principalId}, ${limitValues(limits)}, ${now})
     ON CONFLICT (principal_id) DO UPDATE SET ${replaceLimits}`,
  )
}

/** One of the person's agents. */
export interface AgentChoice {
  readonly principalId: string
  readonly clientId: string
}

/** The agent's own limits, null when none were ever saved; `unknown` when the person has no such agent. */
export async function findAgentLimits(db: Queryable, agent: AgentChoice): Promise<StoredLimits | null | 'unknown'> {
  const [row] = await db.query<Omit<LimitsRow, 'updated_at'> & { updated_at: Date | null }>(
    sql`SELECT ${limitColumns}, l.updated_at FROM agents c LEFT JOIN agent_limits l ON l.client_id = c.id
      WHERE c.id = ${agent.clientId} AND c.principal_id = ${agent.principalId}`,
  )
  if (row === undefined) return 'unknown'
  const { updated_at: updatedAt } = row
  return updatedAt === null ? null : { ...limitsFromWire(row), updatedAt }
}

/** Replaces the agent's own limits as a whole, or takes them away. The agent has to be the person's. */
export async function updateAgentLimits(
  tx: Queryable,
  agent: AgentChoice,
  { limits, now }: Replacement,
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
