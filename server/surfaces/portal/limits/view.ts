import type * as z from 'zod'
import type { LimitKind, LimitScope, limitBump } from '../../../wallet/limits/contract'
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
  /** Null once the person has changed them. */
  readonly starting_limits: StartingLimits | null
  /** Newest first. */
  readonly changes: readonly LimitChangeView[]
  readonly approval_rule: ApprovalRule
  readonly magic_link_gate: boolean
  /** Everybody confirms by mail here, whatever they choose. */
  readonly magic_link_gate_for_all: boolean
  /** With whom and where a purchase can be tried out. */
  readonly agents: readonly { readonly client_id: string; readonly label: string }[]
  readonly merchants: readonly { readonly merchant_audience: string; readonly merchant_name: string | null }[]
}

/** Why a purchase would go that way, with what the words need. */
export type PreviewReason =
  | {
      readonly code:
        | 'restricted'
        | 'agent_revoked'
        | 'agent_paused'
        | 'merchant_not_allowed'
        | 'merchant_unlisted'
        | 'no_card'
        | 'frozen'
        | 'every_purchase'
        | 'new_merchant'
        | 'remembered'
        | 'within_limits_if_known'
        | 'within_limits'
        | 'approvals_off'
    }
  | { readonly code: 'currency'; readonly scope: LimitScope; readonly currency: string }
  | {
      readonly code: 'limit'
      readonly scope: LimitScope
      readonly kind: LimitKind
      /** The limit, and what it would have to be: minor units of `currency`, or a count for velocity. */
      readonly current: number
      readonly requested: number
      readonly currency: string
    }

export interface LimitsPreview {
  readonly outcome: 'allowed' | 'asked' | 'refused'
  readonly reason: PreviewReason
}
