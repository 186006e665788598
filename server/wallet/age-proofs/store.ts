import type { Database, Queryable, Transaction } from '../../base/core/platform'
import { sweptBefore } from '../../base/core/retention'
import type { Row } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import { countSwept, oldestSql } from '../../base/core/swept'

/** A proof that a person has reached an age, with its source and the end of its validity. */
export type AgeProofRow = Row<
  'AgeProof',
  'principal_id' | 'age' | 'source' | 'issuer' | 'region' | 'proven_at' | 'expires_at',
  { source: 'presentation' | 'credential' }
>

/** Saves a proof and replaces an earlier one of the same age. */
export async function upsertProof(tx: Transaction, proof: AgeProofRow): Promise<void> {
  await tx.query(
    sql`INSERT INTO age_proofs (principal_id, age, source, issuer, region, proven_at, expires_at)
     VALUES (${proof.principal_id}, ${proof.age}, ${proof.source}, ${proof.issuer}, ${proof.region}, ${proof.proven_at},
             ${proof.expires_at})
     ON CONFLICT (principal_id, age) DO UPDATE SET source = excluded.source, issuer = excluded.issuer,
       region = excluded.region, proven_at = excluded.proven_at, expires_at = excluded.expires_at`,
  )
}

/** Deletes a proof, expired or not. Returns whether there was one. */
export async function deleteProof(
  tx: Transaction,
  { principalId, age }: { readonly principalId: string; readonly age: number },
): Promise<boolean> {
  const rows = await tx.query(
    sql`DELETE FROM age_proofs WHERE principal_id = ${principalId} AND age = ${age} RETURNING age`,
  )
  return rows.length === 1
}

/** Returns the person's proofs, the highest age first. Expired proofs are kept for a month. */
export function listProofs(db: Queryable, principalId: string): Promise<AgeProofRow[]> {
  return db.query<AgeProofRow>(
    sql`SELECT principal_id, age, source, issuer, region, proven_at, expires_at FROM age_proofs
      WHERE principal_id = ${principalId} ORDER BY age DESC`,
  )
}

interface ProvenFor {
  readonly principal: Sql
  /** The required age; NULL when none is required. */
  readonly age: Sql
  readonly now: Sql
}

/** SQL expression: whether a person has proven an age or a higher one; true when none is required. */
export const isAgeProvenSql = ({ principal, age, now }: ProvenFor): Sql =>
  sql`(${age} IS NULL OR EXISTS (SELECT 1 FROM proven_ages a
        WHERE a.principal_id = ${principal} AND a.age >= ${age} AND a.expires_at > ${now}))`

/** Deletes the person's proofs. */
export async function eraseAgeProofs(tx: Transaction, { principalId }: { readonly principalId: string }) {
  await tx.query(sql`DELETE FROM age_proofs WHERE principal_id = ${principalId}`)
}

/** Deletes proofs a month after they expired. */
export function sweepAgeProofs(db: Database, now: Date): Promise<number> {
  return countSwept(
    db,
    sql`DELETE FROM age_proofs WHERE (principal_id, age) IN (
      SELECT principal_id, age FROM age_proofs WHERE ${oldestSql(sql`expires_at`, sweptBefore('ageProofs', now))})`,
  )
}
