import type { LineItem } from '../../../base/contract/wire'
import type { PaidMerchant, PayingAgent } from '../../../money/payments'
import type { readCardholderChallenge } from '../../../money/settlement'
import type { MerchantCheck } from '../shared/check-merchant'
import type { Money, PaymentView } from '../shared/view'

/** Includes the client secret while 3-D Secure is pending. */
export type ChallengeView = Awaited<ReturnType<typeof readCardholderChallenge>> & MerchantCheck

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
  /** The amount that the agent was allowed to pay. */
  readonly agreed: Money
  readonly mandate_id: string
  readonly receipt_jws: string
  /** The signed receipt as a QR code, for print. */
  readonly receipt_qr_svg: string
  readonly agent: {
    readonly client_id: string
    readonly label: string
    readonly purpose: string | null
    readonly revoked: boolean
    readonly paused: boolean
  }
  readonly merchant: { readonly audience: string; readonly name: string | null; readonly verified: boolean }
  readonly card: { readonly brand: string; readonly last4: string }
  /** Why the payment was allowed. */
  readonly rule: {
    readonly kind: 'approved' | 'approved_over_limit' | 'remembered_merchant' | 'within_limits'
    readonly authorization_id: string | null
    /** The channel of the person's decision; null without an approval. */
    readonly decided_via: string | null
    /** How the person confirmed in the portal; null for other decisions. */
    readonly method: 'passkey' | 'magic_link' | 'demo' | 'wallet_presentation' | null
  }
  readonly audit_seqs: readonly number[]
}

/** One bar of the spending. Amounts are decimal strings in minor units: sums may exceed what a number holds exactly. */
export interface SpendingBar {
  /**
   * The day, or the first day of the month, as `2026-11-21`, the merchant's address or the agent's client ID; null for
   * all others.
   */
  readonly key: string | null
  /** The name of the merchant or agent; null otherwise. */
  readonly name: string | null
  readonly amount_minor: string
  readonly count: number
}

export interface CurrencySpending {
  readonly currency: string
  readonly amount_minor: string
  readonly count: number
  /** The amount in the days with which the period is compared. */
  readonly before_minor: string
  /**
   * Days and months in order, with those without a payment; merchants and agents by sum, the highest first, and all
   * others last.
   */
  readonly bars: readonly SpendingBar[]
}

/** The first and the last day of a period. */
interface DaysView {
  readonly from: string
  readonly to: string
}

export interface SpendingView {
  /** The time zone in which days begin. */
  readonly time_zone: string
  readonly days: DaysView
  /** The same number of days before the period. */
  readonly before: DaysView
  readonly per: 'day' | 'month' | 'merchant' | 'agent'
  readonly currencies: readonly CurrencySpending[]
}

/** The agents that have paid and the merchants that were paid, as choices of the filter. */
export interface PartiesView {
  readonly agents: readonly PayingAgent[]
  readonly merchants: readonly PaidMerchant[]
  /** The time zone in which the days of the filter begin. */
  readonly time_zone: string
}

export interface PaymentProof {
  /** The proof of each audit entry about the payment, as by `GET /wallet/audit-chain/{seq}/proof`. */
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
  /** The result; `other_payment` when the signature is valid but the receipt is for another payment. */
  readonly verdict: 'valid' | 'invalid' | 'other_payment'
  /** The id of the key that signed; null when the receipt is not valid. */
  readonly kid: string | null
}
