import type * as z from 'zod'
import type { WaitingConsent } from '../../../wallet/approvals'
import type { savedCard } from '../../../wallet/cards/contract'
import type { PaymentView, SetupView, StartingLimits } from '../shared/view'

export type CardView = z.output<typeof savedCard>

/** An alert that needs the person's attention, with a page on which they can act. */
export type HomeAlert =
  | {
      readonly kind: 'card_expired' | 'card_expiring'
      readonly card: { readonly brand: string; readonly last4: string }
      /** The last month in which the card is valid. */
      readonly exp_month: number
      readonly exp_year: number
    }
  | {
      readonly kind: 'dispute'
      readonly payment_intent_id: string
      readonly amount_minor: number
      readonly currency: string
      readonly merchant_name: string | null
      readonly merchant_audience: string
    }

export interface HomeView {
  readonly pending: readonly WaitingConsent[]
  readonly spend: readonly {
    readonly currency: string
    readonly spent_minor: number
    readonly reserved_minor: number
    readonly daily_cap_minor: number | null
  }[]
  /** The spending of week and month, where these are limited. */
  readonly longer_spend: readonly {
    readonly period: 'week' | 'month'
    readonly currency: string
    readonly used_minor: number
    readonly cap_minor: number
  }[]
  /** The starting limits; null once the person has changed them. */
  readonly starting_limits: StartingLimits | null
  readonly recent_payments: readonly PaymentView[]
  /** The number of agents that are not revoked, paused ones included. */
  readonly agents: number
  readonly paused_agents: number
  /** The alerts, the most urgent first. */
  readonly alerts: readonly HomeAlert[]
  /** The person's progress in the set-up of the first day. */
  readonly setup: SetupView
}
