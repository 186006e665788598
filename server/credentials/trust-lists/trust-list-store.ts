import type { Queryable } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import type { PublicJwk } from '../../base/protocol/jwk'
import type { AttestationAlgorithm } from './contract'

/** An issuer as the operator listed it; omitted members are absent. */
export interface ListedIssuer {
  readonly issuer: string
  readonly algs: readonly AttestationAlgorithm[]
  readonly vct_values?: readonly string[]
  readonly jwks?: { readonly keys: readonly PublicJwk[] }
  /** DER as base64. */
  readonly x5c_roots?: readonly string[]
}

export type TrustListRow = Row<
  'TrustList',
  'region' | 'issuers' | 'updated_at',
  { readonly issuers: readonly ListedIssuer[] }
>

/** Returns the list of a region, read each time, so that a change holds at once in every process. */
export async function findTrustList(db: Queryable, region: string): Promise<TrustListRow | null> {
  const [row] = await db.query<TrustListRow>(
    sql`SELECT region, issuers, updated_at FROM trust_lists WHERE region = ${region}`,
  )
  return row ?? null
}

/** Returns all lists, ordered by region. */
export function listTrustLists(db: Queryable): Promise<TrustListRow[]> {
  return db.query<TrustListRow>(sql`SELECT region, issuers, updated_at FROM trust_lists ORDER BY region COLLATE "C"`)
}

/** Returns the names of all regions that have a list. */
export async function listRegions(db: Queryable): Promise<string[]> {
  const rows = await db.query<Pick<TrustListRow, 'region'>>(
    sql`SELECT region FROM trust_lists ORDER BY region COLLATE "C"`,
  )
  return rows.map(({ region }) => region)
}

/** Replaces the list of a region, and returns the earlier one. Parallel changes of it wait. */
export async function replaceTrustList(
  db: Queryable,
  { region, issuers, now }: { readonly region: string; readonly issuers: readonly ListedIssuer[]; readonly now: Date },
): Promise<readonly ListedIssuer[] | null> {
  const [before] = await db.query<Pick<TrustListRow, 'issuers'>>(
    sql`SELECT issuers FROM trust_lists WHERE region = ${region} FOR UPDATE`,
  )
  await db.query(
    sql`INSERT INTO trust_lists (region, issuers, updated_at) VALUES (${region}, ${JSON.stringify(issuers)}::jsonb, ${now})
     ON CONFLICT (region) DO UPDATE SET issuers = excluded.issuers, updated_at = excluded.updated_at`,
  )
  return before?.issuers ?? null
}

/** Deletes the list of a region, and returns it; null when there is none. */
export async function deleteTrustList(db: Queryable, region: string): Promise<readonly ListedIssuer[] | null> {
  const [row] = await db.query<Pick<TrustListRow, 'issuers'>>(
    sql`DELETE FROM trust_lists WHERE region = ${region} RETURNING issuers`,
  )
  return row?.issuers ?? null
}
