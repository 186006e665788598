/** Which rule a payment breaks. */
export const limitKinds = ['single_txn_cap', 'daily_cap', 'velocity'] as const
export type LimitKind = (typeof limitKinds)[number]

/** What a person allows: amounts in minor units of `currency`, null where there is no such limit. */
export interface Limits {
  readonly dailyCapMinor: number | null
  readonly singleTxnCapMinor: number | null
  readonly currency: string | null
  readonly velocityCount: number | null
  readonly velocityWindowSeconds: number | null
}

/** What is spent or held already. */
export interface Usage {
  /** Succeeded and in flight since 00:00 UTC, in the payment's currency. */
  readonly usedTodayMinor: number
  /** Settlements within the velocity window that have not failed. */
  readonly recentCount: number
}

/** A person's leave to exceed one limit once: from `current`, as it stood when asked, to `requested`. */
export interface Grant {
  readonly bumpId: string
  readonly kind: LimitKind
  readonly currency: string
  readonly current: number
  readonly requested: number
}

/** A limit that stands in the way, and the limit that would let the payment pass: minor units, or a count for velocity. */
export interface Exceeded {
  readonly kind: LimitKind
  readonly current: number
  readonly requested: number
}

export interface PaymentAsk {
  readonly amountMinor: number
  readonly currency: string
}

export interface Judged {
  readonly limits: Limits
  readonly usage: Usage
  readonly grants: readonly Grant[]
}

/** The first limit in the way, and the others. */
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
  | { readonly outcome: 'currency_mismatch'; readonly currency: string }
  | ExceededLimit

/**
 * Decides whether a payment fits the limits, given what is used already. The early check at PAR, the portal's preview
 * and the settlement all ask this function; the settlement's statement then enforces the same bounds once more.
 */
export function judge({ limits, usage, grants }: Judged, ask: PaymentAsk): Judgement {
  const capped = limits.dailyCapMinor !== null || limits.singleTxnCapMinor !== null
  if (capped && limits.currency !== null && limits.currency !== ask.currency) {
    return { outcome: 'currency_mismatch', currency: limits.currency }
  }
  const bounds = boundsOf(limits, usage, ask)
  const used: Grant[] = []
  const exceeded: Exceeded[] = []
  for (const bound of bounds) {
    if (bound.requested <= bound.current) continue
    const grant = grants.find((candidate) => covers(candidate, bound, ask.currency))
    if (grant === undefined) exceeded.push(bound)
    else used.push(grant)
  }
  const [first, ...others] = exceeded
  return first === undefined ? { outcome: 'within', grants: used } : { outcome: 'exceeded', ...first, others }
}

/** Each limit that is set, beside the value it would have to have. */
function boundsOf(limits: Limits, usage: Usage, ask: PaymentAsk): Exceeded[] {
  const { singleTxnCapMinor, dailyCapMinor, velocityCount } = limits
  const bounds: (Exceeded | null)[] = [
    singleTxnCapMinor === null
      ? null
      : { kind: 'single_txn_cap', current: singleTxnCapMinor, requested: ask.amountMinor },
    dailyCapMinor === null
      ? null
      : { kind: 'daily_cap', current: dailyCapMinor, requested: usage.usedTodayMinor + ask.amountMinor },
    velocityCount === null ? null : { kind: 'velocity', current: velocityCount, requested: usage.recentCount + 1 },
  ]
  return bounds.filter((bound) => bound !== null)
}

/** A grant lends its excess over the limit as it is now, and lapses when the limit was lowered since it was asked for. */
function covers(grant: Grant, bound: Exceeded, currency: string): boolean {
  const sameMoney = grant.kind === 'velocity' || grant.currency === currency
  return (
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
