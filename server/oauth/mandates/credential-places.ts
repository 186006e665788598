import type { Queryable } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'

interface NewPlace {
  readonly credentialId: string
  /** Places from `drawCredentialIndexes`, of which the first free one is taken. */
  readonly indexes: readonly number[]
  readonly expiresAt: Date
}

/**
 * Takes a place of the status list for a credential other than a mandate; returns null when all drawn ones are in use.
 * Mandates from before the list was divided may still have places here for an hour, so those are skipped too.
 */
export async function insertCredentialPlace(
  tx: Queryable,
  { credentialId, indexes, expiresAt }: NewPlace,
): Promise<number | null> {
  for (const index of indexes) {
    const [row] = await tx.query<Row<'CredentialPlace', 'status_index'>>(
      sql`INSERT INTO credential_places (status_index, credential_id, expires_at)
          SELECT ${index}::int, ${credentialId}::text, ${expiresAt}::timestamptz
           WHERE (SELECT m.id FROM mandates m WHERE m.status_index = ${index}) IS NULL
          ON CONFLICT (status_index) DO NOTHING RETURNING status_index`,
    )
    if (row !== undefined) return row.status_index
  }
  return null
}

/** Marks places of credentials as revoked. Returns whether any was new: the caller must then call `moveStatusList`. */
export async function revokeCredentialPlaces(
  tx: Queryable,
  credentialIds: readonly string[],
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    sql`UPDATE credential_places SET revoked_at = ${now}
         WHERE credential_id = ANY (${credentialIds}::text[]) AND revoked_at IS NULL RETURNING status_index`,
  )
  return rows.length > 0
}

const RELEASED_AT_ONCE = 5_000

/** Frees the places of credentials that ended before an instant. Moves the list's version when one was revoked. */
export async function releaseCredentialPlaces(db: Queryable, endedBefore: Date): Promise<void> {
  await db.query(
    sql`WITH released AS (
       DELETE FROM credential_places WHERE status_index IN (
         SELECT status_index FROM credential_places WHERE expires_at < ${endedBefore}
          ORDER BY expires_at LIMIT ${RELEASED_AT_ONCE} FOR UPDATE SKIP LOCKED)
       RETURNING revoked_at)
     UPDATE status_lists SET version = version + 1 WHERE EXISTS (SELECT 1 FROM released WHERE revoked_at IS NOT NULL)`,
  )
}
