import { createHash } from 'node:crypto'
import { canonicalJson } from '../json.js'

/** One position of a purchase. */
export interface LineItem {
  readonly sku: string
  readonly qty: number
  readonly unit_price_minor?: number | undefined
  readonly currency?: string | undefined
}

/** How the merchant takes the payment. */
export type MerchantRoute =
  | { readonly kind: 'base_api'; readonly url: string }
  | { readonly kind: 'verify_url'; readonly url: string }

/** What is to be bought, from whom and how. */
export interface Order {
  readonly merchant: string
  readonly route: MerchantRoute
  readonly amountMinor: number
  readonly currency: string
  readonly lineItems: readonly LineItem[]
  readonly offerId: string | undefined
  readonly offerDigest: string | undefined
  readonly scope: string
  readonly redirectUri: string
}

/** How the person is asked; the same purchase may be asked for in another way. */
export interface ApprovalOptions {
  readonly hint: 'auto' | 'dashboard' | 'scan' | undefined
  readonly timeoutSeconds: number | undefined
}

/** Names a purchase: equal for equal orders of one registration, whatever the order of their members. */
export function purchaseKey(order: Order, buyer: { readonly issuer: string; readonly clientId: string }): string {
  return createHash('sha256').update(canonicalJson({ order, buyer })).digest('hex')
}
