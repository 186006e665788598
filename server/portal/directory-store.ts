import type { Queryable } from '../core/platform'

export interface DirectoryMatch {
  readonly merchant_audience: string
  readonly merchant_name: string
  readonly country: string
}

/** Verified merchants whose name or address holds the words, in any case; those that begin with them come first. */
export function findVerifiedMerchants(db: Queryable, words: string, limit: number): Promise<DirectoryMatch[]> {
  return db.query<DirectoryMatch>(
    `SELECT merchant_audience, business_name AS merchant_name, country FROM merchants
      WHERE verification_status = 'verified'
        AND (strpos(lower(business_name), lower($1)) > 0 OR strpos(lower(merchant_audience), lower($1)) > 0)
      ORDER BY strpos(lower(business_name), lower($1)) = 1 DESC, business_name, id LIMIT $2::int`,
    [words, limit],
  )
}
