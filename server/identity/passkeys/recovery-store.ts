import type { Database, Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

/** Returns the number of unused codes, and when the codes were made; null for a person without used or unused codes. */
export async function findRecoveryCodes(
  db: Database,
  principalId: string,
): Promise<{ readonly left: number; readonly madeAt: Date } | null> {
  const codes = await db.prisma.recoveryCode.findMany({
    select: { created_at: true, used_at: true },
    where: { principal_id: principalId },
    orderBy: { created_at: 'desc' },
  })
  const [newest] = codes
  if (newest === undefined) return null
  return { left: codes.filter(({ used_at }) => used_at === null).length, madeAt: newest.created_at }
}

export async function insertRecoveryCodes(
  tx: Queryable,
  hashes: readonly string[],
  { principalId, now }: { readonly principalId: string; readonly now: Date },
): Promise<void> {
  await tx.query(
    sql`INSERT INTO recovery_codes (code_hash, principal_id, created_at)
        SELECT hash, ${principalId}, ${now}::timestamptz FROM unnest(${hashes}::text[]) AS hash`,
  )
}

/** Returns whether the code is one of the person's and unused. */
export async function isUnusedRecoveryCode(db: Database, hash: string, principalId: string): Promise<boolean> {
  const where = { code_hash: hash, principal_id: principalId, used_at: null }
  return (await db.prisma.recoveryCode.count({ where })) === 1
}

/** Consumes a code. Returns whether it was one of the person's and unused. */
export async function consumeRecoveryCode(
  tx: Queryable,
  hash: string,
  { principalId, now }: { readonly principalId: string; readonly now: Date },
): Promise<boolean> {
  const rows = await tx.query(
    sql`UPDATE recovery_codes SET used_at = ${now}
         WHERE code_hash = ${hash} AND principal_id = ${principalId} AND used_at IS NULL RETURNING code_hash`,
  )
  return rows.length === 1
}

/** Deletes the recovery codes that were made at this instant or later. */
export async function deleteRecoveryCodesSince(tx: Queryable, principalId: string, since: Date): Promise<void> {
  await tx.query(sql`DELETE FROM recovery_codes WHERE principal_id = ${principalId} AND created_at >= ${since}`)
}

export async function deleteRecoveryCodes(tx: Queryable, principalId: string): Promise<void> {
  await tx.query(sql`DELETE FROM recovery_codes WHERE principal_id = ${principalId}`)
}
