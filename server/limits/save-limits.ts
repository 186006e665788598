import type { InputOf, OutputOf } from '../contract/endpoint'
import type { WalletCall } from '../core/call'
import { ValidationError, type ValidationIssue } from '../core/errors'
import { MAX_AMOUNT_MINOR } from '../core/money'
import { lockPrincipal } from '../principals'
import { type saveLimitsEndpoint, VELOCITY_COUNT_MAX, VELOCITY_WINDOW_MAX_SECONDS } from './contract'
import { presentLimits } from './read-limits'
import type { Limits } from './rules'
import { saveLimitsRow } from './store'

type Save = typeof saveLimitsEndpoint
type Wanted = InputOf<Save>

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
 * twice leaves the same row and moves `updated_at`.
 */
export async function saveLimits({ platform, actor, now }: WalletCall, input: InputOf<Save>): Promise<OutputOf<Save>> {
  const limits = checkedLimits(input)
  const { principalId } = actor
  const saved = await platform.db.transaction(async (tx) => {
    // Not between a payment's judgement and the hold of its money: both are to see the same limits.
    await lockPrincipal(tx, principalId)
    return saveLimitsRow(tx, principalId, { limits, now })
  })
  return presentLimits(saved)
}

/** What was sent as limits, or 422: out of range, a cap without a currency, a count without a window. */
export function checkedLimits(input: Wanted): Limits {
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
function checkTogether(input: Wanted): ValidationIssue[] {
  const isSet = (field: keyof Wanted) => (input[field] ?? null) !== null
  const issues: ValidationIssue[] = []
  const require = (field: keyof Wanted, msg: string) => {
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
