import type { LineItem } from '../../base/contract/wire'
import { canonicalJson, type JsonObject, sha256Base64url } from '../../base/protocol/encoding'
import type { Exceeded } from '../limits'

/** A purchase or a request for wallet access, as consents and mandates have it. */
export interface DisplayedRequest {
  readonly merchant_audience: string | null
  readonly amount_minor: number | null
  readonly currency: string | null
  readonly line_items: readonly LineItem[] | null
  /** The limits that approving lifts; null when there are none. */
  readonly exceeds: readonly Exceeded[] | null
  readonly scope: readonly string[]
  /** Above which amount the person wants to be asked next time, 0 for every time; absent where they did not choose. */
  readonly ask_above_minor?: number | undefined
}

/** What the person is shown and approves: a purchase with what they chose for the next time, or access to their wallet. */
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

/** Members that an item does not have are null, so that leaving one out is a change too. */
function itemsOf(items: DisplayedRequest['line_items']) {
  return (items ?? []).map(({ sku, title = null, qty, unit_price_minor = null }) => ({
    sku,
    title,
    qty,
    unit_price_minor,
  }))
}

/** SHA-256 over the canonical JSON (RFC 8785) of what was shown, as base64url. */
export function displayDigest(display: JsonObject): string {
  return sha256Base64url(canonicalJson(display))
}

/**
 * What an approval is signed for (dynamic linking, RTS on strong customer authentication, Article 5): amount and payee, the
 * payee by its whole address, so that shops that share a host are told apart, and the limits that are lifted.
 */
export function approvalSubject(authorizationId: string, display: JsonObject): JsonObject {
  const { items, ...rest } = display
  const digest = items === undefined ? {} : { items_digest: sha256Base64url(canonicalJson(items)) }
  return { authorization_id: authorizationId, ...rest, ...digest }
}
