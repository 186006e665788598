import { capsByCurrency, limitsIn } from './currencies'

/** Which rule a payment breaks. */
export const limitKinds = ['single_txn_cap', 'daily_cap', 'weekly_cap', 'monthly_cap', 'velocity'] as const
export type LimitKind = (typeof limitKinds)[number]

/** Whose limit: the one over all of a person's agents together, or the one over a single agent. */
export const limitScopes = ['wallet', 'agent'] as const
export type LimitScope = (typeof limitScopes)[number]

/** Where weeks and months turn for a person who has chosen no zone. */
export const DEFAULT_TIME_ZONE = 'UTC'

/** Amounts in minor units of one currency, null where there is no such limit. */
export interface Caps {
  /** Per UTC day. */
  readonly dailyCapMinor: number | null
  /** Per week and per month of the person's time zone. */
  readonly weeklyCapMinor: number | null
  readonly monthlyCapMinor: number | null
  readonly singleTxnCapMinor: number | null
}

/** What a person allows: caps in `currency` and in others, and what holds for all payments together. */
export interface Limits extends Caps {
  readonly currency: string | null
  /** Caps in further currencies, by ISO 4217 code. An agent has none. */
  readonly others: Readonly<Record<string, Caps>>
  readonly velocityCount: number | null
  readonly velocityWindowSeconds: number | null
  /** IANA name of the zone in which weeks and months turn; null for an agent, whose turn with its person's. */
  readonly timeZone: string | null
}

/** The amount and number of payments that are spent or held already. */
export interface Usage {
  /** Succeeded and in flight since 00:00 UTC, in the payment's currency. */
  readonly usedTodayMinor: number
  /** Succeeded and in flight since the week and the month began; 0 where there is no such limit. */
  readonly usedThisWeekMinor: number
  readonly usedThisMonthMinor: number
  /** Settlements within the velocity window that have not failed. */
  readonly recentCount: number
}

/** A limit that a payment exceeds, and the limit that would let it pass: minor units, or a count for velocity. */
export interface Exceeded {
  readonly kind: LimitKind
  readonly scope: LimitScope
  readonly current_minor: number
  readonly requested_minor: number
}

/** All limits that one payment exceeds. */
export type Exceeds = readonly [first: Exceeded, ...others: Exceeded[]]

/** A person's permission that one payment exceeds these limits, and no others, once. */
export interface Grant {
  readonly bumpId: string
  readonly exceeds: Exceeds
}

/** The part of a payment that limits are about. */
export interface LimitedPayment {
  readonly amountMinor: number
  readonly currency: string
}

/** Limits, and what is used of them. */
export interface Allowance {
  readonly limits: Limits
  readonly usage: Usage
}

/** Both allowances of a payment, which has to fit the two of them, and the grants that were given for it. */
export interface LimitState extends Readonly<Record<LimitScope, Allowance>> {
  readonly grants: readonly Grant[]
}

export type LimitEvaluation =
  | {
      readonly outcome: 'within'
      /** The grant that the payment uses up; null when it needs none. */
      readonly grant: Grant | null
    }
  | {
      readonly outcome: 'currency_mismatch'
      readonly scope: LimitScope
      /** Those that payments may be in. */
      readonly currencies: readonly string[]
    }
  | { readonly outcome: 'exceeded'; readonly exceeds: Exceeds }

/**
 * Decides whether a payment fits the limits of the wallet and those of the agent, given what is used of them already: the
 * stricter wins. The early check at PAR, the portal's preview and the settlement all ask this function; the settlement's
 * statement then enforces the same bounds once more.
 */
export function evaluateLimits(state: LimitState, payment: LimitedPayment): LimitEvaluation {
  for (const scope of limitScopes) {
    const currencies = [...capsByCurrency(state[scope].limits).keys()]
    if (currencies.length > 0 && !currencies.includes(payment.currency)) {
      return { outcome: 'currency_mismatch', scope, currencies }
    }
  }
  const [first, ...others] = limitScopes
    .flatMap((scope) => boundsOf(scope, state[scope], payment))
    .filter((bound) => bound.requested_minor > bound.current_minor)
  if (first === undefined) return { outcome: 'within', grant: null }
  const exceeds: Exceeds = [first, ...others]
  const grant = state.grants.find((candidate) => covers(candidate, exceeds))
  return grant === undefined ? { outcome: 'exceeded', exceeds } : { outcome: 'within', grant }
}

/** Why a payment in another currency than that of a cap is refused: nobody can lift that. */
export function describeMismatch({
  scope,
  currencies,
}: Extract<LimitEvaluation, { outcome: 'currency_mismatch' }>): string {
  return `The limits of this ${scope} are in ${currencies.join(' and ')}.`
}

/** Each limit that is set, with the value that it would need to have. */
function boundsOf(scope: LimitScope, { limits: all, usage }: Allowance, payment: LimitedPayment): Exceeded[] {
  const limits = limitsIn(all, payment.currency)
  const needs: readonly [LimitKind, number | null, number][] = [
    ['single_txn_cap', limits.singleTxnCapMinor, payment.amountMinor],
    ['daily_cap', limits.dailyCapMinor, usage.usedTodayMinor + payment.amountMinor],
    ['weekly_cap', limits.weeklyCapMinor, usage.usedThisWeekMinor + payment.amountMinor],
    ['monthly_cap', limits.monthlyCapMinor, usage.usedThisMonthMinor + payment.amountMinor],
    ['velocity', limits.velocityCount, usage.recentCount + 1],
  ]
  return needs.flatMap(([kind, current, requested]) =>
    current === null ? [] : [{ kind, scope, current_minor: current, requested_minor: requested }],
  )
}

/**
 * Whether a grant names every limit that is exceeded. It allows its excess over the limit of now, and lapses when that was
 * lowered after the request.
 */
export function covers({ exceeds }: Pick<Grant, 'exceeds'>, exceeded: Exceeds): boolean {
  return exceeded.every((bound) =>
    exceeds.some(
      (named) =>
        named.kind === bound.kind &&
        named.scope === bound.scope &&
        named.current_minor <= bound.current_minor &&
        bound.requested_minor <= bound.current_minor + excessOf(named),
    ),
  )
}

/** By how much a grant lifts a limit that it names. */
export function excessOf({ current_minor: current, requested_minor: requested }: Exceeded): number {
  return Math.max(0, requested - current)
}

/** Limits with nothing set. */
export const NO_LIMITS: Limits = {
  dailyCapMinor: null,
  weeklyCapMinor: null,
  monthlyCapMinor: null,
  singleTxnCapMinor: null,
  currency: null,
  others: {},
  velocityCount: null,
  velocityWindowSeconds: null,
  timeZone: null,
}

/** No limits, so that nothing of them is used. */
export const UNLIMITED: Allowance = {
  limits: NO_LIMITS,
  usage: { usedTodayMinor: 0, usedThisWeekMinor: 0, usedThisMonthMinor: 0, recentCount: 0 },
}
