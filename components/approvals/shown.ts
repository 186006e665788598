import type { ConsentView } from '@/components/lib/api-types'
import type { ShownAccess, ShownPurchase } from '@/server/wallet/approvals/contract'

type Shown = ShownPurchase | ShownAccess
type DisplayedRequest = Pick<
  ConsentView,
  'merchant_audience' | 'amount_minor' | 'currency' | 'line_items' | 'exceeds' | 'scope'
>

/**
 * Returns what the page displays of an approval, as the decision records it, with the person's choice for the next
 * time; null where they are not asked for one.
 */
export function shownOf(
  { merchant_audience: audience, amount_minor, currency, line_items: items, exceeds, scope }: DisplayedRequest,
  askAbove: number | null,
): Shown {
  if (audience === undefined || amount_minor === undefined || currency === undefined) return { scope }
  const shown = (items ?? []).map(({ sku, title = null, qty, unit_price_minor = null }) => ({
    sku,
    title,
    qty,
    unit_price_minor,
  }))
  const lifted = exceeds === undefined ? {} : { exceeds }
  const chosen = askAbove === null ? {} : { ask_above_minor: askAbove }
  return { merchant_origin: audience, amount_minor, currency, items: shown, ...lifted, ...chosen }
}

/**
 * Returns the subject that a passkey signs. The page computes it from what it displays, not from a subject sent by the
 * server, so that a person can only confirm what they saw. The server computes its own from the database, and refuses a
 * signature for any other.
 */
export async function subjectOf(authorizationId: string, shown: Shown): Promise<Record<string, unknown>> {
  if (!('items' in shown)) return { authorization_id: authorizationId, ...shown }
  const { items, ...rest } = shown
  return { authorization_id: authorizationId, ...rest, items_digest: await digestOf(items) }
}

/**
 * Returns the SHA-256 of the items in canonical JSON (RFC 8785), which JSON.stringify writes for members in this order.
 */
async function digestOf(items: ShownPurchase['items']): Promise<string> {
  const sorted = items.map(({ qty, sku, title, unit_price_minor }) => ({ qty, sku, title, unit_price_minor }))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(sorted)))
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
