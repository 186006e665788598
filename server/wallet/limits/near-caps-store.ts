import { DAY_MILLISECONDS } from '../../base/core/calendar-day'
import type { Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import { knownEventKeysSql } from '../../shared/notifications'
import { limitsIn } from './currencies'
import { type CapSubject, type CapUse, type NearLimitPercent, nearLimitMessageKeys } from './near-limit'
import { type Limits, NO_LIMITS } from './rules'
import { type ClockRow, toTurningClock } from './store'
import { utcDay } from './utc-day'
import { listWindowUse } from './window-use-store'
import { countingWindows, type Window } from './windows'
import { limitsFromWire, sharedLimitMembers, type WireLimits } from './wire-limits'

/** A cap of the person that a payment counts towards. */
export interface NearCap {
  readonly kind: 'daily_cap' | 'weekly_cap' | 'monthly_cap'
  readonly subject: CapSubject
  readonly use: CapUse
  /** The start of the day, week or month. */
  readonly since: Date
  /** The end of the day, week or month. */
  readonly until: Date
  /** The time zone in which weeks and months begin. */
  readonly timeZone: string
}

interface NearCapQuery {
  readonly principalId: string
  readonly currency: string
  readonly now: Date
}

type CapsRow = WireLimits & ClockRow & { readonly used_minor: number | null; readonly told: readonly string[] | null }

const limitColumns = sql.raw(
  [...sharedLimitMembers, 'other_currencies', 'time_zone', 'carried_windows'].map((member) => `l.${member}`).join(', '),
)

/**
 * Returns the person's caps per day, week and month in this currency with their use; none where they have none. In a
 * transaction that has changed the day's counter the result stays true until the commit, since that row is locked.
 */
export async function listNearCaps(tx: Queryable, query: NearCapQuery): Promise<NearCap[]> {
  const { principalId, currency, now } = query
  const subject = { principalId, currency, period: utcDay(now) }
  const [row] = await tx.query<CapsRow>(
    sql`SELECT ${limitColumns}, ${knownEventKeysSql([...nearLimitMessageKeys(subject).keys()])} AS told,
            (SELECT u.spent_minor + u.reserved_minor FROM spend_counters u
              WHERE u.principal_id = l.principal_id AND u.day = ${subject.period}::date AND u.currency = ${currency}) AS used_minor
       FROM wallet_limits l WHERE l.principal_id = ${principalId}`,
  )
  if (row === undefined) return []
  const limits = limitsIn(limitsFromWire(row), currency)
  if (limits.currency !== currency) return []
  const caps = await listWindowCaps(tx, { row, limits }, query)
  if (limits.dailyCapMinor === null) return caps
  const use = { capMinor: limits.dailyCapMinor, usedMinor: row.used_minor ?? 0, told: highestTold(subject, row.told) }
  const since = new Date(subject.period)
  const until = new Date(since.getTime() + DAY_MILLISECONDS)
  return [{ kind: 'daily_cap', subject, use, since, until, timeZone: toTurningClock(row).timeZone }, ...caps]
}

/** Returns the caps per week and month, with two more statements where there is one. */
async function listWindowCaps(
  tx: Queryable,
  { row, limits }: { readonly row: CapsRow; readonly limits: Limits },
  { principalId, currency, now }: NearCapQuery,
): Promise<NearCap[]> {
  const clock = toTurningClock(row)
  const windows = countingWindows(now, clock)
  const both = { wallet: limits, agent: NO_LIMITS }
  const { wallet } = await listWindowUse(tx, { principalId, agentClientId: null, currency, windows, limits: both })
  const capOf = (name: 'week' | 'month', { from, until }: Window) => ({
    subject: { principalId, currency, period: `${name}-${from.toISOString()}` },
    since: from,
    until,
  })
  const caps = [
    {
      kind: 'weekly_cap',
      capMinor: limits.weeklyCapMinor,
      usedMinor: wallet.weekMinor,
      ...capOf('week', windows.week),
    },
    {
      kind: 'monthly_cap',
      capMinor: limits.monthlyCapMinor,
      usedMinor: wallet.monthMinor,
      ...capOf('month', windows.month),
    },
  ] as const
  const set = caps.filter(({ capMinor }) => capMinor !== null)
  const known = await findKnownKeys(
    tx,
    set.map(({ subject }) => subject),
  )
  return set.flatMap(({ kind, capMinor, usedMinor, subject, since, until }) => {
    if (capMinor === null) return []
    const use = { capMinor, usedMinor, told: highestTold(subject, known) }
    return [{ kind, subject, use, since, until, timeZone: clock.timeZone }]
  })
}

async function findKnownKeys(tx: Queryable, subjects: readonly CapSubject[]): Promise<readonly string[]> {
  if (subjects.length === 0) return []
  const keys = subjects.flatMap((subject) => [...nearLimitMessageKeys(subject).keys()])
  const [row] = await tx.query<{ told: string[] | null }>(sql`SELECT ${knownEventKeysSql(keys)} AS told`)
  return row?.told ?? []
}

/** Returns the highest percentage that the person was notified of; null when there was none. */
function highestTold(subject: CapSubject, known: readonly string[] | null): NearLimitPercent | null {
  const percentOf = nearLimitMessageKeys(subject)
  const told = (known ?? []).flatMap((key) => percentOf.get(key) ?? [])
  return told.toSorted((a, b) => a - b).at(-1) ?? null
}
