import type { Queryable } from '../../../base/core/platform'
import type { Row } from '../../../base/core/rows'
import { sql } from '../../../base/core/sql'
import { isRememberedSql, merchantSubjectSql, type RememberedAmount } from '../../../wallet/approvals'
import { ruledMerchantsSql, rulingSql } from '../../../wallet/merchant-rules'
import { hasLapsedSql, isListedSql } from '../../../wallet/merchants'
import type { MerchantsView } from './view'

export type DirectoryMatch = Row<'Merchant', 'id' | 'merchant_audience' | 'country'> & {
  readonly merchant_name: string
}

/**
 * Returns verified merchants whose name or address contains the words, in any case, those that begin with them first.
 */
export function findVerifiedMerchants(
  db: Queryable,
  words: string,
  { limit, now }: { readonly limit: number; readonly now: Date },
): Promise<DirectoryMatch[]> {
  return db.query<DirectoryMatch>(
    sql`SELECT id, merchant_audience, business_name AS merchant_name, country FROM merchant_profiles m
      WHERE ${isListedSql(sql`m`, sql`${now}::timestamptz`)}
        AND (strpos(lower(business_name), lower(${words})) > 0 OR strpos(lower(merchant_audience), lower(${words})) > 0)
      ORDER BY strpos(lower(business_name), lower(${words})) = 1 DESC, business_name, id LIMIT ${limit}::int`,
  )
}

type MerchantProfile = DirectoryMatch &
  Row<
    'Merchant',
    'verification_status' | 'verified_at' | 'federation_entity_id',
    { verification_status: 'verified' | 'pending' | 'suspended' }
  >

/** Returns a registered merchant, whatever its status; null when there is none. */
export async function findMerchantProfile(db: Queryable, id: string): Promise<MerchantProfile | null> {
  const [row] = await db.query<MerchantProfile>(
    sql`SELECT id, merchant_audience, business_name AS merchant_name, country, verification_status, verified_at,
            federation_entity_id
       FROM merchant_profiles WHERE id = ${id}`,
  )
  return row ?? null
}

/** Returns those of the merchants that are registered. */
export function listRegistered(db: Queryable, audiences: readonly string[], now: Date) {
  return db.query<MerchantsView['registered'][number]>(
    sql`SELECT id, merchant_audience, ${isListedSql(sql`m`, sql`${now}::timestamptz`)} AS verified
       FROM merchant_profiles m WHERE merchant_audience = ANY (${audiences}::text[])`,
  )
}

/**
 * Returns merchants where an active agent may buy without asking, and about which the person has no rule for that
 * agent.
 */
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

/** Returns how many merchants the directory has. */
export async function countListedMerchants(db: Queryable, now: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`SELECT count(*) AS count FROM merchant_profiles m WHERE ${isListedSql(sql`m`, sql`${now}::timestamptz`)}`,
  )
  return row?.count ?? 0
}

const ruling = rulingSql({ agent: sql`c`, principal: sql`p`, audience: sql`r.merchant_audience` })
const stillRemembered = isRememberedSql({
  clientId: sql`c.id`,
  subject: merchantSubjectSql(sql`r.merchant_audience`),
  amount: sql`r.up_to_minor`,
  currency: sql`r.currency`,
  merchantName: sql`m.business_name`,
})

export type RememberedRow = RememberedAmount &
  Row<'RememberedApproval', 'created_at'> & {
    readonly merchant_audience: string
    readonly merchant_name: string | null
    readonly agent_client_id: string
    readonly denied: boolean
    readonly listed: boolean
    /** Whether the federation vouched for the merchant and no longer does. */
    readonly lapsed: boolean
    /** Whether the merchant's name and the default card are those of the approval. */
    readonly unchanged: boolean
  }

/** Returns the person's remembered approvals of active agents, with the facts that decide whether they still hold. */
export function listRememberedPurchases(db: Queryable, principalId: string, now: Date): Promise<RememberedRow[]> {
  const at = sql`${now}::timestamptz`
  return db.query<RememberedRow>(
    sql`SELECT r.merchant_audience, m.business_name AS merchant_name, c.id AS agent_client_id, r.created_at, r.up_to_minor,
            r.currency, ${ruling.denied} AS denied, ${isListedSql(sql`m`, at)} AS listed,
            ${hasLapsedSql(sql`r.merchant_audience`, at)} AS lapsed, ${stillRemembered} AS unchanged
       FROM remembered_merchants r
       JOIN principal_profiles p ON p.id = r.principal_id
       JOIN active_clients c ON c.id = r.client_id
       LEFT JOIN merchant_profiles m USING (merchant_audience)
       ${ruling.join}
      WHERE r.principal_id = ${principalId}
      ORDER BY r.created_at DESC, r.merchant_audience, c.id LIMIT 200`,
  )
}
