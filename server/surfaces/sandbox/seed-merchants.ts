import type { Platform } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
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
    const audience = audienceOf(platform, merchant)
    const currencies = JSON.stringify(merchant.currencies)
    const rails = JSON.stringify(['card'])
    const status = merchant.isVerified ? 'verified' : 'pending'
    const verifiedAt = merchant.isVerified ? now : null
    // Two statements: of two processes that start at once, an upsert on the id could still collide on the audience.
    await platform.db.query(
      sql`INSERT INTO merchants (id, merchant_audience, business_name, country, accepts_currency, accepts_rail,
                              verification_status, verified_at, connected_account_id, created_at)
       VALUES (${merchant.id}, ${audience}, ${merchant.name}, ${merchant.country}, ${currencies}::jsonb, ${rails}::jsonb,
               ${status}, ${verifiedAt}, ${connectedAccountOf(merchant)}, ${now}) ON CONFLICT DO NOTHING`,
    )
    await platform.db.query(
      sql`UPDATE merchants SET merchant_audience = ${audience}, business_name = ${merchant.name}, country = ${merchant.country},
                            accepts_currency = ${currencies}::jsonb, accepts_rail = ${rails}::jsonb
        WHERE id = ${merchant.id}`,
    )
    await ensureMerchantKey(platform, merchant.id)
  }
}
