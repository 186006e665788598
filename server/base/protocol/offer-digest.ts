import { canonicalJson, sha256Base64url } from './encoding'

/** The parts of a merchant's offer to which a mandate is bound. The members are those of the catalog. */
export interface Offer {
  readonly merchant: string
  readonly offer_id: string
  readonly sku: string
  readonly unit_price_minor: number
  readonly currency: string
}

/**
 * Returns the digest that binds a mandate to one offer: SHA-256 over the canonical JSON of exactly these five members.
 * @see {@link https://www.rfc-editor.org/rfc/rfc8785#section-3.2}
 */
export function offerDigest({ merchant, offer_id, sku, unit_price_minor, currency }: Offer): string {
  return sha256Base64url(canonicalJson({ merchant, offer_id, sku, unit_price_minor, currency }))
}
