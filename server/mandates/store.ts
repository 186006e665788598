import type { Queryable } from '../core/platform'

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
    `SELECT m.id, m.family_id, m.client_id, m.principal_id, m.tenant_id, m.merchant_audience, m.amount_minor, m.currency,
            m.offer_id, m.offer_digest, m.jkt, m.expires_at, m.revoked_at,
            (m.revoked_at IS NULL AND f.revoked_at IS NULL AND c.revoked_at IS NULL AND NOT p.erased) AS live
       FROM mandates m JOIN token_families f ON f.id = m.family_id JOIN clients c ON c.id = m.client_id
       JOIN principals p ON p.id = m.principal_id
      WHERE m.id = $1`,
    [id],
  )
  return row ?? null
}

/**
 * Revokes the living mandates of some token families and moves the published list's version. Part of the transaction
 * that revokes the families. Returns how many mandates it revoked.
 */
export async function revokeMandatesOfFamilies(
  tx: Queryable,
  familyIds: readonly string[],
  now: Date,
): Promise<number> {
  const [row] = await tx.query<{ revoked: number }>(
    `WITH revoked AS (
       UPDATE mandates SET revoked_at = $2 WHERE family_id = ANY ($1::text[]) AND revoked_at IS NULL RETURNING id),
     moved AS (UPDATE status_lists SET version = version + 1 WHERE EXISTS (SELECT 1 FROM revoked) RETURNING id)
     SELECT (SELECT count(*)::int FROM revoked) AS revoked`,
    [familyIds, now],
  )
  return row?.revoked ?? 0
}
