import type { Queryable } from '../../../base/core/platform'
import { sql } from '../../../base/core/sql'
import { hasUsedGrantSql } from '../../../wallet/limits'
import { isListedSql } from '../../../wallet/merchants'

export interface PaymentContext {
  agent_purpose: string | null
  agent_revoked: boolean
  merchant_verified: boolean
  over_limit: boolean
  remembered: boolean
}

/** Returns the present state of a payment's agent and merchant, and what allowed the payment. */
export async function findPaymentContext(
  db: Queryable,
  principalId: string,
  { paymentIntentId, now }: { readonly paymentIntentId: string; readonly now: Date },
): Promise<PaymentContext | null> {
  const [row] = await db.query<PaymentContext>(
    sql`SELECT c.purpose AS agent_purpose, c.revoked_at IS NOT NULL AS agent_revoked,
            ${isListedSql(sql`m`, sql`${now}::timestamptz`)} AS merchant_verified,
            ${hasUsedGrantSql(sql`p.settlement_id`)} AS over_limit,
            EXISTS (SELECT 1 FROM approval_outcomes k WHERE k.principal_id = ${principalId} AND k.client_id = p.client_id
                       AND k.merchant_audience = p.merchant_audience AND k.status = 'approved'
                       AND k.decided_at <= d.issued_at) AS remembered
       FROM completed_payments p JOIN agents c ON c.id = p.client_id JOIN mandate_terms d ON d.id = p.mandate_id
       LEFT JOIN merchant_profiles m ON m.merchant_audience = p.merchant_audience
      WHERE p.payment_intent_id = ${paymentIntentId} AND p.principal_id = ${principalId}`,
  )
  return row ?? null
}
