import type { LineItem } from '../../base/contract/wire'
import type { Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import { approvalHandle, matchCode } from './create-consent'

/** A purchase that the rules allowed and that the person confirmed with the mailed link of the magic-link gate. */
interface ConfirmedPurchase {
  readonly authorizationId: string
  /** The hash of the link's token. */
  readonly tokenHash: string
  readonly principalId: string
  readonly clientId: string
  readonly merchantAudience: string
  readonly amountMinor: number
  readonly currency: string
  readonly lineItems: readonly LineItem[]
  readonly offerId: string | null
  readonly scope: readonly string[]
  readonly askedAt: Date
  readonly expiresAt: Date
  readonly now: Date
}

/** Saves the person's confirmation as an approval that is already decided, for the mandate that follows. */
export async function insertConfirmedPurchase(tx: Queryable, purchase: ConfirmedPurchase): Promise<void> {
  const { principalId, merchantAudience, now } = purchase
  await tx.query(
    sql`INSERT INTO consents (authorization_id, approval_handle, match_code, principal_id, client_id, kind, consent_mode,
                           merchant_audience, merchant_name, amount_minor, currency, line_items, offer_id, scope,
                           first_purchase_at_merchant, status, created_at, expires_at, decided_at, decided_via, acr, auth_time)
     SELECT ${purchase.authorizationId}, ${approvalHandle(purchase.tokenHash)}, ${matchCode(purchase.tokenHash)}, ${principalId}, ${purchase.clientId}, 'payment', 'dashboard',
            ${merchantAudience}::text, (SELECT m.business_name FROM merchant_profiles m WHERE m.merchant_audience = ${merchantAudience}),
            ${purchase.amountMinor}::bigint, ${purchase.currency}, ${JSON.stringify(purchase.lineItems)}::jsonb, ${purchase.offerId}, ${JSON.stringify(purchase.scope)}::jsonb,
            NOT EXISTS (SELECT 1 FROM completed_payments y WHERE y.principal_id = ${principalId} AND y.merchant_audience = ${merchantAudience}),
            'approved', ${purchase.askedAt}::timestamptz, ${purchase.expiresAt}::timestamptz, ${now}::timestamptz, 'magic_link', 'mail', ${now}::timestamptz`,
  )
}
