import type { Transaction } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

/**
 * Takes the agreed items and offers out of the person's mandates, and what tells them as well: the disclosures, and the digest
 * of an offer, which a merchant publishes beside it.
 */
export async function eraseMandateItems(
  tx: Transaction,
  { principalId }: { readonly principalId: string },
): Promise<void> {
  await tx.query(
    sql`UPDATE mandates SET offer_id = NULL, offer_digest = NULL, disclosures = NULL,
             line_items = CASE WHEN line_items IS NOT NULL THEN '[]'::jsonb END
      WHERE principal_id = ${principalId}`,
  )
}
