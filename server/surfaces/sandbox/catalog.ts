import type * as z from 'zod'
import type { Platform } from '../../base/core/platform'
import { type SignatureHeaders, signResponse } from '../../base/protocol/http-signature'
import type { CatalogEntry, SandboxMerchant } from './catalog-data'
import { readMerchantSigningKey } from './merchant-keys'
import { audienceOf, offerOf } from './merchants'
import type { catalogBody, catalogItem } from './wire'

/** The signature's tag, so that the signature of a catalog is never accepted for another message. */
export const CATALOG_SIGNATURE_TAG = 'oid4ac-catalog'

type Catalog = z.input<typeof catalogBody>

/** The merchant's complete catalog as it is sent, with its signature. */
export interface SignedCatalog {
  readonly catalog: Catalog
  /** The exact text from which the content digest is computed. */
  readonly body: string
  readonly signature: SignatureHeaders
}

export function catalogUrlOf(platform: Platform, merchant: SandboxMerchant): string {
  return `${audienceOf(platform, merchant)}/.well-known/oid4ac-catalog`
}

/**
 * Renders and signs the catalog.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9421#section-2.4} and RFC 9530 for the digest
 */
export async function signCatalog(platform: Platform, merchant: SandboxMerchant, now: Date): Promise<SignedCatalog> {
  const catalog = renderCatalog(platform, merchant)
  const body = JSON.stringify(catalog)
  const signature = signResponse({
    status: 200,
    contentType: 'application/json',
    body: Buffer.from(body),
    request: { method: 'GET', url: catalog.catalog_url },
    key: await readMerchantSigningKey(platform, merchant.id),
    now,
    tag: CATALOG_SIGNATURE_TAG,
  })
  return { catalog, body: merchant.altersSignedCatalog ? withLowerPrice(catalog) : body, signature }
}

function renderCatalog(platform: Platform, merchant: SandboxMerchant): Catalog {
  return {
    '@context': 'https://schema.org',
    '@type': 'OfferCatalog',
    merchant: audienceOf(platform, merchant),
    catalog_url: catalogUrlOf(platform, merchant),
    items: merchant.items.map((entry) => renderItem(platform, merchant, entry)),
  }
}

function renderItem(platform: Platform, merchant: SandboxMerchant, entry: CatalogEntry): z.input<typeof catalogItem> {
  return {
    sku: entry.sku,
    title: entry.title,
    ...(entry.description !== undefined && { description: entry.description }),
    unit_price_minor: entry.unitPriceMinor,
    currency: entry.currency,
    in_stock: entry.inStock,
    category: entry.category,
    ...(entry.minAge !== undefined && { min_age: entry.minAge }),
    ships_to: [...merchant.shipsTo],
    ...offerOf(platform, merchant, entry),
  }
}

/** Returns the catalog with lower prices, as an intermediary could send it to attract buyers. */
function withLowerPrice(catalog: Catalog): string {
  const items = catalog.items.map((item) => ({ ...item, unit_price_minor: Math.ceil(item.unit_price_minor / 2) }))
  return JSON.stringify({ ...catalog, items })
}
