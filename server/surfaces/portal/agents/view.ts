import type { OutputOf } from '../../../base/contract/endpoint'
import type { RememberedAmount } from '../../../wallet/approvals'
import type { listCardsEndpoint } from '../../../wallet/cards/contract'
import type { AgentRecord } from '../../agents/contract'
import type { ApprovalRule } from '../input'
import type { AgentLimits, LimitChangeView, LimitsUsage, Money, PaymentView } from '../shared/view'

/** `label` tells agents of one name apart. */
export type AgentSummary = AgentRecord & {
  readonly spent_this_month: readonly Money[]
  /** Its own limit per month; null without one. */
  readonly monthly_limit: Money | null
}

export type SavedCard = OutputOf<typeof listCardsEndpoint>['cards'][number]

/** Something that an agent asked for. */
export interface AgentApproval {
  readonly authorization_id: string
  readonly kind: 'payment' | 'wallet'
  readonly status: 'pending' | 'approved' | 'declined' | 'withdrawn' | 'expired'
  readonly amount_minor: number | null
  readonly currency: string | null
  readonly merchant_audience: string | null
  readonly merchant_name: string | null
  readonly created_at: string
}

export type AgentView = AgentSummary & {
  /** The name that it registered. */
  readonly own_name: string
  /** The name that the person gave it; null without one. */
  readonly given_name: string | null
  readonly cards: {
    /** The card that it pays with and nothing else does; null where it pays with the default. */
    readonly own_id: string | null
    readonly default_card: SavedCard | null
    /** Its own card, and those that could become it. */
    readonly choices: readonly SavedCard[]
  }
  /** Sessions that a revocation would end. */
  readonly active_families: number
  /** The agent's own limits, beside the person's; null when none were ever saved. */
  readonly limits: AgentLimits | null
  /** What is used of them; null without limits of its own. */
  readonly usage: LimitsUsage | null
  /** Changes of its own limits, newest first. */
  readonly limit_changes: readonly LimitChangeView[]
  /** What it paid this month, by merchant, the most first. */
  readonly spent_by_merchant: readonly (Money & {
    readonly merchant_audience: string
    readonly merchant_name: string | null
    readonly payments: number
  })[]
  /** What it asked for, newest first. */
  readonly recent_approvals: readonly AgentApproval[]
  /** Last eight characters of the registered key's thumbprint. */
  readonly key_thumbprint: string | null
  /** What the person is asked about, whichever agent buys. */
  readonly approval_rule: ApprovalRule
  /** Where it pays without asking, up to which amount, while the person is asked about new merchants. */
  readonly remembered_merchants: readonly (RememberedAmount & {
    readonly merchant_audience: string
    readonly merchant_name: string | null
    readonly created_at: string
  })[]
  /** Wallet scopes that the person approved together. */
  readonly remembered_access: readonly {
    readonly scope: string
    readonly created_at: string
    /** Until when the agent holds tokens for it; null while it holds none. */
    readonly session_until: string | null
  }[]
  readonly recent_payments: readonly PaymentView[]
}

export interface SetupTokenView {
  readonly id: string
  readonly setup_token: string
  readonly expires_in: number
  readonly expires_at: string
  readonly qr_payload: string
  readonly command: string
  /** The tool server's program and what goes before its own arguments. */
  readonly program: readonly [string, ...string[]]
  readonly qr_svg: string
}
