import type { TextOf } from '@/components/i18n/texts'
import type { LimitsView } from '@/components/lib/api-types'
import { currencyDigits, decimalAmount, parseMoney } from '@/components/lib/money'
import { MAX_AMOUNT_MINOR } from '@/server/core/money'
import { VELOCITY_COUNT_MAX } from '@/server/limits/contract'
import type { limitsTexts } from './messages'

/** The form as typed; an empty text is no limit. */
export interface LimitsDraft {
  readonly currency: string
  readonly daily: string
  readonly single: string
  readonly count: string
  readonly windowSeconds: number
}

export type DraftErrors = Partial<Record<'daily' | 'single' | 'count', string>>

const DEFAULT_CURRENCY = 'EUR'
const DEFAULT_WINDOW_SECONDS = 3600

/** Safe to start with; offered, never applied by itself. */
export const suggestion: LimitsDraft = {
  currency: 'EUR',
  daily: '50.00',
  single: '20.00',
  count: '5',
  windowSeconds: 3600,
}

export function draftOf(limits: LimitsView['limits']): LimitsDraft {
  const currency = limits?.currency ?? DEFAULT_CURRENCY
  const amount = (minor: number | null | undefined) => (minor == null ? '' : decimalAmount(minor, currency))
  return {
    currency,
    daily: amount(limits?.daily_cap_minor),
    single: amount(limits?.single_txn_cap_minor),
    count: limits?.velocity_count == null ? '' : String(limits.velocity_count),
    windowSeconds: limits?.velocity_window_seconds ?? DEFAULT_WINDOW_SECONDS,
  }
}

/** The draft as the contract takes it, or what is wrong with it. */
export function readDraft(draft: LimitsDraft, text: TextOf<typeof limitsTexts>['form']) {
  const errors: DraftErrors = {}
  const amount = (field: 'daily' | 'single'): number | null => {
    if (draft[field].trim() === '') return null
    const minor = parseMoney(draft[field], draft.currency)
    if (minor === null) errors[field] = text.badAmount(exampleAmount(draft.currency))
    else if (minor > MAX_AMOUNT_MINOR) errors[field] = text.tooMuch
    return minor
  }
  const daily = amount('daily')
  const single = amount('single')
  const count = draft.count.trim() === '' ? null : Number(draft.count)
  if (count !== null && !(/^\d+$/.test(draft.count.trim()) && count <= VELOCITY_COUNT_MAX)) errors.count = text.badCount
  const hasCap = daily !== null || single !== null
  const limits = {
    currency: hasCap ? draft.currency : null,
    daily_cap_minor: daily,
    single_txn_cap_minor: single,
    velocity_count: count,
    velocity_window_seconds: count === null ? null : draft.windowSeconds,
  }
  return { errors, limits }
}

export function exampleAmount(currency: string): string {
  return decimalAmount(20 * 10 ** (currencyDigits(currency) ?? 2), currency)
}
