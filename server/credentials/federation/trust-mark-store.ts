import type { Queryable, Transaction } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

/** The subordinate and the type by which a mark is found in the ledger. */
export interface MarkName {
  readonly sub: string
  readonly trustMarkId: string
}

interface Issuance extends MarkName {
  readonly now: Date
  readonly expiresAt: Date
}

/**
 * Records that a mark is issued, and returns the generation under which it is signed. Null unless the subordinate is
 * active and may hold the mark, and the mark is not revoked.
 */
export async function recordIssuance(
  db: Queryable,
  { sub, trustMarkId, now, expiresAt }: Issuance,
): Promise<number | null> {
  const [row] = await db.query<Row<'FederationTrustMark', 'generation'>>(
    sql`INSERT INTO federation_trust_marks AS m (sub, trust_mark_id, issued_at, expires_at, generation)
     SELECT s.entity_id, ${trustMarkId}, ${now}, ${expiresAt}, 1 FROM federation_subordinates s
      WHERE s.entity_id = ${sub} AND s.status = 'active' AND s.trust_mark_ids @> jsonb_build_array(${trustMarkId}::text)
     ON CONFLICT (sub, trust_mark_id) DO UPDATE SET expires_at = greatest(m.expires_at, excluded.expires_at)
      WHERE m.revoked_at IS NULL
     RETURNING generation`,
  )
  return row?.generation ?? null
}

type MarkState = Readonly<
  Row<'FederationTrustMark', 'generation' | 'revoked_at' | 'expires_at'> & {
    /** The subordinate is active and may hold the mark. */
    is_eligible: boolean
  }
>

/** Returns the state of a mark; null when it was never issued. */
export async function findMark(db: Queryable, { sub, trustMarkId }: MarkName): Promise<MarkState | null> {
  const [row] = await db.query<MarkState>(
    sql`SELECT m.generation, m.revoked_at, m.expires_at,
            s.status = 'active' AND s.trust_mark_ids @> jsonb_build_array(m.trust_mark_id) AS is_eligible
       FROM federation_trust_marks m JOIN federation_subordinates s ON s.entity_id = m.sub
      WHERE m.sub = ${sub} AND m.trust_mark_id = ${trustMarkId}`,
  )
  return row ?? null
}

/** Revokes a mark. Returns when it was revoked, and whether by this call; null when it was never issued. */
export async function revokeMark(
  tx: Transaction,
  { sub, trustMarkId }: MarkName,
  now: Date,
): Promise<{ revokedAt: Date; isNew: boolean } | null> {
  const [revoked] = await tx.query<{ sub: string }>(
    sql`UPDATE federation_trust_marks SET revoked_at = ${now}
      WHERE sub = ${sub} AND trust_mark_id = ${trustMarkId} AND revoked_at IS NULL RETURNING sub`,
  )
  if (revoked !== undefined) return { revokedAt: now, isNew: true }
  const known = await findMark(tx, { sub, trustMarkId })
  return known?.revoked_at ? { revokedAt: known.revoked_at, isNew: false } : null
}

/** Marks of one subordinate that may be issued again. */
export interface Reinstatement {
  readonly sub: string
  readonly trustMarkIds: readonly string[]
  readonly now: Date
}

/**
 * Lets revoked marks be issued again. Those that were signed before stay inactive. Returns how many marks there were.
 */
export async function reinstateMarks(tx: Transaction, { sub, trustMarkIds, now }: Reinstatement): Promise<number> {
  const rows = await tx.query(
    sql`UPDATE federation_trust_marks SET revoked_at = NULL, generation = generation + 1, expires_at = ${now}
      WHERE sub = ${sub} AND trust_mark_id = ANY (${trustMarkIds}::text[]) AND revoked_at IS NOT NULL
      RETURNING trust_mark_id`,
  )
  return rows.length
}
