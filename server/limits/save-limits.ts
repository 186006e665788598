import type { InputOf, OutputOf } from '../contract/endpoint'
import type { WalletCall } from '../core/call'
import { ValidationError, type ValidationIssue } from '../core/errors'
import { invariant } from '../core/invariant'
import { MAX_AMOUNT_MINOR } from '../core/money'
import { refuseWeakToken } from '../passkeys'
import { changeLimits } from './change-limits'
import { type saveLimitsEndpoint, VELOCITY_WINDOW_MAX_SECONDS, type WantedLimits } from './contract'
import { VELOCITY_COUNT_MAX } from './input'
import { presentLimits } from './read-limits'
import type { Limits } from './rules'

type Save = typeof saveLimitsEndpoint

interface Range {
  readonly field: 'daily_cap_minor' | 'single_txn_cap_minor' | 'velocity_count' | 'velocity_window_seconds'
  readonly min: number
  readonly max: number
}

const ranges: readonly Range[] = [
  { field: 'daily_cap_minor', min: 0, max: MAX_AMOUNT_MINOR },
  { field: 'single_txn_cap_minor', min: 0, max: MAX_AMOUNT_MINOR },
  { field: 'velocity_count', min: 0, max: VELOCITY_COUNT_MAX },
  { field: 'velocity_window_seconds', min: 1, max: VELOCITY_WINDOW_MAX_SECONDS },
]

/**
 * Replaces the caller's limits as a whole; every settlement that starts after the answer obeys them. The same payload
 * twice leaves the same row and moves `updated_at`. 403 step_up_required for a wallet token that raises the limits of
 * somebody who requires passkeys.
 */
export function saveLimits(call: WalletCall, input: InputOf<Save>): Promise<OutputOf<Save>> {
  return saveByToken(call, null, input)
}

/** The same for one agent's own limits, or for those over all of them. */
export async function saveByToken(
  call: WalletCall,
  clientId: string | null,
  input: WantedLimits,
): Promise<OutputOf<Save>> {
  const after = checkedLimits(input)
  const { limits } = await changeLimits(call, { clientId, kind: 'save', decide: () => after }, () =>
    refuseWeakToken(call),
  )
  invariant(limits !== null, 'saved limits are there')
  return presentLimits(limits)
}

/** What was sent as limits, or 422: out of range, a cap without a currency, a count without a window. */
export function checkedLimits(input: WantedLimits): Limits {
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

/** A cap means nothing without its currency, and a count nothing without its window. */
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
