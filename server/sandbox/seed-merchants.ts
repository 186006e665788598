import type { Platform } from '../core/platform'
import { sandboxMerchants } from './catalog-data'
import { ensureMerchantKey } from './merchant-keys'
import { audienceOf, connectedAccountOf } from './merchants'

/**
 * Writes the sandbox's merchants and their catalog keys. May run at every start: what an operator decided about a
 * merchant since (its status, its account) and its key stay; what the data says (name, currencies) and its address,
 * which follows BASE_URL, are brought up to date.
 */
export async function seedSandboxMerchants(platform: Platform): Promise<void> {
  const now = platform.clock.now()
  for (const merchant of sandboxMerchants) {
    await platform.db.query(
      `INSERT INTO merchants (id, merchant_audience, business_name, country, accepts_currency, accepts_rail,
                              verification_status, verified_at, connected_account_id, created_at)
       VALUES ($1, $2, $3, $4, $5::jsonb, $6::jsonb, $7, $8, $9, $10)
       ON CONFLICT (id) DO UPDATE SET merchant_audience = excluded.merchant_audience,
         business_name = excluded.business_name, country = excluded.country,
         accepts_currency = excluded.accepts_currency, accepts_rail = excluded.accepts_rail`,
      [
        merchant.id,
        audienceOf(platform, merchant),
        merchant.name,
        merchant.country,
        JSON.stringify(merchant.currencies),
        JSON.stringify(['card']),
        merchant.isVerified ? 'verified' : 'pending',
        merchant.isVerified ? now : null,
        connectedAccountOf(merchant),
        now,
      ],
    )
    await ensureMerchantKey(platform, merchant.id)
  }
}
