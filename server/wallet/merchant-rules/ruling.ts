import { type Sql, sql } from '../../base/core/sql'

interface RulingParts {
  /** The agent, a row of agents or clients. */
  readonly agent: Sql
  /** The person whose agent it is, a row of principal_profiles. */
  readonly principal: Sql
  readonly audience: Sql
}

/**
 * Whether tenant and person let an agent ask at a merchant: the column and the joins for a statement that has these rows.
 * A deny by either refuses; where either requires a list, the agent needs an allow by the same one.
 */
export const rulingSql = ({ agent, principal, audience }: RulingParts) => ({
  denied: sql`(coalesce(tenant_rule.verdict = 'deny', false)
       OR (coalesce(tenant_gate.allow_list_required, false) AND tenant_rule.verdict IS NULL)
       OR coalesce(own_rules.denied, false)
       OR (${principal}.only_listed_merchants AND NOT coalesce(own_rules.allowed, false)))`,
  join: sql`LEFT JOIN merchant_gates tenant_gate
         ON tenant_gate.tenant_id = ${agent}.tenant_id AND tenant_gate.merchant_audience = ${audience}
       LEFT JOIN merchant_rules tenant_rule
         ON tenant_rule.tenant_id = ${agent}.tenant_id AND tenant_rule.merchant_audience = ${audience}
        AND tenant_rule.client_id = ${agent}.id
       LEFT JOIN LATERAL (
         SELECT bool_or(o.verdict = 'deny') AS denied, bool_or(o.verdict = 'allow') AS allowed
           FROM principal_merchant_rules o
          WHERE o.principal_id = ${principal}.id AND o.merchant_audience = ${audience}
            AND (o.client_id IS NULL OR o.client_id = ${agent}.id)) own_rules ON true`,
})
