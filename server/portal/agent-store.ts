import type { Queryable } from '../core/platform'
import type { AgentApproval } from './contract'

interface MerchantSpendRow {
  merchant_audience: string
  merchant_name: string | null
  currency: string
  amount_minor: string
  payments: number
}

const MERCHANTS_SHOWN = 50

/** What the agent has paid since `from`, by merchant and currency, the most first. */
export function listSpendByMerchant(
  db: Queryable,
  principalId: string,
  { clientId, from }: { readonly clientId: string; readonly from: Date },
): Promise<MerchantSpendRow[]> {
  return db.query<MerchantSpendRow>(
    `SELECT s.merchant_audience, m.business_name AS merchant_name, s.currency, s.amount_minor::text AS amount_minor, s.payments
       FROM (SELECT merchant_audience, currency, sum(amount_minor) AS amount_minor, count(*) AS payments FROM payments
              WHERE principal_id = $1 AND client_id = $2 AND processed_at >= $3
              GROUP BY merchant_audience, currency) s
       LEFT JOIN merchants m ON m.merchant_audience = s.merchant_audience
      ORDER BY s.amount_minor DESC, s.merchant_audience, s.currency LIMIT ${MERCHANTS_SHOWN}`,
    [principalId, clientId, from],
  )
}

type ApprovalRow = Omit<AgentApproval, 'created_at'> & { readonly created_at: Date }

/** What the agent asked for, newest first. What nobody answered in time has expired. */
export function listAgentApprovals(
  db: Queryable,
  principalId: string,
  choice: { readonly clientId: string; readonly limit: number; readonly now: Date },
): Promise<ApprovalRow[]> {
  return db.query<ApprovalRow>(
    `SELECT authorization_id, kind, amount_minor, currency, merchant_audience, merchant_name, created_at,
            CASE WHEN status = 'pending' AND expires_at <= $4 THEN 'expired' ELSE status END AS status
       FROM consents WHERE principal_id = $1 AND client_id = $2 ORDER BY created_at DESC, authorization_id LIMIT $3`,
    [principalId, choice.clientId, choice.limit, choice.now],
  )
}
