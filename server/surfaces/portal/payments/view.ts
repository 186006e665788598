import type { LineItem } from '../../../base/contract/wire'
import type { PaidMerchant, PayingAgent } from '../../../money/payments'
import type { Money, PaymentView } from '../shared/view'

export interface PaymentPageView {
  readonly payments: readonly PaymentView[]
  readonly totals: readonly (Money & { readonly count: number })[]
  readonly next_cursor: string | null
}

export type TimelineStep = 'asked' | 'approved' | 'paid' | 'receipt' | 'disputed' | 'dispute_won' | 'dispute_lost'

export interface PaymentDetailView {
  readonly payment: PaymentView
  readonly timeline: readonly { readonly at: string; readonly what: TimelineStep }[]
  readonly line_items: readonly LineItem[]
  /** What the agent got permission to pay. */
  readonly agreed: Money
  readonly mandate_id: string
  readonly receipt_jws: string
  /** The signed receipt as a QR code, for the printed one. */
  readonly receipt_qr_svg: string
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
    readonly method: 'passkey' | 'magic_link' | 'demo' | 'wallet_presentation' | null
  }
  readonly audit_seqs: readonly number[]
}

/** Amounts are digits in minor units: sums may be beyond what a number holds exactly. */
export interface SpendingBar {
  /** A day or the first day of a month as `2026-11-21`, a merchant's address or an agent's client ID; null for all others. */
  readonly key: string | null
  /** Of a merchant or an agent. */
  readonly name: string | null
  readonly amount_minor: string
  readonly count: number
}

export interface CurrencySpending {
  readonly currency: string
  readonly amount_minor: string
  readonly count: number
  /** In the days that the period is compared with. */
  readonly before_minor: string
  /** Days and months in their order, also those without a payment; else the highest sum first, and all others last. */
  readonly bars: readonly SpendingBar[]
}

/** Days, both included. */
interface DaysView {
  readonly from: string
  readonly to: string
}

export interface SpendingView {
  /** By whose clocks days begin. */
  readonly time_zone: string
  readonly days: DaysView
  /** As many days of the period before. */
  readonly before: DaysView
  readonly per: 'day' | 'month' | 'merchant' | 'agent'
  readonly currencies: readonly CurrencySpending[]
}

/** Whom payments can be filtered by: everyone who was paid, and every agent that has paid. */
export interface PartiesView {
  readonly agents: readonly PayingAgent[]
  readonly merchants: readonly PaidMerchant[]
  /** By whose clocks the days of the filter begin. */
  readonly time_zone: string
}

export interface PaymentProof {
  /** Of each audit entry about the payment, as `GET /wallet/audit-chain/{seq}/proof` answers it. */
  readonly proofs: readonly {
    readonly seq: number
    readonly entry_hash: string
    readonly leaf_index: number
    readonly tree_size: number
    readonly hashes: readonly string[]
    readonly checkpoint: string
    readonly note: string
  }[]
}

export interface ReceiptVerdict {
  /** `other_payment`: the signature is right, but what it signs is not this payment. */
  readonly verdict: 'valid' | 'invalid' | 'other_payment'
  /** The key that signed. */
  readonly kid: string | null
}
