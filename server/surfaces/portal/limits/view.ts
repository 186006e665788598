import type * as z from 'zod'
import type { limitBump } from '../../../wallet/limits/contract'
import type { ApprovalRule } from '../input'
import type { MerchantCheck } from '../shared/check-merchant'
import type { LimitChangeView, LimitsUsage, SavedLimits, StartingLimits } from '../shared/view'

/** A limit request, as the person reads it. */
export type LimitBumpView = z.output<typeof limitBump> & MerchantCheck & { readonly agent_label: string }

export interface LimitsView {
  readonly limits: SavedLimits | null
  readonly usage: LimitsUsage | null
  /** The usage in further currencies, by code. */
  readonly other_usage: readonly LimitsUsage[]
  /** The starting limits; null once the person has changed them. */
  readonly starting_limits: StartingLimits | null
  /** Newest first. */
  readonly changes: readonly LimitChangeView[]
  readonly approval_rule: ApprovalRule
  readonly magic_link_gate: boolean
  /** Whether this server requires confirmation by mail of everyone. */
  readonly magic_link_gate_for_all: boolean
  /** Currencies of the person's payments and limits. */
  readonly currencies: readonly string[]
}

/** The effect that limits would have had on the payments of the last 30 days. */
export interface AskedCount {
  readonly payments: number
  /** The number of payments above a limit, for which the person would have been asked. */
  readonly asked: number
  /** The number of payments in another currency than the limits, which would have been refused. */
  readonly refused: number
  /** The newest payments for which the person would have been asked, at most 50. */
  readonly asked_about: readonly {
    /** The payment intent; null while the payment is under way. */
    readonly payment_intent_id: string | null
    readonly amount_minor: number
    readonly currency: string
    readonly merchant_audience: string | null
    readonly merchant_name: string | null
    readonly at: string
  }[]
}
