import type * as z from 'zod'
import type { LineItem } from '../../../base/contract/wire'
import type { SettlementState } from '../../../base/core/settlement-state'
import type { paymentRow } from '../../../money/payments/contract'
import type { PortalConsent } from '../../../wallet/approvals'

export interface ConsentEffect {
  readonly limit_currency: string | null
  readonly left_before_minor: number | null
  readonly left_after_minor: number | null
  /** The limits are in another currency, so the payment will be refused. */
  readonly refused_currency: boolean
}

export type SettlementProgress = 'none' | 'in_progress' | Exclude<SettlementState, 'reserved' | 'submitting'>

export type ConsentView = PortalConsent & {
  /** Until when an agent that was approved could have begun to pay. */
  readonly usable_until: string
  readonly merchant_verified: boolean
  /** What would be charged: the agent's own card, otherwise the default. */
  readonly default_card: { readonly brand: string; readonly last4: string; readonly expired: boolean } | null
  readonly effect: ConsentEffect
  readonly payment: {
    readonly payment_intent_id: string
    readonly status: z.output<typeof paymentRow>['status']
  } | null
  readonly settlement_status: SettlementProgress
  /** The settlement that was last tried for the request; null before the first. */
  readonly settlement_id: string | null
  /** The items and the amount agree as far as the items name prices. */
  readonly total_matches: boolean
  readonly agent_is_new: boolean
  readonly agent_connected_at: string
  /** The verified operator whose keys are all that the agent has; null when none is known. */
  readonly operated_by: AgentOperator | null
  /** What the person paid here last, whichever agent bought it; null before the first time. */
  readonly last_purchase: LastPurchase | null
  /** The shop that this merchant's address could be taken for. */
  readonly resembles: { readonly name: string; readonly origin: string } | null
  /** Approving will ask for a passkey. */
  readonly asks_passkey: boolean
  /** It can be approved with a wallet app. */
  readonly takes_wallet_app: boolean
  /** Above which amount the person is asked here next time unless they choose otherwise; null where their rule asks anyway, or never. */
  readonly ask_above_minor: number | null
  /** The agent neither pays nor asks to until the person resumes it. */
  readonly agent_paused: boolean
}

export interface AgentOperator {
  readonly entity_id: string
  /** As it calls itself; null when it does not. */
  readonly name: string | null
}

export interface LastPurchase {
  readonly at: string
  readonly amount_minor: number
  readonly currency: string
  readonly agent: { readonly client_id: string; readonly label: string }
  /** Null where it is no longer known. */
  readonly items: readonly LineItem[] | null
}

/** A request that a wallet app answers. */
export interface WalletRequest {
  readonly request_id: string
  /** Opens a wallet app on this device. */
  readonly deep_link: string
  readonly qr_svg: string
  readonly expires_at: string
}

export interface WalletAnswer {
  readonly status: 'pending' | 'verified' | 'rejected' | 'expired'
  /** Why nothing was approved. */
  readonly error: string | null
}
