import type { Queryable } from '../../../base/core/platform'
import { sql } from '../../../base/core/sql'
import type { AgentApproval } from './view'

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
    sql`SELECT s.merchant_audience, m.business_name AS merchant_name, s.currency, s.amount_minor::text AS amount_minor, s.payments
       FROM (SELECT merchant_audience, currency, sum(amount_minor) AS amount_minor, count(*) AS payments FROM payments
              WHERE principal_id = ${principalId} AND client_id = ${clientId} AND processed_at >= ${from}
              GROUP BY merchant_audience, currency) s
       LEFT JOIN merchants m ON m.merchant_audience = s.merchant_audience
      ORDER BY s.amount_minor DESC, s.merchant_audience, s.currency LIMIT ${sql.raw(MERCHANTS_SHOWN)}`,
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
    sql`SELECT authorization_id, kind, amount_minor, currency, merchant_audience, merchant_name, created_at,
            CASE WHEN status = 'pending' AND expires_at <= ${choice.now} THEN 'expired' ELSE status END AS status
       FROM consents WHERE principal_id = ${principalId} AND client_id = ${choice.clientId} ORDER BY created_at DESC, authorization_id LIMIT ${choice.limit}`,
  )
}

interface AgentSpendRow {
  client_id: string
  currency: string
  amount_minor: string
}

/** What each agent has paid since `from`, per currency. Lost disputes gave the money back. */
export function listAgentSpend(db: Queryable, principalId: string, from: Date): Promise<AgentSpendRow[]> {
  return db.query<AgentSpendRow>(
    sql`SELECT client_id, currency, sum(amount_minor)::text AS amount_minor FROM payments
      WHERE principal_id = ${principalId} AND processed_at >= ${from} AND status <> 'disputed_lost'
      GROUP BY client_id, currency ORDER BY client_id, currency`,
  )
}

/** The sessions that a revocation of the agent would end. */
export async function countActiveFamilies(db: Queryable, principalId: string, choice: { clientId: string; now: Date }) {
  const [row] = await db.query<{ count: number }>(
    sql`SELECT count(*) AS count FROM token_families
      WHERE principal_id = ${principalId} AND client_id = ${choice.clientId} AND revoked_at IS NULL AND expires_at > ${choice.now}`,
  )
  return row?.count ?? 0
}
