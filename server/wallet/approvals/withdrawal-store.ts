import type { Transaction } from '../../base/core/platform'
import { type Sql, sql } from '../../base/core/sql'

interface Withdrawal {
  readonly principalId: string
  /** The agent whose purchases end; null for all agents of the person. */
  readonly clientId: string | null
  readonly via: 'frozen' | 'paused'
  readonly now: Date
}

/** Withdraws the purchases that wait for the person, because they froze spending or paused the agent. */
export async function withdrawPendingPurchases(
  tx: Transaction,
  { principalId, clientId, via, now }: Withdrawal,
): Promise<void> {
  await tx.query(
    sql`UPDATE consents SET status = 'withdrawn', decided_at = ${now}, decided_via = ${via}
      WHERE principal_id = ${principalId} AND client_id = coalesce(${clientId}::text, client_id) AND kind = 'payment'
        AND status = 'pending' AND expires_at > ${now}`,
  )
}

/** Withdraws everything that waits for the person's approval, because they restricted processing. */
export async function withdrawPendingApprovals(
  tx: Transaction,
  { principalId, now }: { readonly principalId: string; readonly now: Date },
): Promise<void> {
  await tx.query(
    sql`UPDATE consents SET status = 'withdrawn', decided_at = ${now}, decided_via = 'restricted'
      WHERE principal_id = ${principalId} AND status = 'pending' AND expires_at > ${now}`,
  )
}

/**
 * SQL statement that withdraws the approval of a request that its agent sent to authorize before it was decided.
 * `request` is a row source with the `authorization_id`; the statement returns the approvals that ended.
 */
export const withdrawEarlySql = ({ request, now }: { readonly request: Sql; readonly now: Date }): Sql =>
  sql`UPDATE consents o SET status = 'withdrawn', decided_at = ${now}, decided_via = 'presented'
        FROM ${request} r
       WHERE o.authorization_id = r.authorization_id AND o.status = 'pending' AND o.expires_at > ${now}
      RETURNING o.authorization_id`
