import type { Database, Queryable } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import { hasWindows } from './raise'
import { DEFAULT_TIME_ZONE, type Limits } from './rules'
import { countingWindows, type TurningClock, type Windows } from './windows'
import {
  limitsFromWire,
  othersToWire,
  type SharedLimitMember,
  sharedLimitMembers,
  type WireCurrencies,
} from './wire-limits'

type LimitsRow = Row<'WalletLimits', SharedLimitMember | 'updated_at'>

type PersonLimitsRow = LimitsRow &
  Row<'WalletLimits', 'time_zone' | 'other_currencies', { other_currencies: WireCurrencies | null }>

export type StoredLimits = Limits & { readonly updatedAt: Date }

const limitColumns = sql.raw(sharedLimitMembers.join(', '))
const replaced = (columns: readonly string[]) =>
  sql.raw([...columns, 'updated_at'].map((name) => `${name} = excluded.${name}`).join(', '))
const replaceLimits = replaced(sharedLimitMembers)
const replacePersonLimits = replaced([...sharedLimitMembers, 'other_currencies', 'time_zone', 'carried_windows'])

/** The values of `limitColumns`. */
const limitValues = (limits: Limits) =>
  sql`${limits.dailyCapMinor}, ${limits.weeklyCapMinor}, ${limits.monthlyCapMinor}, ${limits.currency},
      ${limits.singleTxnCapMinor}, ${limits.velocityCount}, ${limits.velocityWindowSeconds}`

/** Returns the person's limits; null when none were ever saved. */
export async function findLimits(db: Queryable, principalId: string): Promise<StoredLimits | null> {
  const [row] = await db.query<PersonLimitsRow>(
    sql`SELECT ${limitColumns}, other_currencies, time_zone, updated_at FROM wallet_limits WHERE principal_id = ${principalId}`,
  )
  return row === undefined ? null : { ...limitsFromWire(row), updatedAt: row.updated_at }
}

/** Returns the time zone and carried windows of the person's weeks and months; UTC for one who never saved limits. */
export async function findTurningClock(db: Queryable, principalId: string): Promise<TurningClock> {
  const [row] = await db.query<ClockRow>(
    sql`SELECT time_zone, carried_windows FROM wallet_limits WHERE principal_id = ${principalId}`,
  )
  return toTurningClock(row ?? { time_zone: null, carried_windows: null })
}

/** The columns of a person's {@link TurningClock}; null when no limits were ever saved. */
export interface ClockRow {
  readonly time_zone: string | null
  readonly carried_windows: CarriedWindows | null
}

/** Windows as JSON. */
type CarriedWindows = { readonly [Name in keyof Windows]: { readonly from: string; readonly until: string } }

export function toTurningClock({ time_zone: timeZone, carried_windows: carried }: ClockRow): TurningClock {
  const toWindow = ({ from, until }: CarriedWindows['week']) => ({ from: new Date(from), until: new Date(until) })
  return {
    timeZone: timeZone ?? DEFAULT_TIME_ZONE,
    carried: carried === null ? null : { week: toWindow(carried.week), month: toWindow(carried.month) },
  }
}

interface Replacement {
  readonly limits: Limits | null
  readonly now: Date
}

/**
 * Replaces the person's limits as a whole, or removes them. After a change of the time zone, the running week and month
 * continue to their end.
 */
export async function updateLimits(tx: Queryable, principalId: string, { limits, now }: Replacement): Promise<void> {
  if (limits === null) {
    await tx.query(sql`DELETE FROM wallet_limits WHERE principal_id = ${principalId}`)
    return
  }
  const timeZone = limits.timeZone ?? DEFAULT_TIME_ZONE
  const carried = await carryWindows(tx, principalId, { timeZone, now })
  const { other_currencies: others } = othersToWire(limits)
  await tx.query(
    sql`INSERT INTO wallet_limits (principal_id, ${limitColumns}, other_currencies, time_zone, carried_windows, updated_at)
     VALUES (${principalId}, ${limitValues(limits)}, ${others === undefined ? null : JSON.stringify(others)}::jsonb, ${timeZone}, ${carried === null ? null : JSON.stringify(carried)}::jsonb, ${now})
     ON CONFLICT (principal_id) DO UPDATE SET ${replacePersonLimits}`,
  )
}

/**
 * Returns the windows to carry over: the running ones when the time zone changes, otherwise, or where no limit is per
 * week or month, those carried before.
 */
async function carryWindows(
  tx: Queryable,
  principalId: string,
  { timeZone, now }: { readonly timeZone: string; readonly now: Date },
): Promise<Windows | null> {
  const clock = await findTurningClock(tx, principalId)
  if (timeZone === clock.timeZone) return clock.carried
  const own = await findLimits(tx, principalId)
  const isCounting = own !== null && hasWindows(own)
  return isCounting || (await hasAgentWindows(tx, principalId)) ? countingWindows(now, clock) : clock.carried
}

/**
 * Returns whether an agent of the person has a limit of its own per week or month, which follows the person's time
 * zone.
 */
export async function hasAgentWindows(tx: Queryable, principalId: string): Promise<boolean> {
  const rows = await tx.query(
    sql`SELECT 1 FROM agent_limits
      WHERE principal_id = ${principalId} AND (weekly_cap_minor IS NOT NULL OR monthly_cap_minor IS NOT NULL) LIMIT 1`,
  )
  return rows.length > 0
}

/** One of the person's agents. */
export interface AgentChoice {
  readonly principalId: string
  readonly clientId: string
}

/** Returns the agent's own limits, null when none were ever saved; `unknown` when the person has no such agent. */
export async function findAgentLimits(db: Queryable, agent: AgentChoice): Promise<StoredLimits | null | 'unknown'> {
  const [row] = await db.query<Omit<LimitsRow, 'updated_at'> & { updated_at: Date | null }>(
    sql`SELECT ${limitColumns}, l.updated_at FROM agents c LEFT JOIN agent_limits l ON l.client_id = c.id
      WHERE c.id = ${agent.clientId} AND c.principal_id = ${agent.principalId}`,
  )
  if (row === undefined) return 'unknown'
  const { updated_at: updatedAt } = row
  return updatedAt === null ? null : { ...limitsFromWire(row), updatedAt }
}

/** Returns the monthly limits of the person's agents, by client id. */
export async function listMonthlyCaps(
  db: Queryable,
  principalId: string,
): Promise<ReadonlyMap<string, { readonly currency: string; readonly amount_minor: number }>> {
  const rows = await db.query<{ client_id: string; currency: string; amount_minor: number }>(
    sql`SELECT l.client_id, l.currency, l.monthly_cap_minor AS amount_minor FROM agents c JOIN agent_limits l ON l.client_id = c.id
      WHERE c.principal_id = ${principalId} AND l.currency IS NOT NULL AND l.monthly_cap_minor IS NOT NULL`,
  )
  return new Map(rows.map(({ client_id: id, ...cap }) => [id, cap]))
}

/** Replaces the agent's own limits as a whole, or removes them. The agent must be the person's. */
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
