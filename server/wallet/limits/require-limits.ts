import { ValidationError, type ValidationIssue } from '../../base/core/errors'
import { MAX_AMOUNT_MINOR } from '../../base/core/money'
import { isTimeZone } from '../../base/core/zoned-time'
import { VELOCITY_WINDOW_MAX_SECONDS, type WantedLimits } from './contract'
import { isCapped } from './currencies'
import { VELOCITY_COUNT_MAX } from './input'
import type { Limits } from './rules'
import { capsFromWire, type SharedLimitMember, type WireCaps } from './wire-limits'

interface Range {
  readonly field: Exclude<SharedLimitMember, 'currency'>
  readonly min: number
  readonly max: number
}

const AMOUNT = { min: 0, max: MAX_AMOUNT_MINOR }

const ranges: readonly Range[] = [
  { field: 'daily_cap_minor', ...AMOUNT },
  { field: 'weekly_cap_minor', ...AMOUNT },
  { field: 'monthly_cap_minor', ...AMOUNT },
  { field: 'single_txn_cap_minor', ...AMOUNT },
  { field: 'velocity_count', min: 0, max: VELOCITY_COUNT_MAX },
  { field: 'velocity_window_seconds', min: 1, max: VELOCITY_WINDOW_MAX_SECONDS },
]

const caps = ['daily_cap_minor', 'weekly_cap_minor', 'monthly_cap_minor', 'single_txn_cap_minor'] as const

/** Throws 422 for a value out of range and for an unknown time zone. */
export function requireLimits(wanted: WantedLimits): void {
  requireValid([
    ...ranges.flatMap((range) => checkRange(range, wanted[range.field] ?? null)),
    ...checkTimeZone(wanted.time_zone ?? null),
  ])
}

/** Throws 422 for a value out of range and when no cap is set. */
export function requireCaps(wanted: WireCaps): void {
  requireValid(caps.flatMap((field) => checkRange({ field, ...AMOUNT }, wanted[field])))
  if (!isCapped(capsFromWire(wanted)))
    requireValid([valueError('daily_cap_minor', 'Set a limit, or remove the currency')])
}

/** Throws 422 for an amount that stays although its currency is replaced. */
export function requireCurrencyOfKept(wanted: WantedLimits, before: Limits): void {
  requireValid(checkCurrencyOfKept(wanted, before))
}

function requireValid(issues: ValidationIssue[]): void {
  if (issues.length > 0) throw new ValidationError(issues)
}

function checkCurrencyOfKept(wanted: WantedLimits, before: Limits): ValidationIssue[] {
  const currency = wanted.currency ?? null
  if (currency === null || currency === before.currency) return []
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
