import type { Locale } from '@/components/i18n/locale'
import type { TextOf } from '@/components/i18n/texts'
import { parseMoney, typedMoney } from '@/components/lib/typed-money'
import { currencyDigits, MAX_AMOUNT_MINOR } from '@/server/base/core/money'
import { VELOCITY_COUNT_MAX, type WireLimits } from '@/server/wallet/limits/input'
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

/** What decides how a draft is written and what is said about it. */
export interface DraftWords {
  readonly text: TextOf<typeof limitsTexts>['form']
  readonly locale: Locale
}

const DEFAULT_CURRENCY = 'EUR'
const DEFAULT_WINDOW_SECONDS = 3600

/** Safe to start with; offered, never applied by itself. */
const SUGGESTION: WireLimits = {
  currency: 'EUR',
  daily_cap_minor: 5_000,
  single_txn_cap_minor: 2_000,
  velocity_count: 5,
  velocity_window_seconds: 3_600,
}

export const suggestionIn = (locale: Locale): LimitsDraft => draftOf(SUGGESTION, locale)

export function draftOf(limits: WireLimits | null, locale: Locale): LimitsDraft {
  const currency = limits?.currency ?? DEFAULT_CURRENCY
  const amount = (minor: number | null | undefined) => (minor == null ? '' : typedMoney(minor, currency, locale))
  return {
    currency,
    daily: amount(limits?.daily_cap_minor),
    single: amount(limits?.single_txn_cap_minor),
    count: limits?.velocity_count == null ? '' : String(limits.velocity_count),
    windowSeconds: limits?.velocity_window_seconds ?? DEFAULT_WINDOW_SECONDS,
  }
}

/** The draft as the contract takes it, or what is wrong with it. */
export function readDraft(draft: LimitsDraft, { text, locale }: DraftWords) {
  const errors: DraftErrors = {}
  const amount = (field: 'daily' | 'single'): number | null => {
    if (draft[field].trim() === '') return null
    const minor = parseMoney(draft[field], draft.currency, locale)
    if (minor === null) errors[field] = text.badAmount(exampleAmount(draft.currency, locale))
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

/** Twenty of a currency, as it would be typed. */
export function exampleAmount(currency: string, locale: Locale): string {
  return typedMoney(20 * 10 ** (currencyDigits(currency) ?? 2), currency, locale)
}
