import type { Transaction } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

/**
 * Removes the agreed items and offers from the person's mandates, and the data that reveal them: the disclosures, and
 * the digest of an offer, which a merchant publishes with the offer.
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
