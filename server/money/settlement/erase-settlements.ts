import type { Transaction } from '../../base/core/platform'
import { openStates, stateIn } from '../../base/core/settlement-state'
import { sql } from '../../base/core/sql'

/**
 * Deletes the idempotency keys, which agents chose, and the presented mandates from the person's settlements, except
 * from open ones, which another transaction may have locked.
 */
export async function eraseSettlementKeys(
  tx: Transaction,
  { principalId }: { readonly principalId: string },
): Promise<void> {
  await tx.query(
    sql`UPDATE settlements SET idempotency_key = id, sealed_presentation = NULL
      WHERE principal_id = ${principalId} AND state NOT ${stateIn(openStates)}`,
  )
}
