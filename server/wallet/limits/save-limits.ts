import type { OutputOf } from '../../base/contract/endpoint'
import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import { ValidationError, type ValidationIssue } from '../../base/core/errors'
import { invariant } from '../../base/core/invariant'
import { MAX_AMOUNT_MINOR } from '../../base/core/money'
import type { Transaction } from '../../base/core/platform'
import { proveStepUp } from '../../identity/passkeys'
import type { StepUpProof } from '../../identity/passkeys/contract'
import { changeLimits } from './change-limits'
import {
  type saveAgentLimitsEndpoint,
  type saveAgentLimitsProcedure,
  type saveLimitsEndpoint,
  type saveLimitsProcedure,
  VELOCITY_WINDOW_MAX_SECONDS,
  type WantedLimits,
} from './contract'
import { VELOCITY_COUNT_MAX } from './input'
import { presentAgentLimits, presentLimits } from './read-limits'
import { DEFAULT_TIME_ZONE, type Limits, NO_LIMITS } from './rules'
import type { StoredLimits } from './store'
import { limitsToWire, type SharedLimitMember } from './wire-limits'
import { isTimeZone } from './zoned-time'

interface Range {
  readonly field: Exclude<SharedLimitMember, 'currency'>
  readonly min: number
  readonly max: number
}

const ranges: readonly Range[] = [
  { field: 'daily_cap_minor', min: 0, max: MAX_AMOUNT_MINOR },
  { field: 'weekly_cap_minor', min: 0, max: MAX_AMOUNT_MINOR },
  { field: 'monthly_cap_minor', min: 0, max: MAX_AMOUNT_MINOR },
  { field: 'single_txn_cap_minor', min: 0, max: MAX_AMOUNT_MINOR },
  { field: 'velocity_count', min: 0, max: VELOCITY_COUNT_MAX },
  { field: 'velocity_window_seconds', min: 1, max: VELOCITY_WINDOW_MAX_SECONDS },
]

const caps = ['daily_cap_minor', 'weekly_cap_minor', 'monthly_cap_minor', 'single_txn_cap_minor'] as const

/** Limits after a change, and in the portal the change that can be taken back with one press: null unless it only lowered. */
type Undoable<Saved> = Saved & { readonly undo: string | null }

/**
 * Replaces the person's limits as a whole, but for those per week and month and the time zone where they are left out;
 * every settlement that starts after the answer obeys them. The same payload twice leaves the same row and moves
 * `updated_at`. 403 step_up_required for a raise that is not confirmed, 401 insufficient_user_authentication for one with
 * a wallet token that does not suffice.
 */
export async function saveLimits(
  call: WalletCall,
  { proof, ...wanted }: ProcedureInput<typeof saveLimitsProcedure>,
): Promise<Undoable<OutputOf<typeof saveLimitsEndpoint>>> {
  const { limits, undo } = await save(call, { clientId: null, wanted, proof })
  return { ...presentLimits(limits), undo }
}

/**
 * Replaces the limits of one of the person's agents in the same way. They hold beside the person's own, and the stricter wins.
 * 403 and 401 as for the person's own; 404 for an agent that is unknown or another person's.
 */
export async function saveAgentLimits(
  call: WalletCall,
  { proof, client_id: clientId, ...wanted }: ProcedureInput<typeof saveAgentLimitsProcedure>,
): Promise<Undoable<OutputOf<typeof saveAgentLimitsEndpoint>>> {
  const { limits, undo } = await save(call, { clientId, wanted, proof })
  return { ...presentAgentLimits(limits), undo }
}

interface LimitsToSave {
  readonly clientId: string | null
  readonly wanted: WantedLimits
  readonly proof: StepUpProof | undefined
}

async function save(
  call: WalletCall,
  { clientId, wanted, proof }: LimitsToSave,
): Promise<Undoable<{ readonly limits: StoredLimits }>> {
  requireValid(checkLimits(wanted))
  const timeZone = clientId === null ? DEFAULT_TIME_ZONE : null
  const decide = (_tx: Transaction, before: Limits | null) => mergeLimits(wanted, before ?? { ...NO_LIMITS, timeZone })
  const change = { clientId, kind: 'save', decide } as const
  const changed = await changeLimits(call, change, (after) => proveRaise(call, { clientId, after }, proof))
  invariant(changed.limits !== null, 'saved limits are there')
  return { limits: changed.limits, undo: changed.lowered ? changed.changeId : null }
}

