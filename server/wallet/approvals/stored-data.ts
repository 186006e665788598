import type { Queryable } from '../../base/core/platform'
import type { StoredRows } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/**
 * Returns this slice's rows for a person's access request (GDPR Article 15). Of a wallet app's approval they contain
 * the credential's id, but no key or signature.
 */
export async function readStoredApprovals(
  db: Queryable,
  principalId: string,
): Promise<{ readonly [list: string]: StoredRows }> {
  return {
    consents: await db.query(
      sql`SELECT authorization_id, client_id, kind, consent_mode, merchant_audience, merchant_name, amount_minor, currency,
             line_items, offer_id, scope, first_purchase_at_merchant, status, created_at, expires_at, decided_at,
             decided_via, acr, auth_time, mandate_id FROM consents
        WHERE principal_id = ${principalId} ORDER BY created_at, authorization_id`,
    ),
    approval_evidence: await db.query(
      sql`SELECT authorization_id, method, display, credential_id, created_at FROM approval_evidence
        WHERE principal_id = ${principalId} ORDER BY created_at, authorization_id`,
    ),
    remembered_approvals: await db.query(
      sql`SELECT client_id, subject, up_to_minor, currency, merchant_name, created_at FROM remembered_approvals
        WHERE principal_id = ${principalId} ORDER BY created_at, client_id, subject`,
    ),
  }
}
