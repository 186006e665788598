/** Something that needs the person's attention and has a page where they can see to it. */
export type HomeAlert =
  | {
      readonly kind: 'card_expired' | 'card_expiring'
      readonly card: { readonly brand: string; readonly last4: string }
      /** The last month in which it works. */
      readonly exp_month: number
      readonly exp_year: number
    }
  | { readonly kind: 'limit_requests'; readonly count: number }
  | {
      readonly kind: 'dispute'
      readonly payment_intent_id: string
      readonly amount_minor: number
      readonly currency: string
      readonly merchant_name: string | null
      readonly merchant_audience: string
    }
