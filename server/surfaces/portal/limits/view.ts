import type * as z from 'zod'
import type { limitBump } from '../../../wallet/limits/contract'
import type { ApprovalRule } from '../input'
import type { LimitChangeView, LimitsUsage, SavedLimits, StartingLimits } from '../shared/view'

/** A request that one payment may exceed limits, as the person reads it. */
export type LimitBumpView = z.output<typeof limitBump> & {
  readonly merchant_name: string | null
  readonly agent_label: string
}

export interface LimitsView {
  readonly limits: SavedLimits | null
  readonly usage: LimitsUsage | null
  /** What is used in further currencies, by code. */
  readonly other_usage: readonly LimitsUsage[]
  /** Null once the person has changed them. */
  readonly starting_limits: StartingLimits | null
  /** Newest first. */
  readonly changes: readonly LimitChangeView[]
  readonly approval_rule: ApprovalRule
  readonly magic_link_gate: boolean
  /** Everybody confirms by mail here, whatever they choose. */
  readonly magic_link_gate_for_all: boolean
  /** Currencies that were paid in or that a limit is in. */
  readonly currencies: readonly string[]
}

/** What limits would have meant for the payments of the last 30 days. */
export interface AskedCount {
  readonly payments: number
  /** How many of them are above a limit, so that the person would have been asked. */
  readonly asked: number
  /** How many are in another currency than the caps, so that they would have been refused. */
  readonly refused: number
  /** The newest of those that the person would have been asked about, at most 50. */
  readonly asked_about: readonly {
    /** Null while the payment is under way. */
    readonly payment_intent_id: string | null
    readonly amount_minor: number
    readonly currency: string
    readonly merchant_audience: string | null
    readonly merchant_name: string | null
    readonly at: string
  }[]
}
