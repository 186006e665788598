import type { Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

/** Null filters nothing. */
export interface DirectoryFilter {
  readonly country: string | null
  readonly currency: string | null
  readonly rail: string | null
  /** Part of the name or id, in any case. */
  readonly words: string | null
}

export interface DirectoryRow {
  readonly id: string
  readonly merchant_audience: string
  readonly business_name: string
  readonly country: string
  readonly accepts_currency: string[]
  readonly accepts_rail: string[]
  readonly verified_at: Date | null
}

// `@>` rather than the key-exists operator, whose question mark some drivers take for a parameter.
const matching = ({ country, currency, rail, words }: DirectoryFilter) => sql`FROM merchants
  WHERE verification_status = 'verified'
    AND (${country}::text IS NULL OR country = ${country})
    AND (${currency}::text IS NULL OR accepts_currency @> jsonb_build_array(${currency}::text))
    AND (${rail}::text IS NULL OR accepts_rail @> jsonb_build_array(${rail}::text))
    AND (${words}::text IS NULL OR strpos(lower(business_name), lower(${words})) > 0 OR strpos(lower(id), lower(${words})) > 0)`

/** A slice of the verified merchants that match, by name, and how many there are. */
export async function readDirectory(
  db: Queryable,
  filter: DirectoryFilter,
  { offset, pageSize }: { readonly offset: number; readonly pageSize: number },
): Promise<{ entries: DirectoryRow[]; total: number }> {
  const entries = await db.query<DirectoryRow>(
    sql`SELECT id, merchant_audience, business_name, country, accepts_currency, accepts_rail, verified_at ${matching(filter)}
      ORDER BY business_name, id LIMIT ${pageSize}::bigint OFFSET ${offset}::bigint`,
  )
  const [counted] = await db.query<{ total: number }>(sql`SELECT count(*) AS total ${matching(filter)}`)
  return { entries, total: counted?.total ?? 0 }
}

export async function isVerifiedMerchant(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.query(sql`SELECT 1 FROM merchants WHERE id = ${id} AND verification_status = 'verified'`)
  return rows.length === 1
}
