import type { LineItem } from '../../base/contract/wire'
import { canonicalJson, type JsonObject, sha256Base64url } from '../../base/protocol/encoding'
import type { Exceeded } from '../limits'

/** A purchase or a request for wallet access, as stored with consents and mandates. */
export interface DisplayedRequest {
  readonly merchant_audience: string | null
  readonly amount_minor: number | null
  readonly currency: string | null
  readonly line_items: readonly LineItem[] | null
  /** The limits that approving lifts; null when there are none. */
  readonly exceeds: readonly Exceeded[] | null
  readonly scope: readonly string[]
  /**
   * The amount in minor units above which the agent must ask again, 0 for every purchase; absent when the person did
   * not choose.
   */
  readonly ask_above_minor?: number | undefined
}

/**
 * Returns the content that the person sees and approves: a purchase with the choice for later purchases, or wallet
 * access.
 */
export function displayOf({
  merchant_audience: merchant,
  amount_minor,
  currency,
  line_items,
  exceeds,
  scope,
  ask_above_minor: askAbove,
}: DisplayedRequest): JsonObject {
  if (merchant === null) return { scope: scope.join(' ') }
  const lifted = exceeds === null ? {} : { exceeds }
  const chosen = askAbove === undefined ? {} : { ask_above_minor: askAbove }
  return { merchant_origin: merchant, amount_minor, currency, items: itemsOf(line_items), ...lifted, ...chosen }
}

/** Returns the items with null for absent members, so that leaving one out changes the digest too. */
function itemsOf(items: DisplayedRequest['line_items']) {
  return (items ?? []).map(({ sku, title = null, qty, unit_price_minor = null }) => ({
    sku,
    title,
    qty,
    unit_price_minor,
  }))
}

/** Returns the SHA-256 over the canonical JSON (RFC 8785) of what was displayed, as base64url. */
export function displayDigest(display: JsonObject): string {
  return sha256Base64url(canonicalJson(display))
}

/**
 * Returns the content that a confirmation is bound to (dynamic linking, RTS on strong customer authentication, Article
 * 5): the amount, the payee's whole address, so that merchants on one host are told apart, and the limits that are
 * lifted.
 */
export function approvalSubject(authorizationId: string, display: JsonObject): JsonObject {
  const { items, ...rest } = display
  const digest = items === undefined ? {} : { items_digest: sha256Base64url(canonicalJson(items)) }
  return { authorization_id: authorizationId, ...rest, ...digest }
}
