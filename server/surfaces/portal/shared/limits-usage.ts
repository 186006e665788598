import { DAY_MILLISECONDS } from '../../../base/core/calendar-day'
import type { WalletCall } from '../../../base/core/call'
import { type LimitChange, listLimitChanges, readLimitsUse, readWindowUse, utcDay } from '../../../wallet/limits'
import { limitsToWire } from '../../../wallet/limits/contract'
import { limitsFromWire } from '../../../wallet/limits/input'
import type { AgentLimits, LimitChangeView, LimitsUsage, SavedLimits, StartingLimits } from './view'

const CHANGES_SHOWN = 50

/** Returns the usage of the limits over all agents, or, with a client id, of one agent's own. */
export async function readUsage(
  { platform, actor, now }: WalletCall,
  clientId: string | null,
  limits: AgentLimits,
): Promise<LimitsUsage> {
  const day = utcDay(now)
  const { currency, velocity_window_seconds: window } = limits
  const since = window === null ? null : new Date(now.getTime() - window * 1000)
  const owner = { principalId: actor.principalId, clientId }
  const { used, count } = await readLimitsUse(platform.db, owner, { day, currency, since })
  const wanted = { limits: limitsFromWire(limits), now }
  const { windows, weekMinor, monthMinor } = await readWindowUse(platform.db, owner, wanted)
  return {
    currency,
    used_today_minor: used,
    resets_at: new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MILLISECONDS).toISOString(),
    recent_count: count,
    used_this_week_minor: weekMinor,
    week_resets_at: windows.week.until.toISOString(),
    used_this_month_minor: monthMinor,
    month_resets_at: windows.month.until.toISOString(),
  }
}

/** Returns the usage of a person's limits in further currencies, by code. */
export async function readOtherUsage(call: WalletCall, limits: SavedLimits): Promise<LimitsUsage[]> {
  return Promise.all(listOtherLimits(limits).map((each) => readUsage(call, null, each)))
}

/** Returns the limits of each further currency, by code. */
export function listOtherLimits(limits: SavedLimits): SavedLimits[] {
  const others = Object.entries(limits.other_currencies ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return others.map(([currency, caps]) => ({ ...limits, ...caps, currency }))
}

/** Returns the newest changes of the person's limits, or of one agent's own. */
export async function readChanges(
  { platform, actor }: WalletCall,
  clientId: string | null,
  most = CHANGES_SHOWN,
): Promise<LimitChangeView[]> {
  const owner = { principalId: actor.principalId, clientId }
  return (await listLimitChanges(platform.db, owner, most)).map(renderChange)
}

/** Returns the starting limits, given the last change; null once the person has changed them. */
export function startingLimitsOf(last: LimitChangeView | undefined): StartingLimits | null {
  if (last?.kind !== 'start' || last.after === null) return null
  const { daily_cap_minor, single_txn_cap_minor, currency } = last.after
  if (daily_cap_minor === null || single_txn_cap_minor === null || currency === null) return null
  return { daily_cap_minor, single_txn_cap_minor, currency }
}

/**
 * Returns whether the person chose their limits, given the last change. Starting limits are chosen once the person has
 * saved them, even unchanged.
 */
export function haveChosen(limits: SavedLimits | null, last: LimitChangeView | undefined): boolean {
  return limits !== null && (last?.kind !== 'start' || last.created_at !== limits.updated_at)
}

function renderChange({ id, kind, before, after, via, createdAt }: LimitChange): LimitChangeView {
  return { id, kind, before: toWire(before), after: toWire(after), via, created_at: createdAt.toISOString() }
}

const toWire = (limits: LimitChange['before']) => (limits === null ? null : limitsToWire(limits))
