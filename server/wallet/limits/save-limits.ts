import type { OutputOf } from '../../base/contract/endpoint'
import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import { invariant } from '../../base/core/invariant'
import type { Platform, Transaction } from '../../base/core/platform'
import { proveStepUp } from '../../identity/passkeys'
import type { StepUpProof } from '../../identity/passkeys/contract'
import { changeLimits } from './change-limits'
import {
  type saveAgentLimitsEndpoint,
  type saveAgentLimitsProcedure,
  type saveLimitsEndpoint,
  type saveLimitsProcedure,
  type WantedLimits,
} from './contract'
import { isCapped, othersBeside } from './currencies'
import { VELOCITY_WINDOW_DEFAULT_SECONDS } from './input'
import { renderAgentLimits, renderLimits } from './read-limits'
import { requireCurrencyOfKept, requireLimits } from './require-limits'
import { type Caps, DEFAULT_TIME_ZONE, type Limits, NO_LIMITS } from './rules'
import type { StoredLimits } from './store'
import { limitsToWire } from './wire-limits'

/** Limits after a change, and in the portal the id of the change if it can be undone; null unless it only lowered. */
type Undoable<Saved> = Saved & { readonly undo: string | null }

/**
 * Replaces the person's limits as a whole, except for those per week and month and the time zone when they are absent;
 * every settlement that starts after the response is checked against them. The same body twice leaves the same row and
 * updates `updated_at`. 403 step_up_required for a raise that is not confirmed, 401 insufficient_user_authentication
 * for one with a wallet token that does not suffice.
 */
export async function saveLimits(
  call: WalletCall,
  { proof, ...wanted }: ProcedureInput<typeof saveLimitsProcedure>,
): Promise<Undoable<OutputOf<typeof saveLimitsEndpoint>>> {
  const { limits, undo } = await save(call, { clientId: null, wanted, proof })
  return { ...renderLimits(limits), undo }
}

/**
 * Replaces the limits of one of the person's agents in the same way. They apply in addition to the person's own. 403
 * and 401 as for the person's own; 404 for an agent that is unknown or another person's.
 */
export async function saveAgentLimits(
  call: WalletCall,
  { proof, client_id: clientId, ...wanted }: ProcedureInput<typeof saveAgentLimitsProcedure>,
): Promise<Undoable<OutputOf<typeof saveAgentLimitsEndpoint>>> {
  const { limits, undo } = await save(call, { clientId, wanted, proof })
  return { ...renderAgentLimits(limits), undo }
}

function save(
  call: WalletCall,
  { clientId, wanted, proof }: { readonly wanted: WantedLimits } & Omit<LimitsToSave, 'decide'>,
): Promise<Undoable<{ readonly limits: StoredLimits }>> {
  requireLimits(wanted)
  const timeZone = clientId === null ? DEFAULT_TIME_ZONE : null
  const decide = (before: Limits | null) => mergeLimits(wanted, before ?? { ...NO_LIMITS, timeZone }, call.platform)
  return saveDecided(call, { clientId, decide, proof })
}

interface LimitsToSave {
  readonly clientId: string | null
  /** Returns the limits after the change, given the locked present ones; throws to refuse it. */
  readonly decide: (before: Limits | null) => Limits
  readonly proof: StepUpProof | undefined
}

/** Saves limits, a raise only with the person's confirmation. */
export async function saveDecided(
  call: WalletCall,
  { clientId, decide, proof }: LimitsToSave,
): Promise<Undoable<{ readonly limits: StoredLimits }>> {
  const change = {
    clientId,
    kind: 'save',
    decide: (_tx: Transaction, before: Limits | null) => decide(before),
  } as const
  const changed = await changeLimits(call, change, (after) => proveRaise(call, { clientId, after }, proof))
  invariant(changed.limits !== null, 'saved limits are there')
  return { limits: changed.limits, undo: changed.lowered ? changed.changeId : null }
}

/**
 * Proves the person's confirmation of a raise. It covers all of the new limits, not only the difference, so that no
 * part can differ from what they saw.
 */
function proveRaise(
  call: WalletCall,
  { clientId, after }: { readonly clientId: string | null; readonly after: Limits | null },
  proof: StepUpProof | undefined,
) {
  const subject = { client_id: clientId, limits: after === null ? null : { ...limitsToWire(after) } }
  return proveStepUp(call, { purpose: 'limits.raise', subject }, proof)
}

/** Returns the limits of a request, for an owner without limits so far. 422 as for saving them. */
export function parseLimits(platform: Platform, wanted: WantedLimits): Limits {
  requireLimits(wanted)
  return mergeLimits(wanted, NO_LIMITS, platform)
}

/**
 * Merges the requested limits into the present ones: an old client, which knows no weeks, months or further currencies,
 * removes none of these limits. A requested currency becomes the row's own. A cap without a currency is in the row's
 * currency, and a count of payments without a window has the row's window.
 */
function mergeLimits(wanted: WantedLimits, before: Limits, { config }: Platform): Limits {
  requireCurrencyOfKept(wanted, before)
  const { time_zone: timeZone } = wanted
  const currency = wanted.currency ?? before.currency ?? config.defaultCurrency
  const caps = mergeCaps(wanted, before.others[currency] ?? before)
  const row = { ...caps, currency: isCapped(caps) ? currency : (wanted.currency ?? null) }
  return {
    ...row,
    ...mergeVelocity(wanted, before),
    others: othersBeside(before.others, row),
    timeZone: timeZone === undefined ? before.timeZone : (timeZone ?? DEFAULT_TIME_ZONE),
  }
}

function mergeCaps(wanted: WantedLimits, kept: Caps): Caps {
  const { weekly_cap_minor: weekly, monthly_cap_minor: monthly } = wanted
  return {
    dailyCapMinor: wanted.daily_cap_minor ?? null,
    weeklyCapMinor: weekly === undefined ? kept.weeklyCapMinor : weekly,
    monthlyCapMinor: monthly === undefined ? kept.monthlyCapMinor : monthly,
    singleTxnCapMinor: wanted.single_txn_cap_minor ?? null,
  }
}

function mergeVelocity(wanted: WantedLimits, before: Limits): Pick<Limits, 'velocityCount' | 'velocityWindowSeconds'> {
  const velocityCount = wanted.velocity_count ?? null
  const window = before.velocityWindowSeconds ?? VELOCITY_WINDOW_DEFAULT_SECONDS
  return {
    velocityCount,
    velocityWindowSeconds: wanted.velocity_window_seconds ?? (velocityCount === null ? null : window),
  }
}
