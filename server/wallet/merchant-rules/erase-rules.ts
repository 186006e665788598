import type { Transaction } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

/** Deletes the person's merchant rules, and those of their tenant that are about their agents. */
export async function eraseRules(tx: Transaction, { principalId }: { readonly principalId: string }): Promise<void> {
  await tx.query(sql`DELETE FROM principal_merchant_rules WHERE principal_id = ${principalId}`)
  await tx.query(
    sql`DELETE FROM merchant_rules WHERE client_id IN (SELECT id FROM agents WHERE principal_id = ${principalId})`,
  )
}
