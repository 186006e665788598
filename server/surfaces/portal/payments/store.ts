import type { Queryable } from '../../../base/core/platform'
import { sql } from '../../../base/core/sql'

export interface PaymentContext {
  agent_purpose: string | null
  agent_revoked: boolean
  merchant_verified: boolean
  over_limit: boolean
  remembered: boolean
}

/** What stands around one payment of the person: its agent and merchant as they are now, and what allowed it. */
export async function findPaymentContext(
  db: Queryable,
  principalId: string,
  paymentIntentId: string,
): Promise<PaymentContext | null> {
  const [row] = await db.query<PaymentContext>(
    sql`SELECT c.purpose AS agent_purpose, c.revoked_at IS NOT NULL AS agent_revoked,
            coalesce(m.verification_status = 'verified', false) AS merchant_verified,
            EXISTS (SELECT 1 FROM limit_bumps b WHERE b.used_by = p.settlement_id) AS over_limit,
            EXISTS (SELECT 1 FROM consents k WHERE k.principal_id = ${principalId} AND k.client_id = p.client_id
                       AND k.merchant_audience = p.merchant_audience AND k.status = 'approved'
                       AND k.decided_at <= d.issued_at) AS remembered
       FROM payments p JOIN clients c ON c.id = p.client_id JOIN mandates d ON d.id = p.mandate_id
       LEFT JOIN merchants m ON m.merchant_audience = p.merchant_audience
      WHERE p.payment_intent_id = ${paymentIntentId} AND p.principal_id = ${principalId}`,
  )
  return row ?? null
}

export interface PaymentAuditRow {
  seq: number
  ts: Date
  event: string
  dispute_status: string | null
}

/** The audit entries about one payment, oldest first: of the time in which it was made, and of its dispute. */
export function listPaymentAudit(
  db: Queryable,
  owner: { principalId: string; tenantId: string },
  payment: { paymentIntentId: string; since: Date; until: Date },
): Promise<PaymentAuditRow[]> {
  const columns = sql`seq, ts, event, payload::jsonb ->> 'dispute_status' AS dispute_status`
  const isIts = sql`tenant_id = ${owner.tenantId} AND principal_id = ${owner.principalId}
    AND payload::jsonb ->> 'payment_intent_id' = ${payment.paymentIntentId}`
  return db.query<PaymentAuditRow>(
    sql`SELECT ${columns} FROM audit_entries
      WHERE ${isIts} AND ts BETWEEN ${payment.since} AND ${payment.until} AND event <> 'oid4ac.payment.disputed'
     UNION ALL
     SELECT ${columns} FROM audit_entries WHERE ${isIts} AND event = 'oid4ac.payment.disputed'
     ORDER BY seq LIMIT 100`,
  )
}
