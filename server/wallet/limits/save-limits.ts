import type { OutputOf } from '../../base/contract/endpoint'
import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import { ValidationError, type ValidationIssue } from '../../base/core/errors'
import { invariant } from '../../base/core/invariant'
import { MAX_AMOUNT_MINOR } from '../../base/core/money'
import { proveStepUp } from '../../identity/passkeys'
import type { StepUpProof } from '../../identity/passkeys/contract'
import { changeLimits } from './change-limits'
import {
  type saveAgentLimitsProcedure,
  type saveLimitsEndpoint,
  type saveLimitsProcedure,
  VELOCITY_WINDOW_MAX_SECONDS,
  type WantedLimits,
} from './contract'
import { VELOCITY_COUNT_MAX } from './input'
import { presentLimits } from './read-limits'
import type { Limits } from './rules'
import { type LimitMember, limitsToWire } from './wire-limits'

interface Range {
  readonly field: Exclude<LimitMember, 'currency'>
  readonly min: number
  readonly max: number
}

const ranges: readonly Range[] = [
  { field: 'daily_cap_minor', min: 0, max: MAX_AMOUNT_MINOR },
  { field: 'single_txn_cap_minor', min: 0, max: MAX_AMOUNT_MINOR },
  { field: 'velocity_count', min: 0, max: VELOCITY_COUNT_MAX },
  { field: 'velocity_window_seconds', min: 1, max: VELOCITY_WINDOW_MAX_SECONDS },
]

/** Limits after a change, and in the portal the change that can be taken back with one press: null unless it only lowered. */
type SavedLimits = OutputOf<typeof saveLimitsEndpoint> & { readonly undo: string | null }

/**
 * Replaces the person's limits as a whole; every settlement that starts after the answer obeys them. The same payload
 * twice leaves the same row and moves `updated_at`. 403 step_up_required for a raise that is not confirmed, 401
 * insufficient_user_authentication for one with a wallet token that does not suffice.
 */
export async function saveLimits(
  call: WalletCall,
  { proof, ...wanted }: ProcedureInput<typeof saveLimitsProcedure>,
): Promise<SavedLimits> {
  return save(call, { clientId: null, after: parseLimits(wanted), proof })
}

/**
 * Replaces the limits of one of the person's agents as a whole. They hold beside the person's own, and the stricter wins.
 * 403 and 401 as for the person's own; 404 for an agent that is unknown or another person's.
 */
export async function saveAgentLimits(
  call: WalletCall,
  { proof, client_id: clientId, ...wanted }: ProcedureInput<typeof saveAgentLimitsProcedure>,
): Promise<SavedLimits> {
  return save(call, { clientId, after: parseLimits(wanted), proof })
}

interface LimitsToSave {
  readonly clientId: string | null
  readonly after: Limits
  readonly proof: StepUpProof | undefined
}

async function save(call: WalletCall, { clientId, after, proof }: LimitsToSave): Promise<SavedLimits> {
  const changed = await changeLimits(call, { clientId, kind: 'save', decide: () => after }, () =>
    proveRaise(call, { clientId, after }, proof),
  )
  invariant(changed.limits !== null, 'saved limits are there')
  return { ...presentLimits(changed.limits), undo: changed.lowered ? changed.changeId : null }
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

/** The limits that were sent. 422 when out of range, for a cap without a currency and for a count without a window. */
export function parseLimits(input: WantedLimits): Limits {
  const issues = [...ranges.flatMap((range) => checkRange(range, input[range.field] ?? null)), ...checkTogether(input)]
  if (issues.length > 0) throw new ValidationError(issues)
  return {
    dailyCapMinor: input.daily_cap_minor ?? null,
    singleTxnCapMinor: input.single_txn_cap_minor ?? null,
    currency: input.currency ?? null,
    velocityCount: input.velocity_count ?? null,
    velocityWindowSeconds: input.velocity_window_seconds ?? null,
  }
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
    issues.push({ loc: ['body', field], msg, type: 'value_error', input: null })
  }
  const capped = isSet('daily_cap_minor') || isSet('single_txn_cap_minor')
  if (capped && !isSet('currency')) require('currency', 'A cap needs a currency')
  if (isSet('velocity_count') && !isSet('velocity_window_seconds')) {
    require('velocity_window_seconds', 'velocity_count needs velocity_window_seconds')
  }
  if (isSet('velocity_window_seconds') && !isSet('velocity_count')) {
    require('velocity_count', 'velocity_window_seconds needs velocity_count')
  }
  return issues
}
