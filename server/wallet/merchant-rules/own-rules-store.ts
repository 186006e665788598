import type { Queryable } from '../../base/core/platform'
import { type Row } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'

export type OwnRuleRow = Row<
  'PrincipalMerchantRule',
  'merchant_audience' | 'verdict' | 'updated_at',
  { verdict: 'allow' | 'deny' }
> & { merchant_name: string | null; agent_client_id: string | null }

/** Returns the person's rules, grouped by merchant; a rule for all agents comes first. */
export function listOwnRules(db: Queryable, principalId: string): Promise<OwnRuleRow[]> {
  return db.query<OwnRuleRow>(
    sql`SELECT o.merchant_audience, m.business_name AS merchant_name, o.client_id AS agent_client_id, o.verdict, o.updated_at
       FROM principal_merchant_rules o LEFT JOIN merchant_profiles m USING (merchant_audience)
      WHERE o.principal_id = ${principalId}
      ORDER BY o.merchant_audience COLLATE "C", o.client_id COLLATE "C" NULLS FIRST`,
  )
}

/** Returns whether only merchants that the person allowed may be paid. */
export async function isOnlyListed(db: Queryable, principalId: string): Promise<boolean> {
  const [row] = await db.query<Row<'Principal', 'only_listed_merchants'>>(
    sql`SELECT only_listed_merchants FROM principal_profiles WHERE id = ${principalId}`,
  )
  return row?.only_listed_merchants ?? false
}

/** Returns whether the agent is one of the person's, revoked or not. */
export async function isOwnAgent(tx: Queryable, principalId: string, clientId: string): Promise<boolean> {
  const rows = await tx.query(sql`SELECT 1 FROM agents WHERE id = ${clientId} AND principal_id = ${principalId}`)
  return rows.length === 1
}

/** The merchant and agent of one rule of a person; without an agent the rule holds for all of them. */
export interface OwnRuleSubject {
  readonly principalId: string
  readonly audience: string
  readonly clientId: string | null
}

/** Returns the verdict stored for exactly this address and agent; null when there is none. */
export async function findOwnVerdict(
  tx: Queryable,
  { principalId, audience, clientId }: OwnRuleSubject,
): Promise<OwnRuleRow['verdict'] | null> {
  const [row] = await tx.query<Pick<OwnRuleRow, 'verdict'>>(
    sql`SELECT verdict FROM principal_merchant_rules
      WHERE principal_id = ${principalId} AND merchant_audience = ${audience} AND client_id IS NOT DISTINCT FROM ${clientId}`,
  )
  return row?.verdict ?? null
}

interface OwnRule extends OwnRuleSubject {
  readonly id: string
  readonly verdict: 'allow' | 'deny'
  readonly now: Date
  /** The most rules that one person may have. */
  readonly max: number
}

/**
 * Saves a rule and replaces an earlier one for the same merchant and agent. Returns null and saves nothing when the
 * maximum is reached.
 */
export async function saveOwnRule(tx: Queryable, rule: OwnRule): Promise<Date | null> {
  const [row] = await tx.query<Row<'PrincipalMerchantRule', 'updated_at'>>(
    sql`INSERT INTO principal_merchant_rules (id, principal_id, merchant_audience, client_id, verdict, updated_at)
     SELECT ${rule.id}, ${rule.principalId}, ${rule.audience}, ${rule.clientId}, ${rule.verdict}, ${rule.now}
      WHERE (SELECT count(*) FROM principal_merchant_rules o WHERE o.principal_id = ${rule.principalId}) < ${rule.max}
         OR EXISTS (SELECT 1 FROM principal_merchant_rules o
                     WHERE o.principal_id = ${rule.principalId} AND o.merchant_audience = ${rule.audience} AND o.client_id IS NOT DISTINCT FROM ${rule.clientId})
     ON CONFLICT (principal_id, merchant_audience, client_id) DO UPDATE
       SET verdict = excluded.verdict, updated_at = greatest(principal_merchant_rules.updated_at, excluded.updated_at)
     RETURNING updated_at`,
  )
  return row?.updated_at ?? null
}

export async function deleteOwnRule(tx: Queryable, { principalId, audience, clientId }: OwnRuleSubject): Promise<void> {
  await tx.query(
    sql`DELETE FROM principal_merchant_rules
      WHERE principal_id = ${principalId} AND merchant_audience = ${audience} AND client_id IS NOT DISTINCT FROM ${clientId}`,
  )
}

/**
 * SQL FROM item `(merchant_audience, client_id)`: the merchants that the person has rules for, with the agent of each
 * rule.
 */
export const ruledMerchantsSql = (principalId: string): Sql =>
  sql`(SELECT merchant_audience, client_id FROM principal_merchant_rules WHERE principal_id = ${principalId})`

/** SQL expression: a text that changes whenever the person's merchant rules change; part of the portal's revision. */
export const merchantRulesRevisionSql = (principalId: string): Sql =>
  sql`(SELECT concat_ws(',', count(*), max(updated_at)) FROM principal_merchant_rules WHERE principal_id = ${principalId})`
