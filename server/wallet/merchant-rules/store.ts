import type { Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

/** The tenant and the merchant of a policy. */
export interface RuleSubject {
  readonly tenantId: string
  readonly audience: string
}

export interface PolicyRow {
  allow_list_required: boolean
  allow: string[]
  deny: string[]
  updated_at: Date | null
}

/** Returns the tenant's rules about the merchant; without any, every agent may buy there. */
export async function readPolicyRow(db: Queryable, { tenantId, audience }: RuleSubject): Promise<PolicyRow> {
  const [row] = await db.query<PolicyRow>(
    sql`SELECT coalesce(max(g.allow_list_required::int), 0) = 1 AS allow_list_required,
            coalesce(array_agg(r.client_id ORDER BY r.client_id COLLATE "C") FILTER (WHERE r.verdict = 'allow'), '{}') AS allow,
            coalesce(array_agg(r.client_id ORDER BY r.client_id COLLATE "C") FILTER (WHERE r.verdict = 'deny'), '{}') AS deny,
            greatest(max(r.updated_at), max(g.updated_at)) AS updated_at
       FROM (SELECT ${tenantId}::text AS tenant_id, ${audience}::text AS merchant_audience) q
       LEFT JOIN merchant_gates g USING (tenant_id, merchant_audience)
       LEFT JOIN merchant_rules r USING (tenant_id, merchant_audience)`,
  )
  return row ?? { allow_list_required: false, allow: [], deny: [], updated_at: null }
}

interface TenantRule extends RuleSubject {
  readonly clientId: string
  readonly verdict: 'allow' | 'deny'
  readonly now: Date
}

/**
 * Saves the rule about an agent at a merchant and replaces an earlier one. Returns false when the tenant has no such
 * agent.
 */
export async function saveTenantRule(tx: Queryable, { tenantId, audience, clientId, verdict, now }: TenantRule) {
  const rows = await tx.query(
    sql`INSERT INTO merchant_rules (tenant_id, merchant_audience, client_id, verdict, updated_at)
     SELECT ${tenantId}, ${audience}, c.id, ${verdict}, ${now} FROM agents c WHERE c.id = ${clientId} AND c.tenant_id = ${tenantId}
     ON CONFLICT (tenant_id, merchant_audience, client_id) DO UPDATE
       SET verdict = excluded.verdict, updated_at = greatest(merchant_rules.updated_at, excluded.updated_at)
     RETURNING client_id`,
  )
  return rows.length === 1
}

interface Gate extends RuleSubject {
  readonly allowListRequired: boolean
  readonly now: Date
}

export async function saveGate(tx: Queryable, { tenantId, audience, allowListRequired, now }: Gate): Promise<void> {
  await tx.query(
    sql`INSERT INTO merchant_gates (tenant_id, merchant_audience, allow_list_required, updated_at) VALUES (${tenantId}, ${audience}, ${allowListRequired}, ${now})
     ON CONFLICT (tenant_id, merchant_audience) DO UPDATE
       SET allow_list_required = excluded.allow_list_required,
           updated_at = greatest(merchant_gates.updated_at, excluded.updated_at)`,
  )
}
