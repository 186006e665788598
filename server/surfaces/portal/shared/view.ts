import type * as z from 'zod'
import type { OutputOf } from '../../../base/contract/endpoint'
import type { TestCardName } from '../../../base/platform/processor/sandbox-cards'
import type { paymentRow } from '../../../money/payments/contract'
import type { saveAgentLimitsEndpoint, saveLimitsEndpoint, WireLimits } from '../../../wallet/limits/contract'

export interface Money {
  readonly currency: string
  readonly amount_minor: number
}

/** A payment as its owner sees it in lists. */
export type PaymentView = z.output<typeof paymentRow> & {
  readonly agent_label: string
  readonly merchant_name: string | null
}

/** Those in further currencies are on the portal's pages only. */
export type SavedLimits = OutputOf<typeof saveLimitsEndpoint> & Pick<WireLimits, 'other_currencies'>
/** An agent's own limits; those of a person have these members too. */
export type AgentLimits = OutputOf<typeof saveAgentLimitsEndpoint>

/** What is used of limits, and when they reset. */
export interface LimitsUsage {
  /** The limits' currency; null when only the number of payments is limited. */
  readonly currency: string | null
  readonly used_today_minor: number
  readonly resets_at: string
  readonly recent_count: number
  /** 0 where there is no such limit. */
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

/** One change of limits; null stands for none at all. */
export interface LimitChangeView {
  readonly id: string
  readonly kind: 'start' | 'save' | 'freeze' | 'restore' | 'undo' | 'connect'
  readonly before: WireLimits | null
  readonly after: WireLimits | null
  /** In the portal, or by an app with a wallet token. */
  readonly via: 'portal' | 'token'
  readonly created_at: string
}

export interface TestCard {
  readonly number: string
  readonly name: TestCardName
}

/** What happened, as every list says it. */
export interface EntryFacts {
  readonly seq: number
  readonly ts: string
  readonly event: string
  /** Who caused it, in the chain's words, for instance `agent` or `processor`. */
  readonly actor_kind: string
  /** The agent that it is about. */
  readonly agent: { readonly client_id: string; readonly label: string } | null
  /** Why a payment failed, how a dispute stands, why access ended, how an approval was confirmed: the chain's own word. */
  readonly detail: string | null
}

/** What is set up, by the step of the first day that does it. */
export interface SetupSteps {
  /** Also where this installation's address allows no passkeys: there is nothing to do. */
  readonly passkey: boolean
  readonly card: boolean
  /** Chosen by the person, be they those that everybody starts with. */
  readonly limits: boolean
  readonly agent: boolean
}

/** How far the person has come with what is set up on the first day. */
export interface SetupView {
  readonly steps: SetupSteps
  /** Something is set up, or was paid. */
  readonly begun: boolean
}
