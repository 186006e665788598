import * as z from 'zod'
import type { AgentRecord } from '../agents/contract'
import type { savedCard } from '../cards/contract'
import type { PortalConsent } from '../consent'
import type { OutputOf } from '../contract/endpoint'
import type { LineItem } from '../contract/wire'
import { currencyCode, minorUnits, pathId, text } from '../contract/wire'
import { MAX_AMOUNT_MINOR } from '../core/money'
import type { LimitKind, LimitScope } from '../limits'
import type { saveLimitsEndpoint } from '../limits/contract'
import { type paymentRow, paymentStatuses } from '../payments/contract'
import type { MerchantRules } from '../policy/contract'

export type { AgentRecord } from '../agents/contract'
export type { PortalConsent } from '../consent'

export const approvalRules = ['every_purchase', 'new_merchants', 'above_limits'] as const
export type ApprovalRule = (typeof approvalRules)[number]

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
export const gateChoice = z.strictObject({ magic_link_gate: z.boolean() })
export const ruleChoice = z.strictObject({ approval_rule: z.enum(approvalRules) })
export const purchaseSketch = z.strictObject({
  amount_minor: minorUnits.min(1).max(MAX_AMOUNT_MINOR),
  currency: currencyCode,
})

/** Control and bidirectional-override characters could make one name look like another. */
const plainText = (maxLength: number) =>
  text(maxLength)
    .trim()
    .refine((value) => !/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(value), { error: 'must be plain text' })

export const agentPlan = z.strictObject({
  name: plainText(200).pipe(z.string().min(1, { error: 'Give the agent a name' })),
  purpose: plainText(500),
  scope: z.string().max(1_024),
})

const instant = z.iso.datetime({ offset: true })
export const paymentSearch = z.strictObject({
  status: z.enum(paymentStatuses).optional(),
  agent: pathId.optional(),
  merchant: z.string().min(1).max(2_048).optional(),
  from: instant.optional(),
  to: instant.optional(),
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
  readonly checklist: {
    readonly card: boolean
    readonly limits: boolean
    readonly agent: boolean
    readonly purchase: boolean
  }
}

export interface ConsentEffect {
  readonly limit_currency: string | null
  readonly left_before_minor: number | null
  readonly left_after_minor: number | null
  /** The limits that the purchase would exceed; null when there is nothing to judge. */
  readonly exceeded: readonly { readonly scope: LimitScope; readonly kind: LimitKind }[] | null
  /** The limits are in another currency, so the payment will be refused. */
  readonly refused_currency: boolean
}

export type SettlementProgress = 'none' | 'in_progress' | 'requires_action' | 'succeeded' | 'failed' | 'unknown'

export type ConsentView = PortalConsent & {
  readonly merchant_verified: boolean
  readonly default_card: { readonly brand: string; readonly last4: string } | null
  readonly effect: ConsentEffect
  readonly payment: { readonly payment_intent_id: string; readonly status: PaymentView['status'] } | null
  readonly settlement_status: SettlementProgress
  /** The settlement that was last tried for the request; null before the first. */
  readonly settlement_id: string | null
  /** The items and the amount agree as far as the items name prices. */
  readonly total_matches: boolean
  readonly agent_is_new: boolean
}

export type AgentSummary = AgentRecord & { readonly spent_this_month: readonly Money[] }

export type AgentView = AgentSummary & {
  /** Sessions that a revocation would end. */
  readonly active_families: number
  /** The agent's own limits, beside the person's; null when none were ever saved. */
  readonly limits: LimitsView['limits']
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
  readonly qr_svg: string
}

export interface LimitsView {
  readonly limits: OutputOf<typeof saveLimitsEndpoint> | null
  readonly usage: {
    /** The limits' currency; null when only the number of payments is limited. */
    readonly currency: string | null
    readonly used_today_minor: number
    readonly resets_at: string
    readonly recent_count: number
  } | null
  readonly approval_rule: ApprovalRule
  readonly magic_link_gate: boolean
  /** Everybody confirms by mail here, whatever they choose. */
  readonly magic_link_gate_for_all: boolean
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

export interface LimitsPreview {
  readonly outcome: 'allowed' | 'asked' | 'refused'
  readonly reason: string
}

export interface TestCard {
  readonly number: string
  readonly label: string
  readonly behaviour: string
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
  | 'disputed'
  | 'dispute_won'
  | 'dispute_lost'

export interface PaymentDetailView {
  readonly payment: PaymentView
  readonly timeline: readonly { readonly at: string; readonly what: TimelineStep }[]
  readonly line_items: readonly LineItem[]
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
  }
  readonly audit_seqs: readonly number[]
}
