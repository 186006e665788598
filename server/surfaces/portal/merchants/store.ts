import type { Queryable } from '../../../base/core/platform'
import type { Row } from '../../../base/core/rows'
import { sql } from '../../../base/core/sql'
import { ruledMerchantsSql } from '../../../wallet/merchant-rules'
import type { MerchantsView } from './view'

export type DirectoryMatch = Row<'Merchant', 'merchant_audience' | 'country'> & { readonly merchant_name: string }

/** Verified merchants whose name or address holds the words, in any case; those that begin with them come first. */
export function findVerifiedMerchants(db: Queryable, words: string, limit: number): Promise<DirectoryMatch[]> {
  return db.query<DirectoryMatch>(
    sql`SELECT merchant_audience, business_name AS merchant_name, country FROM merchant_profiles
      WHERE verification_status = 'verified'
        AND (strpos(lower(business_name), lower(${words})) > 0 OR strpos(lower(merchant_audience), lower(${words})) > 0)
      ORDER BY strpos(lower(business_name), lower(${words})) = 1 DESC, business_name, id LIMIT ${limit}::int`,
  )
}

/** Merchants where an active agent may buy without asking, and for which the person has no rule about that agent. */
export function listUnlistedMerchants(db: Queryable, principalId: string) {
  return db.query<MerchantsView['unlisted'][number]>(
    sql`SELECT a.merchant_audience, m.business_name AS merchant_name, a.client_id AS agent_client_id, a.up_to_minor, a.currency
       FROM remembered_merchants a
       JOIN active_clients c ON c.id = a.client_id
       LEFT JOIN merchant_profiles m USING (merchant_audience)
      WHERE a.principal_id = ${principalId}
        AND NOT EXISTS (SELECT 1 FROM ${ruledMerchantsSql(principalId)} o
                         WHERE o.merchant_audience = a.merchant_audience
                           AND (o.client_id IS NULL OR o.client_id = a.client_id))
      ORDER BY a.created_at DESC, a.merchant_audience, a.client_id LIMIT 200`,
  )
}
