import type { Transaction } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

/**
 * Withdraws the person's limit requests, removes the items from all of them, and deletes the limits and their history.
 * The counters stay, so that open payments still count.
 */
export async function eraseLimits(tx: Transaction, erasure: { readonly principalId: string; readonly now: Date }) {
  const { principalId, now } = erasure
  await tx.query(
    sql`UPDATE limit_bumps
        SET line_items = NULL, rcs_token_hash = NULL, decided_at = CASE status WHEN 'pending' THEN ${now} ELSE decided_at END,
            status = CASE status WHEN 'pending' THEN 'withdrawn' ELSE status END
      WHERE principal_id = ${principalId}`,
  )
  await tx.query(sql`DELETE FROM limit_changes WHERE principal_id = ${principalId}`)
  await tx.query(sql`DELETE FROM agent_limits WHERE principal_id = ${principalId}`)
  await tx.query(sql`DELETE FROM wallet_limits WHERE principal_id = ${principalId}`)
}
