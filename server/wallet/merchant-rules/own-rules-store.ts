import type { Queryable } from '../../base/core/platform'
import { type Sql, sql } from '../../base/core/sql'
import type { MerchantRuleState } from './rule-state'

export interface OwnRuleRow {
  merchant_audience: string
  merchant_name: string | null
  agent_client_id: string | null
  verdict: 'allow' | 'deny'
  updated_at: Date
}

/** The person's rules, merchant by merchant; what is said about all agents comes first. */
export function listOwnRules(db: Queryable, principalId: string): Promise<OwnRuleRow[]> {
  return db.query<OwnRuleRow>(
    sql`SELECT o.merchant_audience, m.business_name AS merchant_name, o.client_id AS agent_client_id, o.verdict, o.updated_at
       FROM principal_merchant_rules o LEFT JOIN merchants m USING (merchant_audience)
      WHERE o.principal_id = ${principalId}
      ORDER BY o.merchant_audience COLLATE "C", o.client_id COLLATE "C" NULLS FIRST`,
  )
}

export async function isOnlyListed(db: Queryable, principalId: string): Promise<boolean> {
  const [row] = await db.query<{ only_listed_merchants: boolean }>(
    sql`SELECT only_listed_merchants FROM principals WHERE id = ${principalId}`,
  )
  return row?.only_listed_merchants ?? false
}

interface RuleStateRow {
  only_listed_merchants: boolean
  rules: { agent: string | null; verdict: 'allow' | 'deny' }[]
}

/** What the person's rules say about one merchant so far. */
export async function findRuleState(tx: Queryable, principalId: string, audience: string): Promise<MerchantRuleState> {
  const [row] = await tx.query<RuleStateRow>(
    sql`SELECT p.only_listed_merchants,
            coalesce((SELECT jsonb_agg(jsonb_build_object('agent', o.client_id, 'verdict', o.verdict))
                        FROM principal_merchant_rules o
                       WHERE o.principal_id = p.id AND o.merchant_audience = ${audience}), '[]') AS rules
       FROM principals p WHERE p.id = ${principalId}`,
  )
  const rules = (row?.rules ?? []).map(({ agent, verdict }) => [agent, verdict] as const)
  return { onlyListed: row?.only_listed_merchants ?? false, verdicts: new Map(rules) }
}

/** A settlement that is under way ends first, and one that starts after the commit sees what was said. */
export async function saveOnlyListed(db: Queryable, principalId: string, onlyListed: boolean): Promise<void> {
  await db.query(sql`UPDATE principals SET only_listed_merchants = ${onlyListed} WHERE id = ${principalId}`)
}

/** Whether the agent is one of the person's, revoked or not. */
export async function isOwnAgent(tx: Queryable, principalId: string, clientId: string): Promise<boolean> {
  const rows = await tx.query(
    sql`SELECT 1 FROM clients WHERE id = ${clientId} AND principal_id = ${principalId} AND kind = 'agent'`,
  )
  return rows.length === 1
}

/** What one rule of a person is about; without an agent it holds for all of them. */
export interface OwnRuleSubject {
  readonly principalId: string
  readonly audience: string
  readonly clientId: string | null
}

interface OwnRule extends OwnRuleSubject {
  readonly id: string
  readonly verdict: 'allow' | 'deny'
  readonly now: Date
  /** So many rules one person may have. */
  readonly most: number
}

/** A new verdict takes the place of the other. Null, and nothing saved, when it would be one rule too many. */
export async function saveOwnRule(tx: Queryable, rule: OwnRule): Promise<Date | null> {
  const [row] = await tx.query<{ updated_at: Date }>(
    sql`INSERT INTO principal_merchant_rules (id, principal_id, merchant_audience, client_id, verdict, updated_at)
     SELECT ${rule.id}, ${rule.principalId}, ${rule.audience}, ${rule.clientId}, ${rule.verdict}, ${rule.now}
      WHERE (SELECT count(*) FROM principal_merchant_rules o WHERE o.principal_id = ${rule.principalId}) < ${rule.most}
         OR EXISTS (SELECT 1 FROM principal_merchant_rules o
                     WHERE o.principal_id = ${rule.principalId} AND o.merchant_audience = ${rule.audience} AND o.client_id IS NOT DISTINCT FROM ${rule.clientId})
     ON CONFLICT (principal_id, merchant_audience, client_id) DO UPDATE
       SET verdict = excluded.verdict, updated_at = greatest(principal_merchant_rules.updated_at, excluded.updated_at)
     RETURNING updated_at`,
  )
  return row?.updated_at ?? null
}

export async function forgetOwnRule(tx: Queryable, { principalId, audience, clientId }: OwnRuleSubject): Promise<void> {
  await tx.query(
    sql`DELETE FROM principal_merchant_rules
      WHERE principal_id = ${principalId} AND merchant_audience = ${audience} AND client_id IS NOT DISTINCT FROM ${clientId}`,
  )
}

/** Merchants that the person has rules for, and the agent of each rule: a FROM item `(merchant_audience, client_id)`. */
export const ruledMerchantsSql = (principalId: string): Sql =>
  sql`(SELECT merchant_audience, client_id FROM principal_merchant_rules WHERE principal_id = ${principalId})`

/** Changes with the person's rules: a text, as an expression of a larger statement. */
export const merchantRulesRevisionSql = (principalId: string): Sql =>
  sql`(SELECT concat_ws(',', count(*), max(updated_at)) FROM principal_merchant_rules WHERE principal_id = ${principalId})`
