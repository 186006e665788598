import type * as z from 'zod'
import type { LineItem } from '../../../base/contract/wire'
import type { SettlementState } from '../../../base/core/settlement-state'
import type { paymentRow } from '../../../money/payments/contract'
import type { PortalConsent } from '../../../wallet/approvals'
import type { MerchantCheck } from '../shared/check-merchant'

export interface ConsentEffect {
  readonly limit_currency: string | null
  readonly left_before_minor: number | null
  readonly left_after_minor: number | null
  /** Whether the payment will be refused because the limits are in another currency. */
  readonly refused_currency: boolean
}

export type SettlementProgress = 'none' | 'in_progress' | Exclude<SettlementState, 'reserved' | 'submitting'>

export type ConsentView = PortalConsent & {
  /** The latest time at which an approved agent could have begun to pay. */
  readonly usable_until: string
  readonly merchant_verified: boolean
  /** The card that would be charged: the agent's own, otherwise the default. */
  readonly default_card: { readonly brand: string; readonly last4: string; readonly expired: boolean } | null
  /** Whether the agent's own card was removed, and no other was chosen for it. */
  readonly own_card_removed: boolean
  readonly effect: ConsentEffect
  readonly payment: {
    readonly payment_intent_id: string
    readonly status: z.output<typeof paymentRow>['status']
  } | null
  readonly settlement_status: SettlementProgress
  /** The settlement that was last tried for the request; null before the first. */
  readonly settlement_id: string | null
  /** Whether the items come to no more than the amount, in its currency. */
  readonly total_matches: boolean
  readonly agent_is_new: boolean
  readonly agent_connected_at: string
  /** The verified operator that publishes all of the agent's keys; null without one. */
  readonly operated_by: AgentOperator | null
  /** The person's last payment at this merchant, by any agent; null before the first. */
  readonly last_purchase: LastPurchase | null
  /** The known merchant that this merchant's address resembles; null for none. */
  readonly resembles: MerchantCheck['resembles']
  /** False while the operator has approvals switched off, so that the request can only be declined. */
  readonly approvals_on: boolean
  /** Whether approving requires a passkey. */
  readonly asks_passkey: boolean
  /** Whether the purchase can be approved with a wallet app. */
  readonly takes_wallet_app: boolean
  /**
   * The amount above which the person will be asked here next time by default; null when their rule asks always, or
   * never.
   */
  readonly ask_above_minor: number | null
  /** Whether the agent is paused. */
  readonly agent_paused: boolean
}

export interface AgentOperator {
  readonly entity_id: string
  /** The name that the operator publishes; null without one. */
  readonly name: string | null
}

export interface LastPurchase {
  readonly at: string
  readonly amount_minor: number
  readonly currency: string
  readonly agent: { readonly client_id: string; readonly label: string }
  /** The items; null when they are no longer known. */
  readonly items: readonly LineItem[] | null
}

/** The page of a magic link; null when the link is unknown or has expired. */
export type MagicLinkView = {
  readonly agent: string
  /** The masked address of the person; null when there is none. */
  readonly email: string | null
  readonly used: boolean
  /** The purchase; null for wallet access. */
  readonly payment:
    | ({ readonly merchant_audience: string; readonly amount_minor: number; readonly currency: string } & MerchantCheck)
    | null
} | null

/** A request that a wallet app answers. */
export interface WalletRequest {
  readonly request_id: string
  /** The link that opens a wallet app on this device. */
  readonly deep_link: string
  readonly qr_svg: string
  readonly expires_at: string
}

export interface WalletAnswer {
  readonly status: 'pending' | 'verified' | 'rejected' | 'expired'
  /** The code of why nothing was approved; null otherwise. */
  readonly error: string | null
}
