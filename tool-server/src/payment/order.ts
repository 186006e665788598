import { createHash } from 'node:crypto'
import { canonicalJson } from '../json.js'

/** One line item of a purchase. */
export interface LineItem {
  readonly sku: string
  readonly qty: number
  readonly unit_price_minor?: number | undefined
  readonly currency?: string | undefined
}

/** The way in which the merchant takes the payment. */
export type MerchantRoute =
  | { readonly kind: 'base_api'; readonly url: string }
  | { readonly kind: 'verify_url'; readonly url: string }

/** A purchase to make: items, merchant and route. */
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

/** The way in which the person is asked; it is no part of the purchase's identity. */
export interface ApprovalOptions {
  readonly hint: 'auto' | 'dashboard' | 'scan' | undefined
  readonly timeoutSeconds: number | undefined
}

/** The registration that buys, and the request that the order was chosen for, if it was. */
export interface Buyer {
  readonly issuer: string
  readonly clientId: string
  /** The key of the request, so that different requests are different purchases even of the same item. */
  readonly wishKey?: string | undefined
}

/** Returns the key of a purchase: equal for equal orders of one buyer, regardless of the order of members. */
export function purchaseKey(order: Order, buyer: Buyer): string {
  return createHash('sha256').update(canonicalJson({ order, buyer })).digest('hex')
}
