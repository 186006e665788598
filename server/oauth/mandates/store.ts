import type { Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

export interface MandateRow {
  id: string
  family_id: string
  client_id: string
  principal_id: string
  tenant_id: string
  merchant_audience: string
  amount_minor: number
  currency: string
  offer_id: string | null
  offer_digest: string | null
  jkt: string
  expires_at: Date
  revoked_at: Date | null
}

/** The mandate with the living state of its family, client and principal; null when unknown. */
export async function findMandate(db: Queryable, id: string) {
  const [row] = await db.query<MandateRow & { live: boolean }>(
    sql`SELECT m.id, m.family_id, m.client_id, m.principal_id, m.tenant_id, m.merchant_audience, m.amount_minor, m.currency,
            m.offer_id, m.offer_digest, m.jkt, m.expires_at, m.revoked_at,
            (m.revoked_at IS NULL AND f.revoked_at IS NULL AND c.revoked_at IS NULL AND NOT p.erased) AS live
       FROM mandates m JOIN token_families f ON f.id = m.family_id JOIN clients c ON c.id = m.client_id
       JOIN principals p ON p.id = m.principal_id
      WHERE m.id = ${id}`,
  )
  return row ?? null
}

/**
 * Revokes the living mandates of some token families, in the transaction that revokes the families. Returns whether there
 * were any: the published list then has to move, see `moveStatusList`.
 */
export async function revokeMandatesOfFamilies(
  tx: Queryable,
  familyIds: readonly string[],
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    sql`UPDATE mandates SET revoked_at = ${now} WHERE family_id = ANY (${familyIds}::text[]) AND revoked_at IS NULL RETURNING id`,
  )
  return rows.length > 0
}

/** Moves the version of the published list. Everybody who revokes waits for its row, so this comes last. */
export async function moveStatusList(tx: Queryable): Promise<void> {
  await tx.query(sql`UPDATE status_lists SET version = version + 1`)
}
