import type { Locale } from '@/components/i18n/locale'
import type { TextOf } from '@/components/i18n/texts'
import { parseMoney, typedMoney } from '@/components/lib/typed-money'
import { currencyDigits, MAX_AMOUNT_MINOR } from '@/server/base/core/money'
import {
  DEFAULT_TIME_ZONE,
  hasWindows,
  limitsFromWire,
  type RecordedLimits,
  VELOCITY_COUNT_MAX,
  VELOCITY_WINDOW_DEFAULT_SECONDS,
} from '@/server/wallet/limits/input'
import type { limitsTexts } from './messages'

/** The fields of the form as typed; an empty text means no limit. */
export interface LimitsDraft {
  readonly currency: string
  readonly daily: string
  readonly weekly: string
  readonly monthly: string
  readonly single: string
  readonly count: string
  readonly windowSeconds: number
  /** The time zone in which weeks and months begin; null for an agent, which uses the person's. */
  readonly timeZone: string | null
}

type AmountField = 'daily' | 'weekly' | 'monthly' | 'single'

export type DraftErrors = Partial<Record<AmountField | 'count', string>>

/** The language, and the texts for problems, with which a draft is read. */
export interface DraftWords {
  readonly text: TextOf<typeof limitsTexts>['form']
  readonly locale: Locale
}

const DEFAULT_CURRENCY = 'EUR'

/** The suggested limits: safe to start with, and never applied without the person. */
const SUGGESTION: RecordedLimits = {
  currency: 'EUR',
  daily_cap_minor: 5_000,
  single_txn_cap_minor: 2_000,
  velocity_count: 5,
  velocity_window_seconds: 3_600,
}

export function suggestionIn(locale: Locale): Omit<LimitsDraft, 'timeZone'> {
  const { timeZone: _, ...limits } = draftOf(SUGGESTION, locale)
  return limits
}

/** The proposed limits of a new agent, in the currency's main unit. */
const FIRST_DAY = 20
const FIRST_PAYMENT = 10

/** Returns the proposed limits of a new agent, in the wallet's currency and never above the wallet's own. */
export function firstDraft(wallet: RecordedLimits | null, locale: Locale): LimitsDraft {
  const { currency: own, dailyCapMinor, singleTxnCapMinor } = limitsFromWire(wallet ?? {})
  const currency = own ?? DEFAULT_CURRENCY
  const unit = 10 ** (currencyDigits(currency) ?? 2)
  const atMost = (minor: number, ...caps: (number | null)[]) => Math.min(minor, ...caps.filter((cap) => cap !== null))
  const limits = {
    currency,
    daily_cap_minor: atMost(FIRST_DAY * unit, dailyCapMinor),
    single_txn_cap_minor: atMost(FIRST_PAYMENT * unit, singleTxnCapMinor, dailyCapMinor),
  }
  return draftOf(limits, locale)
}

/**
 * Returns the time zone in which the person's weeks and months begin: the reader's own, as a first guess, while none was
 * chosen and no limit depends on it.
 */
export function timeZoneOf(limits: RecordedLimits | null, readersOwn: string): string {
  const known = limitsFromWire(limits ?? {})
  const { timeZone } = known
  return timeZone === null || (timeZone === DEFAULT_TIME_ZONE && !hasWindows(known)) ? readersOwn : timeZone
}

/** Returns the draft of the limits over all agents. */
export function draftOfPerson(limits: RecordedLimits | null, locale: Locale, readersOwn: string): LimitsDraft {
  return { ...draftOf(limits, locale), timeZone: timeZoneOf(limits, readersOwn) }
}

export function draftOf(limits: RecordedLimits | null, locale: Locale): LimitsDraft {
  const known = limitsFromWire(limits ?? {})
  const currency = known.currency ?? DEFAULT_CURRENCY
  const amount = (minor: number | null) => (minor === null ? '' : typedMoney(minor, currency, locale))
  return {
    currency,
    daily: amount(known.dailyCapMinor),
    weekly: amount(known.weeklyCapMinor),
    monthly: amount(known.monthlyCapMinor),
    single: amount(known.singleTxnCapMinor),
    count: known.velocityCount === null ? '' : String(known.velocityCount),
    windowSeconds: known.velocityWindowSeconds ?? VELOCITY_WINDOW_DEFAULT_SECONDS,
    timeZone: known.timeZone,
  }
}

/** Returns the draft in the contract's form, or what is wrong with it. */
export function readDraft(draft: LimitsDraft, { text, locale }: DraftWords) {
  const errors: DraftErrors = {}
  const amount = (field: AmountField): number | null => {
    if (draft[field].trim() === '') return null
    const minor = parseMoney(draft[field], draft.currency, locale)
    if (minor === null) errors[field] = text.badAmount(exampleAmount(draft.currency, locale))
    else if (minor > MAX_AMOUNT_MINOR) errors[field] = text.tooMuch
    return minor
  }
  const daily = amount('daily')
  const weekly = amount('weekly')
  const monthly = amount('monthly')
  const single = amount('single')
  const count = draft.count.trim() === '' ? null : Number(draft.count)
  if (count !== null && !(/^\d+$/.test(draft.count.trim()) && count <= VELOCITY_COUNT_MAX)) errors.count = text.badCount
  const hasCap = [daily, weekly, monthly, single].some((cap) => cap !== null)
  const limits = {
    currency: hasCap ? draft.currency : null,
    daily_cap_minor: daily,
    weekly_cap_minor: weekly,
    monthly_cap_minor: monthly,
    single_txn_cap_minor: single,
    velocity_count: count,
    velocity_window_seconds: count === null ? null : draft.windowSeconds,
    time_zone: draft.timeZone,
  }
  return { errors, limits }
}

/** Returns twenty units of a currency, as a person would type it. */
export function exampleAmount(currency: string, locale: Locale): string {
  return typedMoney(20 * 10 ** (currencyDigits(currency) ?? 2), currency, locale)
}
