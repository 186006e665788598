import type { Queryable } from '../../../base/core/platform'
import { sql } from '../../../base/core/sql'
import { isListedSql } from '../../../wallet/merchants'
import { findLookAlike, type KnownShop, type Resemblance } from './look-alike'

/** The most merchants that are compared: enough for those that a person knows, few enough to keep the page fast. */
const VERIFIED_MOST = 5_000
const PAID_MOST = 500

/** What a person has to know of a merchant before they decide about a payment. */
export interface MerchantCheck {
  /** The registered name; null without one. */
  readonly merchant_name: string | null
  readonly merchant_verified: boolean
  /** The known merchant that this merchant's address resembles; null for none, and for a verified merchant. */
  readonly resembles: Resemblance | null
}

interface MerchantToCheck {
  readonly audience: string
  readonly principalId: string
  readonly now: Date
}

/** Checks the address of a merchant against the directory and the shops that the person knows. */
export async function checkMerchant(db: Queryable, merchant: MerchantToCheck): Promise<MerchantCheck> {
  const [row] = await db.query<{ name: string; verified: boolean }>(
    sql`SELECT m.business_name AS name, ${isListedSql(sql`m`, sql`${merchant.now}::timestamptz`)} AS verified
       FROM merchant_profiles m WHERE m.merchant_audience = ${merchant.audience}`,
  )
  const verified = row?.verified ?? false
  return {
    merchant_name: row?.name ?? null,
    merchant_verified: verified,
    resembles: verified ? null : await findResemblance(db, merchant),
  }
}

/** Returns the known merchant that the address of an unverified one resembles; null for none. */
export async function findResemblance(
  db: Queryable,
  { audience, principalId, now }: MerchantToCheck,
): Promise<Resemblance | null> {
  return findLookAlike(audience, await listKnownShops(db, principalId, now))
}

/** Returns verified merchants, and those that the person has paid. Each paid merchant costs one index look-up. */
function listKnownShops(db: Queryable, principalId: string, now: Date): Promise<KnownShop[]> {
  return db.query<KnownShop>(
    sql`WITH RECURSIVE paid (audience) AS (
       (SELECT merchant_audience FROM completed_payments WHERE principal_id = ${principalId} ORDER BY merchant_audience LIMIT 1)
       UNION ALL
       SELECT (SELECT y.merchant_audience FROM completed_payments y
                WHERE y.principal_id = ${principalId} AND y.merchant_audience > paid.audience ORDER BY y.merchant_audience LIMIT 1)
         FROM paid WHERE paid.audience IS NOT NULL)
     SELECT known.audience, m.business_name AS name
       FROM ((SELECT merchant_audience AS audience FROM merchant_profiles m WHERE ${isListedSql(sql`m`, sql`${now}::timestamptz`)}
               ORDER BY merchant_audience LIMIT ${sql.raw(VERIFIED_MOST)})
             UNION (SELECT audience FROM paid WHERE audience IS NOT NULL LIMIT ${sql.raw(PAID_MOST)})) known
       LEFT JOIN merchant_profiles m ON m.merchant_audience = known.audience
      ORDER BY ${isListedSql(sql`m`, sql`${now}::timestamptz`)} DESC, known.audience`,
  )
}
