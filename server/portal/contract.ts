import * as z from 'zod'
import type { AgentRecord } from '../agents/contract'
import type { savedCard } from '../cards/contract'
import type { PortalConsent } from '../consent'
import type { LineItem } from '../contract/wire'
import { currencyCode, instant, minorUnits, pathId, plainLine } from '../contract/wire'
import { MAX_AMOUNT_MINOR } from '../core/money'
import { saveLimitsBody } from '../limits/contract'
import type { Channel } from '../notifications/contract'
import { confirmable } from '../passkeys/contract'
import { type paymentRow, paymentStatuses } from '../payments/contract'
import type { TestCardName } from '../platform/processor/sandbox-cards'
import type { MerchantRules } from '../policy/contract'
import type { HomeAlert } from './home-alert'
import { AGENT_NAME_MAX, AGENT_PURPOSE_MAX, type ApprovalRule, approvalRules } from './input'
import type { LimitChangeView, LimitsUsage, SavedLimits } from './limits-view'

export type { AgentRecord } from '../agents/contract'
export type { PortalConsent } from '../consent'
export {
  type ActivityEntry,
  type ActivityProof,
  type ActivitySearch,
  type ActivityView,
  activityFilter,
  activitySearch,
} from './activity-view'
export type { ConsentEffect, ConsentView, LastPurchase, SettlementProgress } from './consent-view'
export type { DevelopersView, RequestLogView } from './developers-view'
export type { HomeAlert } from './home-alert'
export type { ApprovalRule } from './input'
export type {
  LimitBumpView,
  LimitChangeView,
  LimitsPreview,
  LimitsUsage,
  LimitsView,
  PreviewReason,
  SavedLimits,
} from './limits-view'
export type { CurrencySpending, ReceiptVerdict, SpendingView } from './payments-view'

export const nothing = z.void()
export const consentChoice = z.strictObject({ id: pathId })
export const agentChoice = z.strictObject({ client_id: pathId })
export const setupTokenChoice = z.strictObject({ id: pathId })
export const paymentChoice = z.strictObject({ id: pathId })
export const stepUpChoice = z.strictObject({ id: pathId })
export const bankAnswer = z.strictObject({ id: pathId, answer: z.enum(['confirm', 'refuse']) })
export const rememberedChoice = z.strictObject({ client_id: pathId, merchant_audience: z.string().min(1).max(2_048) })
export const accessChoice = z.strictObject({ client_id: pathId, scope: z.string().min(1).max(1_024) })
export const testCardChoice = z.strictObject({
  number: z.string().regex(/^[0-9 ]{12,23}$/, { error: 'must be a test card' }),
})
export const directorySearch = z.strictObject({ words: z.string().max(200) })
/** Asking less often, or confirming less by mail, needs the person's confirmation. */
export const gateChoice = z.strictObject({ magic_link_gate: z.boolean(), ...confirmable })
export const ruleChoice = z.strictObject({ approval_rule: z.enum(approvalRules), ...confirmable })
export const purchaseSketch = z.strictObject({
  amount_minor: minorUnits.min(1).max(MAX_AMOUNT_MINOR),
  currency: currencyCode,
  /** By whom and where; both may be left open. */
  client_id: pathId.optional(),
  merchant_audience: z.string().min(1).max(2_048).optional(),
})

export const agentPlan = z.strictObject({
  name: plainLine(AGENT_NAME_MAX).min(1, { error: 'Give the agent a name' }),
  purpose: plainLine(AGENT_PURPOSE_MAX),
  scope: z.string().max(1_024),
  /** Its own limits from the start. */
  limits: saveLimitsBody.optional(),
})

/** Which payments: what the list is narrowed by, and what is downloaded. */
export const paymentSelection = z.strictObject({
  status: z.enum(paymentStatuses).optional(),
  agent: pathId.optional(),
  merchant: z.string().min(1).max(2_048).optional(),
  from: instant.optional(),
  to: instant.optional(),
})
export const paymentSearch = paymentSelection.extend({
  /** `next_cursor` of the page before. */
  cursor: z.string().max(1_024).optional(),
})

export interface EnrolmentView {
  readonly way: 'test_cards' | 'elements' | 'none'
}

export interface SessionView {
  readonly principal: {
    readonly id: string
    readonly display_name: string | null
    readonly email: string | null
    readonly approval_rule: ApprovalRule
  }
  /** `available` where this installation's address allows them at all; `required` when nothing is approved without. */
  readonly passkeys: { readonly available: boolean; readonly count: number; readonly required: boolean }
  readonly sandbox: boolean
  /** Whether phone messages reach anybody. */
  readonly phone_messages: boolean
  readonly switches: { readonly consent_scan: boolean; readonly settlement: boolean; readonly card_enrolment: boolean }
  readonly base_url: string
}

