import type { Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

/** Takes back a person who was created by the same request and whom nothing refers to yet. */
export async function deleteNewPrincipal(db: Queryable, principalId: string): Promise<void> {
  await db.query(sql`DELETE FROM principals WHERE id = ${principalId}`)
}

/** The saved card that a setup intent has led to. */
export async function findCardOfIntent(db: Queryable, setupIntentId: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    sql`SELECT id FROM card_mandates WHERE setup_intent_id = ${setupIntentId}`,
  )
  return row?.id ?? null
}
