import type * as z from 'zod'
import type { LineItem } from '../../base/contract/wire'
import { ServiceError } from '../../base/core/errors'
import { itemsMatchAmount } from '../../base/core/line-items'
import type { Platform } from '../../base/core/platform'
import type { JsonObject } from '../../base/protocol/encoding'
import type { MandateClaims } from '../../base/protocol/mandate'
import type { CatalogEntry, SandboxMerchant } from './catalog-data'
import { offerOf } from './merchants'
import type { orderBody } from './wire'

/** The requested purchase. */
export interface Purchase {
  readonly line_items: readonly LineItem[]
  readonly offer_id?: string | undefined
  readonly offer_digest?: string | undefined
}

type ReceiptLine = z.input<typeof orderBody>['receipt']['line_items'][number]

/** An order as the merchant prices it. */
export interface PricedOrder {
  readonly lines: ReceiptLine[]
  readonly amountMinor: number
  readonly currency: string
}

function buildOrderError(reason: string, description: string): ServiceError {
  return new ServiceError('invalid_request', description, { status: 422, members: { reason } })
}

function buildMandateError(description: string): ServiceError {
  return new ServiceError('mandate_invalid', description)
}

function findItem(merchant: SandboxMerchant, sku: string): CatalogEntry | undefined {
  return merchant.items.find((entry) => entry.sku === sku)
}

/** Returns whether the merchant sells all items of the list, in stock or not. */
export function sellsAll(merchant: SandboxMerchant, items: readonly LineItem[]): boolean {
  return items.every((item) => findItem(merchant, item.sku) !== undefined)
}

/**
 * Prices an order at the merchant's own prices.
 * @throws 422 invalid_request with `reason`: unknown_item, out_of_stock, price_changed or mixed_currencies
 */
export function priceOrder(merchant: SandboxMerchant, items: readonly LineItem[]): PricedOrder {
  const lines = items.map((item) => priceLine(merchant, item))
  const currency = lines[0]?.currency ?? ''
  if (lines.some((line) => line.currency !== currency)) {
    throw buildOrderError('mixed_currencies', 'The line items are not of one currency.')
  }
  const amountMinor = lines.reduce((sum, line) => sum + line.qty * line.unit_price_minor, 0)
  return { lines, amountMinor, currency }
}

function priceLine(merchant: SandboxMerchant, item: LineItem): ReceiptLine {
  const entry = findItem(merchant, item.sku)
  if (entry === undefined) throw buildOrderError('unknown_item', 'A line item is not in the catalog.')
  if (!entry.inStock) throw buildOrderError('out_of_stock', 'A line item is out of stock.')
  const { sku, title, unitPriceMinor, currency } = entry
  const isPriced = (item.unit_price_minor ?? unitPriceMinor) === unitPriceMinor
  if (!isPriced || (item.currency ?? currency) !== currency) {
    throw buildOrderError('price_changed', 'A line item does not have the price of the catalog.')
  }
  return { sku, title, qty: item.qty, unit_price_minor: unitPriceMinor, currency }
}

/** Throws unless the mandate is for the amount of the order and, when it discloses line items, for the same goods. */
export function requireMandateForOrder(claims: MandateClaims, disclosed: JsonObject, order: PricedOrder): void {
  if (claims.amount_minor !== order.amountMinor || claims.currency !== order.currency) {
    throw buildMandateError('The mandate is not for what the order costs.')
  }
  requireApprovedItems(claims, disclosed, order.lines)
}

/**
 * Throws unless the purchase has the line items that the mandate discloses: the same articles, quantities and prices.
 */
export function requireApprovedItems(
  { currency }: MandateClaims,
  { line_items: approved }: JsonObject,
  items: readonly LineItem[],
): void {
  if (!Array.isArray(approved) || isSameGoods(approved as LineItem[], items, currency)) return
  throw buildMandateError('The mandate is for other line items.')
}

/** Returns whether two lists hold the same goods, in any order and grouping. */
function isSameGoods(approved: readonly LineItem[], items: readonly LineItem[], currency: string): boolean {
  const skus = new Set([...approved, ...items].map((line) => line.sku))
  return [...skus].every((sku) => {
    const [was, is] = [approved, items].map((lines) => lines.filter((line) => line.sku === sku))
    return was !== undefined && is !== undefined && isSameArticle(was, is, currency)
  })
}

/** Returns whether the lines of one article agree. A price that one side omits does not contradict the other's. */
function isSameArticle(approved: readonly LineItem[], items: readonly LineItem[], currency: string): boolean {
  const [was, is] = [countByPrice(approved, currency), countByPrice(items, currency)]
  const [wasInAll, isInAll] = [was, is].map((counts) => [...counts.values()].reduce((sum, qty) => sum + qty, 0))
  if (wasInAll !== isInAll) return false
  const isOpen = was.has(null) || is.has(null)
  const agreed = [...was.keys()].filter((price) => price !== null)
  const asked = [...is.keys()].filter((price) => price !== null)
  if (isOpen) return agreed.length === 0 || asked.every((price) => agreed.includes(price))
  return was.size === is.size && asked.every((price) => was.get(price) === is.get(price))
}

/** Returns the quantity at each price; the key is null for lines without one. */
function countByPrice(lines: readonly LineItem[], currency: string): ReadonlyMap<string | null, number> {
  const counts = new Map<string | null, number>()
  for (const line of lines) {
    const price = line.unit_price_minor === undefined ? null : `${line.unit_price_minor} ${line.currency ?? currency}`
    counts.set(price, (counts.get(price) ?? 0) + line.qty)
  }
  return counts
}

/** Throws unless the line items agree with the mandate's amount. A merchant checks more against its own catalog. */
export function requireMandateCovers(
  { amount_minor: amountMinor, currency }: MandateClaims,
  items: readonly LineItem[],
) {
  if (itemsMatchAmount(items, { amountMinor, currency })) return
  throw buildMandateError('The line items do not match the amount of the mandate.')
}

/** Returns the digest of the offer that a purchase names by its id; undefined when the merchant has no such offer. */
export function digestOfNamedOffer(
  platform: Platform,
  merchant: SandboxMerchant,
  { offer_id }: Purchase,
): string | undefined {
  const offers = merchant.items.map((entry) => offerOf(platform, merchant, entry))
  return offers.find((offer) => offer.offer_id === offer_id)?.offer_digest
}

/**
 * Throws unless the mandate has the digest of the offer that the purchase names, or of an offer in the order: a
 * merchant with a catalog sells only by offers.
 * @throws 422 offer_digest_mismatch, also when the mandate carries none
 */
export function requireMerchantsOffer(
  { platform, merchant }: { readonly platform: Platform; readonly merchant: SandboxMerchant },
  purchase: Purchase,
  claims: MandateClaims,
): void {
  requireSameDigest(purchase, claims)
  const ordered = merchant.items.filter((entry) => purchase.line_items.some((item) => item.sku === entry.sku))
  const offers = ordered
    .map((entry) => offerOf(platform, merchant, entry))
    .filter((offer) => purchase.offer_id === undefined || offer.offer_id === purchase.offer_id)
  if (offers.some((offer) => offer.offer_digest === claims.offer_digest)) return
  throw new ServiceError('offer_digest_mismatch', 'The mandate does not carry the digest of an offer in the order.')
}

/** Throws when the purchase names another digest than the mandate. @throws 422 offer_digest_mismatch */
export function requireSameDigest({ offer_digest }: Purchase, claims: MandateClaims): void {
  if (offer_digest === undefined || offer_digest === claims.offer_digest) return
  throw new ServiceError('offer_digest_mismatch', 'The mandate is for another offer.')
}
