import type { Queryable, Transaction } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** Marks a person as erased and clears the data that names them. The caller holds the person's lock. Safe to repeat. */
export async function eraseProfile(tx: Transaction, { principalId }: { readonly principalId: string }): Promise<void> {
  await tx.query(
    sql`UPDATE principals SET erased = true, email = NULL, display_name = NULL, frozen_at = NULL, magic_link_gate = false,
          only_listed_merchants = false, passkey_required = false, setup_left_at = NULL
      WHERE id = ${principalId}`,
  )
}

/** Returns the processor's customer of a person who was erased; null when there is none (any more). */
export async function findErasedCustomer(db: Queryable, principalId: string): Promise<string | null> {
  const [row] = await db.query<Row<'Principal', 'processor_customer_id'>>(
    sql`SELECT processor_customer_id FROM principals WHERE id = ${principalId} AND erased`,
  )
  return row?.processor_customer_id ?? null
}

/** Deletes the id of a customer that the card processor has deleted. */
export async function forgetCustomer(tx: Queryable, principalId: string): Promise<void> {
  await tx.query(sql`UPDATE principals SET processor_customer_id = NULL WHERE id = ${principalId} AND erased`)
}