export interface Money {
  readonly currency: string
  readonly amount_minor: number
}

/** A payment as its owner sees it in lists. */
export type PaymentView = z.output<typeof paymentRow> & {
  readonly agent_label: string
  readonly merchant_name: string | null
}

export type CardView = z.output<typeof savedCard>

export interface HomeView {
  readonly pending: readonly PortalConsent[]
  readonly spend: readonly {
    readonly currency: string
    readonly spent_minor: number
    readonly reserved_minor: number
    readonly daily_cap_minor: number | null
  }[]
  readonly recent_payments: readonly PaymentView[]
  readonly active_agents: number
  readonly default_card: CardView | null
  /** Spending was frozen with one press, and not restored yet. */
  readonly frozen: boolean
  /** What needs the person's attention, the most urgent first. */
  readonly alerts: readonly HomeAlert[]
  readonly checklist: {
    readonly card: boolean
    readonly limits: boolean
    readonly agent: boolean
    readonly purchase: boolean
  }
}

export type AgentSummary = AgentRecord & { readonly spent_this_month: readonly Money[] }

/** Something that an agent asked for. */
export interface AgentApproval {
  readonly authorization_id: string
  readonly kind: 'payment' | 'wallet'
  readonly status: 'pending' | 'approved' | 'declined' | 'expired'
  readonly amount_minor: number | null
  readonly currency: string | null
  readonly merchant_audience: string | null
  readonly merchant_name: string | null
  readonly created_at: string
}

export type AgentView = AgentSummary & {
  /** Sessions that a revocation would end. */
  readonly active_families: number
  /** Until when the person does not want to be asked by it; null when it may ask. */
  readonly muted_until: string | null
  /** The agent's own limits, beside the person's; null when none were ever saved. */
  readonly limits: SavedLimits | null
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
  readonly remembered_merchants: readonly {
    readonly merchant_audience: string
    readonly merchant_name: string | null
    readonly created_at: string
  }[]
  /** Wallet scopes that the person approved together. */
  readonly remembered_access: readonly { readonly scope: string; readonly created_at: string }[]
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

/** The channels that a test message took. */
export interface TestMessageView {
  readonly channels: readonly Channel[]
}

export interface DirectoryView {
  /** All of them verified. */
  readonly merchants: readonly {
    readonly merchant_audience: string
    readonly merchant_name: string
    readonly country: string
  }[]
  /** There are more than those. */
  readonly more: boolean
}

export type MerchantsView = MerchantRules & {
  /** The person's agents, which a rule may be for; revoked ones because a rule may name them still. */
  readonly agents: readonly { readonly client_id: string; readonly label: string; readonly revoked: boolean }[]
  /** Merchants that an agent may use without asking as long as there is no list: no rule says anything about them. */
  readonly unlisted: readonly {
    readonly merchant_audience: string
    readonly merchant_name: string | null
    readonly agent_client_id: string
  }[]
}

export interface TestCard {
  readonly number: string
  readonly name: TestCardName
}

export interface PaymentPageView {
  readonly payments: readonly PaymentView[]
  readonly totals: readonly (Money & { readonly count: number })[]
  readonly next_cursor: string | null
}

export type TimelineStep =
  | 'asked'
  | 'approved'
  | 'authorised'
  | 'submitted'
  | 'paid'
  | 'receipt'
  | 'disputed'
  | 'dispute_won'
  | 'dispute_lost'

export interface PaymentDetailView {
  readonly payment: PaymentView
  readonly timeline: readonly { readonly at: string; readonly what: TimelineStep }[]
  readonly line_items: readonly LineItem[]
  /** What the agent got permission to pay. */
  readonly agreed: Money
  readonly mandate_id: string
  readonly receipt_jws: string
  readonly agent: {
    readonly client_id: string
    readonly label: string
    readonly purpose: string | null
    readonly revoked: boolean
  }
  readonly merchant: { readonly audience: string; readonly name: string | null; readonly verified: boolean }
  readonly card: { readonly brand: string; readonly last4: string }
  /** Why the payment was allowed. */
  readonly rule: {
    readonly kind: 'approved' | 'approved_over_limit' | 'remembered_merchant' | 'within_limits'
    readonly authorization_id: string | null
    /** Where the person decided. */
    readonly decided_via: string | null
    /** How the person proved on the portal that it was them; null for decisions elsewhere. */
    readonly method: 'passkey' | 'magic_link' | 'demo' | null
  }
  readonly audit_seqs: readonly number[]
}
