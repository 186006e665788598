/** Which rule a payment breaks. */
export const limitKinds = ['single_txn_cap', 'daily_cap', 'velocity'] as const
export type LimitKind = (typeof limitKinds)[number]

/** Whose limit: the one over all of a person's agents together, or the one over a single agent. */
export const limitScopes = ['wallet', 'agent'] as const
export type LimitScope = (typeof limitScopes)[number]

/** What a person allows: amounts in minor units of `currency`, null where there is no such limit. */
export interface Limits {
  readonly dailyCapMinor: number | null
  readonly singleTxnCapMinor: number | null
  readonly currency: string | null
  readonly velocityCount: number | null
  readonly velocityWindowSeconds: number | null
}

/** The amount and number of payments that are spent or held already. */
export interface Usage {
  /** Succeeded and in flight since 00:00 UTC, in the payment's currency. */
  readonly usedTodayMinor: number
  /** Settlements within the velocity window that have not failed. */
  readonly recentCount: number
}

/** A person's permission to exceed one limit once: from `current`, the limit at the time of the request, to `requested`. */
export interface Grant {
  readonly bumpId: string
  readonly scope: LimitScope
  readonly kind: LimitKind
  readonly currency: string
  readonly current: number
  readonly requested: number
}

/** A limit that the payment exceeds, and the limit that would let it pass: minor units, or a count for velocity. */
export interface Exceeded {
  readonly scope: LimitScope
  readonly kind: LimitKind
  readonly current: number
  readonly requested: number
}

export interface PaymentAsk {
  readonly amountMinor: number
  readonly currency: string
}

/** Limits, and what is used of them. */
export interface Allowance {
  readonly limits: Limits
  readonly usage: Usage
}

/** Both allowances of a payment; it has to fit the two of them. */
export interface Judged extends Readonly<Record<LimitScope, Allowance>> {
  readonly grants: readonly Grant[]
}

/** The first limit that the payment exceeds, and the others. */
export interface ExceededLimit extends Exceeded {
  readonly outcome: 'exceeded'
  readonly others: readonly Exceeded[]
}

export type Judgement =
  | {
      readonly outcome: 'within'
      /** The grants that the payment uses up. */
      readonly grants: readonly Grant[]
    }
  | { readonly outcome: 'currency_mismatch'; readonly scope: LimitScope; readonly currency: string }
  | ExceededLimit

/**
 * Decides whether a payment fits the limits of the wallet and those of the agent, given what is used of them already: the
 * stricter wins. The early check at PAR, the portal's preview and the settlement all ask this function; the settlement's
 * statement then enforces the same bounds once more.
 */
export function judge(judged: Judged, ask: PaymentAsk): Judgement {
  for (const scope of limitScopes) {
    const currency = cappedIn(judged[scope].limits)
    if (currency !== null && currency !== ask.currency) return { outcome: 'currency_mismatch', scope, currency }
  }
  const used: Grant[] = []
  const exceeded: Exceeded[] = []
  for (const bound of limitScopes.flatMap((scope) => boundsOf(scope, judged[scope], ask))) {
    if (bound.requested <= bound.current) continue
    const grant = judged.grants.find((candidate) => covers(candidate, bound, ask.currency))
    if (grant === undefined) exceeded.push(bound)
    else used.push(grant)
  }
  const [first, ...others] = exceeded
  return first === undefined ? { outcome: 'within', grants: used } : { outcome: 'exceeded', ...first, others }
}

/** The currency that payments have to be in; null where there is no cap. */
function cappedIn({ dailyCapMinor, singleTxnCapMinor, currency }: Limits): string | null {
  return dailyCapMinor === null && singleTxnCapMinor === null ? null : currency
}

/** Each limit that is set, with the value that it would need to have. */
function boundsOf(scope: LimitScope, { limits, usage }: Allowance, ask: PaymentAsk): Exceeded[] {
  const needs: readonly [LimitKind, number | null, number][] = [
    ['single_txn_cap', limits.singleTxnCapMinor, ask.amountMinor],
    ['daily_cap', limits.dailyCapMinor, usage.usedTodayMinor + ask.amountMinor],
    ['velocity', limits.velocityCount, usage.recentCount + 1],
  ]
  return needs.flatMap(([kind, current, requested]) => (current === null ? [] : [{ scope, kind, current, requested }]))
}

/** A grant allows its excess over the current limit, and lapses when the limit was lowered after the request. */
function covers(grant: Grant, bound: Exceeded, currency: string): boolean {
  const sameMoney = grant.kind === 'velocity' || grant.currency === currency
  return (
    grant.scope === bound.scope &&
    grant.kind === bound.kind &&
    sameMoney &&
    grant.current <= bound.current &&
    bound.requested <= bound.current + excessOf(grant)
  )
}

/** By how much a grant lifts its limit. */
export function excessOf(grant: Grant): number {
  return Math.max(0, grant.requested - grant.current)
}

/** Limits with nothing set. */
export const NO_LIMITS: Limits = {
  dailyCapMinor: null,
  singleTxnCapMinor: null,
  currency: null,
  velocityCount: null,
  velocityWindowSeconds: null,
}

/** No limits, so that nothing of them is used. */
export const UNLIMITED: Allowance = { limits: NO_LIMITS, usage: { usedTodayMinor: 0, recentCount: 0 } }
