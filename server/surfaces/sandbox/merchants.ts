import { ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import { isSameAudience } from '../../base/protocol/audience'
import { offerDigest } from '../../base/protocol/offer-digest'
import { type CatalogEntry, type SandboxMerchant, sandboxMerchants } from './catalog-data'

/** Returns the shop's address, which is also the audience of its mandates. */
export function audienceOf({ config }: Pick<Platform, 'config'>, merchant: SandboxMerchant): string {
  return `${config.baseUrl}/sandbox/merchants/${merchant.id}`
}

/** Returns the merchants of the sandbox, in the order of the catalog. */
export function listSandboxShops(platform: Pick<Platform, 'config'>) {
  return sandboxMerchants.map((merchant) => ({
    name: merchant.name,
    audience: audienceOf(platform, merchant),
    currencies: merchant.currencies,
  }))
}

/** Returns the merchant's account at the processor. */
export function connectedAccountOf(merchant: SandboxMerchant): string {
  return `acct_sandbox_${merchant.id}`
}

const FEE_PERCENT = 2

/** Returns the fee that the merchant's platform takes from a payment, rounded down to whole minor units. */
export function applicationFeeOf(amountMinor: number): number {
  return Math.floor((amountMinor * FEE_PERCENT) / 100)
}

/** Returns the merchant with this id. @throws 404 not_found */
export function requireMerchant(id: string): SandboxMerchant {
  const merchant = sandboxMerchants.find((candidate) => candidate.id === id)
  if (merchant === undefined) throw new ServiceError('not_found', 'There is no such merchant.')
  return merchant
}

/** Returns the sandbox merchant with this audience; null for any other. */
export function findMerchantByAudience(platform: Platform, audience: string): SandboxMerchant | null {
  return sandboxMerchants.find((merchant) => isSameAudience(audienceOf(platform, merchant), audience)) ?? null
}

/** Returns the standing offer of an item, and the digest that a mandate for it carries. */
export function offerOf(platform: Platform, merchant: SandboxMerchant, entry: CatalogEntry) {
  const offer_id = `${merchant.id}.${entry.sku}`
  const { sku, unitPriceMinor: unit_price_minor, currency } = entry
  const digest = offerDigest({ merchant: audienceOf(platform, merchant), offer_id, sku, unit_price_minor, currency })
  return { offer_id, offer_digest: digest }
}
