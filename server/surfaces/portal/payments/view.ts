import type { LineItem } from '../../../base/contract/wire'
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

export interface CurrencySpending {
  readonly currency: string
  readonly amount_minor: number
  readonly count: number
  /** Every day of the period, the first one first; in UTC, as `2026-11-21`. */
  readonly days: readonly { readonly day: string; readonly amount_minor: number; readonly count: number }[]
  /** The highest sum first. The last line may stand for all other merchants together: its address is null. */
  readonly merchants: readonly {
    readonly merchant_audience: string | null
    readonly merchant_name: string | null
    readonly amount_minor: number
    readonly count: number
  }[]
}

export interface SpendingView {
  /** First and last day, both included. */
  readonly from: string
  readonly to: string
  readonly currencies: readonly CurrencySpending[]
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
