import type { OutputOf } from '../../../base/contract/endpoint'
import type { RememberedAmount } from '../../../wallet/approvals'
import type { listCardsEndpoint } from '../../../wallet/cards/contract'
import type { AgentRecord } from '../../agents/contract'
import type { ApprovalRule } from '../input'
import type { AgentLimits, LimitChangeView, LimitsUsage, Money, PaymentView } from '../shared/view'

/** An agent in a list; its `label` differs from that of other agents of the same name. */
export type AgentSummary = AgentRecord & {
  readonly spent_this_month: readonly Money[]
  /** The agent's own limit per month; null without one. */
  readonly monthly_limit: Money | null
}

/** The person's agents, and the setup tokens that can still connect one, newest first. */
export interface AgentList {
  readonly agents: AgentSummary[]
  readonly setup_tokens: readonly {
    readonly id: string
    /** The name that the agent will get; null where it names itself. */
    readonly name: string | null
    readonly created_at: string
    readonly expires_at: string
  }[]
}

export type SavedCard = OutputOf<typeof listCardsEndpoint>['cards'][number]

/** A request of an agent. */
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
  /** The name that the agent registered. */
  readonly own_name: string
  /** The name that the person gave it; null without one. */
  readonly given_name: string | null
  readonly cards: {
    /** The agent's own card; null when it pays with the default card, or with none because its own was removed. */
    readonly own_id: string | null
    /** Whether the agent's own card was removed, and no other was chosen for it. */
    readonly own_removed: boolean
    readonly default_card: SavedCard | null
    /** The agent's own card, and those that could become it. */
    readonly choices: readonly SavedCard[]
  }
  /** The number of sessions that a revocation would end. */
  readonly active_families: number
  /** The agent's own limits, beside the person's; null when none were ever saved. */
  readonly limits: AgentLimits | null
  /** How much of these limits is used; null without limits of its own. */
  readonly usage: LimitsUsage | null
  /** Changes of the agent's own limits, newest first. */
  readonly limit_changes: readonly LimitChangeView[]
  /** The amounts that the agent paid this month, by merchant, the highest first. */
  readonly spent_by_merchant: readonly (Money & {
    readonly merchant_audience: string
    readonly merchant_name: string | null
    readonly payments: number
  })[]
  /** The agent's requests, newest first. */
  readonly recent_approvals: readonly AgentApproval[]
  /** Last eight characters of the registered key's thumbprint. */
  readonly key_thumbprint: string | null
  /** The person's approval rule, which holds for all agents. */
  readonly approval_rule: ApprovalRule
  /** Merchants where the agent pays without asking, up to an amount, under the rule for new merchants. */
  readonly remembered_merchants: readonly (RememberedAmount & {
    readonly merchant_audience: string
    readonly merchant_name: string | null
    readonly created_at: string
  })[]
  /** Wallet scopes that the person approved together. */
  readonly remembered_access: readonly {
    readonly scope: string
    readonly created_at: string
    /** The end of the agent's tokens for these scopes; null without any. */
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
  /** The command of the tool server's program, before its own arguments. */
  readonly program: readonly [string, ...string[]]
  readonly qr_svg: string
}
