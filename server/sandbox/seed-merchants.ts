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
    const described = [
      merchant.id,
      audienceOf(platform, merchant),
      merchant.name,
      merchant.country,
      JSON.stringify(merchant.currencies),
      JSON.stringify(['card']),
    ]
    const status = merchant.isVerified ? 'verified' : 'pending'
    // Two statements: of two processes that start at once, an upsert on the id could still collide on the audience.
    await platform.db.query(
      `INSERT INTO merchants (id, merchant_audience, business_name, country, accepts_currency, accepts_rail,
                              verification_status, verified_at, connected_account_id, created_at)
       VALUES ($1, $2, $3, $4, $5::jsonb, $6::jsonb, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
      [...described, status, merchant.isVerified ? now : null, connectedAccountOf(merchant), now],
    )
    await platform.db.query(
      `UPDATE merchants SET merchant_audience = $2, business_name = $3, country = $4, accepts_currency = $5::jsonb,
                            accepts_rail = $6::jsonb
        WHERE id = $1`,
      described,
    )
    await ensureMerchantKey(platform, merchant.id)
  }
}
