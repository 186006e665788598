import type { Queryable } from '../core/platform'
import type { MerchantStanding } from './standing'

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
    `SELECT o.merchant_audience, m.business_name AS merchant_name, o.client_id AS agent_client_id, o.verdict, o.updated_at
       FROM principal_merchant_rules o LEFT JOIN merchants m USING (merchant_audience)
      WHERE o.principal_id = $1
      ORDER BY o.merchant_audience COLLATE "C", o.client_id COLLATE "C" NULLS FIRST`,
    [principalId],
  )
}

export async function isOnlyListed(db: Queryable, principalId: string): Promise<boolean> {
  const [row] = await db.query<{ only_listed_merchants: boolean }>(
    'SELECT only_listed_merchants FROM principals WHERE id = $1',
    [principalId],
  )
  return row?.only_listed_merchants ?? false
}

interface StandingRow {
  only_listed_merchants: boolean
  rules: { agent: string | null; verdict: 'allow' | 'deny' }[]
}

/** What the person's rules say about one merchant so far. */
export async function readStanding(tx: Queryable, principalId: string, audience: string): Promise<MerchantStanding> {
  const [row] = await tx.query<StandingRow>(
    `SELECT p.only_listed_merchants,
            coalesce((SELECT jsonb_agg(jsonb_build_object('agent', o.client_id, 'verdict', o.verdict))
                        FROM principal_merchant_rules o
                       WHERE o.principal_id = p.id AND o.merchant_audience = $2), '[]') AS rules
       FROM principals p WHERE p.id = $1`,
    [principalId, audience],
  )
  const rules = (row?.rules ?? []).map(({ agent, verdict }) => [agent, verdict] as const)
  return { onlyListed: row?.only_listed_merchants ?? false, verdicts: new Map(rules) }
}

/** A settlement that is under way ends first, and one that starts after the commit sees what was said. */
export async function saveOnlyListed(db: Queryable, principalId: string, onlyListed: boolean): Promise<void> {
  await db.query('UPDATE principals SET only_listed_merchants = $2 WHERE id = $1', [principalId, onlyListed])
}

/** Whether the agent is one of the person's, revoked or not. */
export async function isOwnAgent(tx: Queryable, principalId: string, clientId: string): Promise<boolean> {
  const rows = await tx.query(`SELECT 1 FROM clients WHERE id = $1 AND principal_id = $2 AND kind = 'agent'`, [
    clientId,
    principalId,
  ])
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
    `INSERT INTO principal_merchant_rules (id, principal_id, merchant_audience, client_id, verdict, updated_at)
     SELECT $1, $2, $3, $4, $5, $6
      WHERE (SELECT count(*) FROM principal_merchant_rules o WHERE o.principal_id = $2) < $7
         OR EXISTS (SELECT 1 FROM principal_merchant_rules o
                     WHERE o.principal_id = $2 AND o.merchant_audience = $3 AND o.client_id IS NOT DISTINCT FROM $4)
     ON CONFLICT (principal_id, merchant_audience, client_id) DO UPDATE
       SET verdict = excluded.verdict, updated_at = greatest(principal_merchant_rules.updated_at, excluded.updated_at)
     RETURNING updated_at`,
    [rule.id, rule.principalId, rule.audience, rule.clientId, rule.verdict, rule.now, rule.most],
  )
  return row?.updated_at ?? null
}

export async function forgetOwnRule(tx: Queryable, { principalId, audience, clientId }: OwnRuleSubject): Promise<void> {
  await tx.query(
    `DELETE FROM principal_merchant_rules
      WHERE principal_id = $1 AND merchant_audience = $2 AND client_id IS NOT DISTINCT FROM $3`,
    [principalId, audience, clientId],
  )
}
