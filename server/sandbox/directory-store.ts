import type { Queryable } from '../core/platform'

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
const matching = `FROM merchants
  WHERE verification_status = 'verified'
    AND ($1::text IS NULL OR country = $1)
    AND ($2::text IS NULL OR accepts_currency @> jsonb_build_array($2::text))
    AND ($3::text IS NULL OR accepts_rail @> jsonb_build_array($3::text))
    AND ($4::text IS NULL OR strpos(lower(business_name), lower($4)) > 0 OR strpos(lower(id), lower($4)) > 0)`

/** A slice of the verified merchants that match, by name, and how many there are. */
export async function readDirectory(
  db: Queryable,
  filter: DirectoryFilter,
  { offset, pageSize }: { readonly offset: number; readonly pageSize: number },
): Promise<{ entries: DirectoryRow[]; total: number }> {
  const values = [filter.country, filter.currency, filter.rail, filter.words]
  const entries = await db.query<DirectoryRow>(
    `SELECT id, merchant_audience, business_name, country, accepts_currency, accepts_rail, verified_at ${matching}
      ORDER BY business_name, id LIMIT $5::bigint OFFSET $6::bigint`,
    [...values, pageSize, offset],
  )
  const [counted] = await db.query<{ total: number }>(`SELECT count(*) AS total ${matching}`, values)
  return { entries, total: counted?.total ?? 0 }
}

export async function isVerifiedMerchant(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.query("SELECT 1 FROM merchants WHERE id = $1 AND verification_status = 'verified'", [id])
  return rows.length === 1
}
