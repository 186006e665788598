import type { Queryable } from '../../../base/core/platform'
import { sql } from '../../../base/core/sql'
import { type AllowingRule, allowingRuleSql } from '../../../wallet/approvals'
import { isListedSql } from '../../../wallet/merchants'

export interface PaymentContext {
  agent_purpose: string | null
  agent_revoked: boolean
  agent_paused: boolean
  merchant_verified: boolean
  /** Why it was allowed; for a payment with an approval of its own, only whether limits were exceeded matters. */
  rule: AllowingRule
}

/** Returns the present state of a payment's agent and merchant, and what allowed the payment. */
export async function findPaymentContext(
  db: Queryable,
  principalId: string,
  { paymentIntentId, now }: { readonly paymentIntentId: string; readonly now: Date },
): Promise<PaymentContext | null> {
  const [row] = await db.query<PaymentContext>(
    sql`SELECT c.purpose AS agent_purpose, c.revoked_at IS NOT NULL AS agent_revoked,
            c.paused_at IS NOT NULL AND c.revoked_at IS NULL AS agent_paused,
            ${isListedSql(sql`m`, sql`${now}::timestamptz`)} AS merchant_verified,
            ${allowingRuleSql({
              principalId: sql`p.principal_id`,
              clientId: sql`p.client_id`,
              audience: sql`p.merchant_audience`,
              settlementId: sql`p.settlement_id`,
              issuedAt: sql`d.issued_at`,
            })} AS rule
       FROM completed_payments p JOIN agents c ON c.id = p.client_id JOIN mandate_terms d ON d.id = p.mandate_id
       LEFT JOIN merchant_profiles m ON m.merchant_audience = p.merchant_audience
      WHERE p.payment_intent_id = ${paymentIntentId} AND p.principal_id = ${principalId}`,
  )
  return row ?? null
}
