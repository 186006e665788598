import type * as z from 'zod'
import type { PortalConsent } from '../../../wallet/approvals'
import type { savedCard } from '../../../wallet/cards/contract'
import type { PaymentView, SetupView, StartingLimits } from '../shared/view'

export type CardView = z.output<typeof savedCard>

/** Something that needs the person's attention and has a page where they can see to it. */
export type HomeAlert =
  | {
      readonly kind: 'card_expired' | 'card_expiring'
      readonly card: { readonly brand: string; readonly last4: string }
      /** The last month in which it works. */
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
  readonly pending: readonly PortalConsent[]
  readonly spend: readonly {
    readonly currency: string
    readonly spent_minor: number
    readonly reserved_minor: number
    readonly daily_cap_minor: number | null
  }[]
  /** Week and month, where they are limited. */
  readonly longer_spend: readonly {
    readonly period: 'week' | 'month'
    readonly currency: string
    readonly used_minor: number
    readonly cap_minor: number
  }[]
  /** Null once the person has changed them. */
  readonly starting_limits: StartingLimits | null
  readonly recent_payments: readonly PaymentView[]
  /** Those that are not revoked, paused ones included. */
  readonly agents: number
  readonly paused_agents: number
  /** What needs the person's attention, the most urgent first. */
  readonly alerts: readonly HomeAlert[]
  /** How far the person has come with what is set up on the first day. */
  readonly setup: SetupView
}
