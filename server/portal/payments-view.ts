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

export interface ReceiptVerdict {
  /** `other_payment`: the signature is right, but what it signs is not this payment. */
  readonly verdict: 'valid' | 'invalid' | 'other_payment'
  /** The key that signed. */
  readonly kid: string | null
}