/** The person confirms all of the new limits, not only the difference, so that no part can differ from what they saw. */
function proveRaise(
  call: WalletCall,
  { clientId, after }: { readonly clientId: string | null; readonly after: Limits | null },
  proof: StepUpProof | undefined,
) {
  const subject = { client_id: clientId, limits: after === null ? null : { ...limitsToWire(after) } }
  return proveStepUp(call, { purpose: 'limits.raise', subject }, proof)
}

/** The limits that were sent, for one who has none yet. 422 as for saving them. */
export function parseLimits(wanted: WantedLimits): Limits {
  requireValid(checkLimits(wanted))
  return mergeLimits(wanted, NO_LIMITS)
}

/** 422 when out of range, for a cap without a currency, a count without a window, and what is no time zone. */
const checkLimits = (wanted: WantedLimits): ValidationIssue[] => [
  ...ranges.flatMap((range) => checkRange(range, wanted[range.field] ?? null)),
  ...checkTogether(wanted),
  ...checkTimeZone(wanted.time_zone ?? null),
]

function requireValid(issues: ValidationIssue[]): void {
  if (issues.length > 0) throw new ValidationError(issues)
}

/** What was sent over what was there: an old client, which knows neither weeks nor months, removes none of these limits. */
function mergeLimits(wanted: WantedLimits, before: Limits): Limits {
  requireValid(checkCurrencyOfKept(wanted, before))
  const { weekly_cap_minor: weekly, monthly_cap_minor: monthly, time_zone: timeZone } = wanted
  return {
    dailyCapMinor: wanted.daily_cap_minor ?? null,
    weeklyCapMinor: weekly === undefined ? before.weeklyCapMinor : weekly,
    monthlyCapMinor: monthly === undefined ? before.monthlyCapMinor : monthly,
    singleTxnCapMinor: wanted.single_txn_cap_minor ?? null,
    currency: wanted.currency ?? null,
    velocityCount: wanted.velocity_count ?? null,
    velocityWindowSeconds: wanted.velocity_window_seconds ?? null,
    timeZone: timeZone === undefined ? before.timeZone : (timeZone ?? DEFAULT_TIME_ZONE),
  }
}

/** An amount that stays is one of the currency that it was set in. */
function checkCurrencyOfKept(wanted: WantedLimits, before: Limits): ValidationIssue[] {
  if ((wanted.currency ?? null) === before.currency) return []
  const kept = [
    ['weekly_cap_minor', before.weeklyCapMinor],
    ['monthly_cap_minor', before.monthlyCapMinor],
  ] as const
  return kept.flatMap(([field, cap]) =>
    cap === null || wanted[field] !== undefined ? [] : [valueError(field, 'Send it too when the currency changes')],
  )
}

function checkTimeZone(name: string | null): ValidationIssue[] {
  if (name === null || isTimeZone(name)) return []
  return [{ ...valueError('time_zone', 'Input should be the name of an IANA time zone'), input: name }]
}

function valueError(field: keyof WantedLimits, msg: string): ValidationIssue {
  return { loc: ['body', field], msg, type: 'value_error', input: null }
}

function checkRange({ field, min, max }: Range, value: number | null): ValidationIssue[] {
  if (value === null || (value >= min && value <= max)) return []
  const low = value < min
  return [
    {
      loc: ['body', field],
      msg: low ? `Input should be greater than or equal to ${min}` : `Input should be less than or equal to ${max}`,
      type: low ? 'greater_than_equal' : 'less_than_equal',
      input: value,
      ctx: low ? { ge: min } : { le: max },
    },
  ]
}

/** A cap needs its currency, and a count its window. */
function checkTogether(input: WantedLimits): ValidationIssue[] {
  const isSet = (field: keyof WantedLimits) => (input[field] ?? null) !== null
  const issues: ValidationIssue[] = []
  const require = (field: keyof WantedLimits, msg: string) => {
    issues.push(valueError(field, msg))
  }
  const capped = caps.some(isSet)
  if (capped && !isSet('currency')) require('currency', 'A cap needs a currency')
  if (isSet('velocity_count') && !isSet('velocity_window_seconds')) {
    require('velocity_window_seconds', 'velocity_count needs velocity_window_seconds')
  }
  if (isSet('velocity_window_seconds') && !isSet('velocity_count')) {
    require('velocity_count', 'velocity_window_seconds needs velocity_count')
  }
  return issues
}
