import type * as z from 'zod'
import type { OutputOf } from '../../../base/contract/endpoint'
import type { TestCardName } from '../../../base/platform/processor/sandbox-cards'
import type { paymentRow } from '../../../money/payments/contract'
import type { saveAgentLimitsEndpoint, saveLimitsEndpoint, WireLimits } from '../../../wallet/limits/contract'

export interface Money {
  readonly currency: string
  readonly amount_minor: number
}

/** A payment as the person sees it in lists. */
export type PaymentView = z.output<typeof paymentRow> & {
  readonly agent_label: string
  readonly merchant_name: string | null
}

/** The person's limits; those in further currencies are on the portal's pages only. */
export type SavedLimits = OutputOf<typeof saveLimitsEndpoint> & Pick<WireLimits, 'other_currencies'>
/** An agent's own limits; those of a person have these members too. */
export type AgentLimits = OutputOf<typeof saveAgentLimitsEndpoint>

/** The usage of limits, and when they reset. */
export interface LimitsUsage {
  /** The limits' currency; null when only the number of payments is limited. */
  readonly currency: string | null
  readonly used_today_minor: number
  readonly resets_at: string
  readonly recent_count: number
  /** The amount used this week, in minor units; 0 without a limit per week. */
  readonly used_this_week_minor: number
  readonly week_resets_at: string
  readonly used_this_month_minor: number
  readonly month_resets_at: string
}

/** The limits of a person who has not changed them yet. */
export interface StartingLimits {
  readonly daily_cap_minor: number
  readonly single_txn_cap_minor: number
  readonly currency: string
}

/** One change of limits, whose values are null when there were no limits. */
export interface LimitChangeView {
  readonly id: string
  readonly kind: 'start' | 'save' | 'freeze' | 'restore' | 'undo' | 'connect'
  readonly before: WireLimits | null
  readonly after: WireLimits | null
  /** Where the change was made: in the portal, or by an app with a wallet token. */
  readonly via: 'portal' | 'token'
  readonly created_at: string
}

export interface TestCard {
  readonly number: string
  readonly name: TestCardName
}

/** The facts that every list shows of an audit entry. */
export interface EntryFacts {
  readonly seq: number
  readonly ts: string
  readonly event: string
  /** The kind of the actor, in the chain's words, for instance `agent` or `processor`. */
  readonly actor_kind: string
  /** The agent that the entry is about; null for none. */
  readonly agent: { readonly client_id: string; readonly label: string } | null
  /**
   * The chain's own word for why a payment failed, how a dispute stands, why access ended or how an approval was
   * confirmed.
   */
  readonly detail: string | null
}

/** Which steps of the first day are done. */
export interface SetupSteps {
  /** Also true when the address of this installation allows no passkeys: there is nothing to do. */
  readonly passkey: boolean
  readonly card: boolean
  /** Whether the person chose their limits, the starting limits included. */
  readonly limits: boolean
  readonly agent: boolean
}

/** The progress of the set-up of the first day. */
export interface SetupView {
  readonly steps: SetupSteps
  /** Whether something is set up, or a payment was made; a passkey that cannot be set up does not count. */
  readonly begun: boolean
}
