import type { Platform } from '../../base/core/platform'
import { ensureMerchant, SANDBOX_FEE_BPS } from '../../wallet/merchants'
import { sandboxMerchants } from './catalog-data'
import { ensureMerchantKey } from './merchant-keys'
import { audienceOf, connectedAccountOf } from './merchants'

/**
 * Writes the sandbox's merchants and their catalog keys. May run at every start: an operator's decisions about a
 * merchant (status, account, fee) and its key are kept; the name and currencies from the data, and the address under
 * BASE_URL, are updated.
 */
export async function seedSandboxMerchants(platform: Platform): Promise<void> {
  const now = platform.clock.now()
  for (const merchant of sandboxMerchants) {
    await ensureMerchant(platform.db, {
      id: merchant.id,
      fields: {
        merchant_audience: audienceOf(platform, merchant),
        business_name: merchant.name,
        country: merchant.country,
        accepts_currency: [...merchant.currencies],
        accepts_rail: ['card'],
        verification_status: merchant.isVerified ? 'verified' : 'pending',
        connected_account_id: connectedAccountOf(merchant),
        max_application_fee_bps: SANDBOX_FEE_BPS,
        min_age: merchant.minAge,
      },
      now,
    })
    await ensureMerchantKey(platform, merchant.id)
  }
}
