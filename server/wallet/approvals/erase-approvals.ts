import type { Transaction } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

/**
 * Ends the approvals that wait for the person, removes the texts from their approvals and evidence, and deletes
 * remembered approvals. What remains shows that something was approved, when and how, with the digest of what was
 * displayed.
 */
export async function eraseApprovals(
  tx: Transaction,
  { principalId, now }: { readonly principalId: string; readonly now: Date },
): Promise<void> {
  await tx.query(
    sql`UPDATE consents
        SET merchant_name = NULL, line_items = NULL, offer_id = NULL,
            decided_via = CASE status WHEN 'pending' THEN 'erased' ELSE decided_via END,
            decided_at = CASE status WHEN 'pending' THEN ${now} ELSE decided_at END,
            status = CASE status WHEN 'pending' THEN 'withdrawn' ELSE status END
      WHERE principal_id = ${principalId}`,
  )
  // A constraint requires all evidence columns of a method to be set together, so a text is emptied, not set to null.
  await tx.query(
    sql`UPDATE approval_evidence
        SET display = '{}', passkey_id = left(passkey_id, 0), nonce = left(nonce, 0), challenge = left(challenge, 0),
            authenticator_data = left(authenticator_data, 0), client_data_json = left(client_data_json, 0),
            signature = left(signature, 0), public_key = left(public_key, 0), credential_id = left(credential_id, 0),
            presentation = left(presentation, 0), transaction_data = left(transaction_data, 0),
            presentation_nonce = left(presentation_nonce, 0), audience = left(audience, 0), holder_jkt = left(holder_jkt, 0)
      WHERE principal_id = ${principalId}`,
  )
  await tx.query(sql`DELETE FROM remembered_approvals WHERE principal_id = ${principalId}`)
}
