import { capsByCurrency, limitsIn } from './currencies'

/** The kinds of limits. */
export const limitKinds = ['single_txn_cap', 'daily_cap', 'weekly_cap', 'monthly_cap', 'velocity'] as const
export type LimitKind = (typeof limitKinds)[number]

/** The owner of a limit: the wallet, for all of a person's agents together, or a single agent. */
export const limitScopes = ['wallet', 'agent'] as const
export type LimitScope = (typeof limitScopes)[number]

/** The time zone of weeks and months for a person who has chosen none. */
export const DEFAULT_TIME_ZONE = 'UTC'

/** Caps in minor units of one currency; null where there is no such cap. */
export interface Caps {
  /** Per UTC day. */
  readonly dailyCapMinor: number | null
  /** Per week and per month of the person's time zone. */
  readonly weeklyCapMinor: number | null
  readonly monthlyCapMinor: number | null
  readonly singleTxnCapMinor: number | null
}

/** The limits of a person or an agent: caps in `currency` and in others, and a count for all payments together. */
export interface Limits extends Caps {
  readonly currency: string | null
  /** Caps in further currencies, by ISO 4217 code. An agent has none. */
  readonly others: Readonly<Record<string, Caps>>
  readonly velocityCount: number | null
  readonly velocityWindowSeconds: number | null
  /** IANA name of the zone in which weeks and months begin; null for an agent, which follows its person's. */
  readonly timeZone: string | null
}

/** The amounts and number of payments that count towards limits, spent or held. */
export interface Usage {
  /** The sum of succeeded and open payments since 00:00 UTC, in the payment's currency. */
  readonly usedTodayMinor: number
  /** The sums of succeeded and open payments since the week and the month began; 0 where there is no such limit. */
  readonly usedThisWeekMinor: number
  readonly usedThisMonthMinor: number
  /** The number of settlements within the velocity window that have not failed. */
  readonly recentCount: number
}

/** A limit that a payment exceeds, and the value with which it would pass: minor units, or a count for velocity. */
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

/** The members of a payment that limits are checked against. */
export interface LimitedPayment {
  readonly amountMinor: number
  readonly currency: string
}

/** Limits and their use. */
export interface Allowance {
  readonly limits: Limits
  readonly usage: Usage
}

/** The allowances of wallet and agent, both of which the payment must fit, and the grants that were given for it. */
export interface LimitState extends Readonly<Record<LimitScope, Allowance>> {
  readonly grants: readonly Grant[]
}

export type LimitEvaluation =
  | {
      readonly outcome: 'within'
      /** The grant that the payment uses; null when it needs none. */
      readonly grant: Grant | null
    }
  | {
      readonly outcome: 'currency_mismatch'
      readonly scope: LimitScope
      /** The currencies that payments may be in. */
      readonly currencies: readonly string[]
    }
  | { readonly outcome: 'exceeded'; readonly exceeds: Exceeds }

/**
 * Decides whether a payment fits the limits of both wallet and agent, given their use. The early check at PAR, the
 * portal's preview and the settlement all call this function; the settlement's statement then enforces the same bounds
 * in SQL.
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

/** Describes why a payment is refused whose currency has no cap; a limit request cannot lift this. */
export function describeMismatch({
  scope,
  currencies,
}: Extract<LimitEvaluation, { outcome: 'currency_mismatch' }>): string {
  return `The limits of this ${scope} are in ${currencies.join(' and ')}.`
}

/** Returns each limit that is set, with the value that it would need to have. */
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
 * Returns whether a grant names every exceeded limit. It allows its excess over the present limit, and does not count
 * when that was lowered after the request.
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

/** Returns the amount or count by which a grant lifts a limit that it names. */
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

/** An allowance without limits; usage is 0, since it is not read then. */
export const UNLIMITED: Allowance = {
  limits: NO_LIMITS,
  usage: { usedTodayMinor: 0, usedThisWeekMinor: 0, usedThisMonthMinor: 0, recentCount: 0 },
}
