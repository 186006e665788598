import type { LineItem } from '../../../base/contract/wire'
import type { Queryable } from '../../../base/core/platform'
import type { Row } from '../../../base/core/rows'
import type { SettlementState } from '../../../base/core/settlement-state'
import { sql } from '../../../base/core/sql'
import { settlementOfMandateSql } from '../../../money/settlement'
import { isVerifiedSql } from '../../../wallet/merchants'
import type { ConsentView } from './view'

export type PurchaseRow = Row<'Payment', 'amount_minor' | 'currency' | 'client_id'> & {
  readonly at: Date
  readonly agent_label: string
  readonly items: LineItem[] | null
}

/** Returns the person's last payment at the merchant before `before`, by any agent. */
export async function findLastPurchase(
  db: Queryable,
  principalId: string,
  { audience, before }: { readonly audience: string; readonly before: Date },
): Promise<PurchaseRow | null> {
  const [row] = await db.query<PurchaseRow>(
    sql`SELECT y.processed_at AS at, y.amount_minor, y.currency, y.client_id, c.full_name AS agent_label,
            (SELECT coalesce(d.line_items, i.line_items) FROM mandate_terms d LEFT JOIN agreed_items i ON i.family_id = d.family_id
              WHERE d.id = y.mandate_id) AS items
       FROM completed_payments y JOIN agents c ON c.id = y.client_id
      WHERE y.principal_id = ${principalId} AND y.merchant_audience = ${audience} AND y.processed_at < ${before}
      ORDER BY y.processed_at DESC LIMIT 1`,
  )
  return row ?? null
}

interface ConsentContext {
  merchant_verified: boolean
  agent_is_new: boolean
  agent_connected_at: Date
  agent_paused: boolean
  asks_at_new_merchants: boolean
  payment: ConsentView['payment']
  settlement: {
    readonly id: string
    readonly state: SettlementState
  } | null
}

/**
 * Returns the state of an approval's merchant and agent, and the payment that followed; null for an unknown approval.
 */
export async function findConsentContext(
  db: Queryable,
  principalId: string,
  { authorizationId, now }: { readonly authorizationId: string; readonly now: Date },
): Promise<ConsentContext | null> {
  const [row] = await db.query<ConsentContext>(
    sql`SELECT ${isVerifiedSql(sql`o.merchant_audience`, sql`${now}::timestamptz`)} AS merchant_verified,
            NOT EXISTS (SELECT 1 FROM completed_payments p WHERE p.principal_id = ${principalId} AND p.client_id = o.client_id
                           AND p.mandate_id IS DISTINCT FROM o.mandate_id)
              AND NOT EXISTS (SELECT 1 FROM approval_outcomes k WHERE k.principal_id = ${principalId} AND k.client_id = o.client_id
                                 AND k.status = 'approved' AND k.authorization_id <> o.authorization_id) AS agent_is_new,
            c.created_at AS agent_connected_at,
            c.paused_at IS NOT NULL AND c.revoked_at IS NULL AS agent_paused,
            EXISTS (SELECT 1 FROM principal_profiles p WHERE p.id = ${principalId} AND p.approval_rule = 'new_merchants') AS asks_at_new_merchants,
            (SELECT jsonb_build_object('payment_intent_id', p.payment_intent_id, 'status', p.status)
               FROM completed_payments p WHERE p.principal_id = ${principalId} AND p.mandate_id = o.mandate_id) AS payment,
            ${settlementOfMandateSql({ principalId, id: sql`o.mandate_id` })} AS settlement
       FROM approval_outcomes o JOIN agents c ON c.id = o.client_id
      WHERE o.authorization_id = ${authorizationId} AND o.principal_id = ${principalId}`,
  )
  return row ?? null
}
