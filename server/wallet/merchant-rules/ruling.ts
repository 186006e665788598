import { type Sql, sql } from '../../base/core/sql'
import { atOrAboveSql } from '../merchants'

interface RulingParts {
  /** The agent, a row of agents or clients. */
  readonly agent: Sql
  /** The person whose agent it is, a row of principal_profiles. */
  readonly principal: Sql
  readonly audience: Sql
}

/**
 * Returns the column and the joins by which a statement with these rows knows whether tenant and person let an agent
 * ask at a merchant. A deny by either refuses, also one of an address above; where either requires a list, the agent
 * needs an allow of exactly this address by the same one.
 */
export const rulingSql = ({ agent, principal, audience }: RulingParts) => ({
  denied: sql`(coalesce(tenant_rules.denied, false)
       OR (coalesce(tenant_gate.allow_list_required, false) AND NOT coalesce(tenant_rules.allowed, false))
       OR coalesce(own_rules.denied, false)
       OR (${principal}.only_listed_merchants AND NOT coalesce(own_rules.allowed, false)))`,
  join: sql`LEFT JOIN merchant_gates tenant_gate
         ON tenant_gate.tenant_id = ${agent}.tenant_id AND tenant_gate.merchant_audience = ${audience}
       LEFT JOIN LATERAL (
         SELECT bool_or(t.verdict = 'deny') AS denied,
                bool_or(t.verdict = 'allow' AND t.merchant_audience = ${audience}) AS allowed
           FROM merchant_rules t
          WHERE t.tenant_id = ${agent}.tenant_id AND t.merchant_audience = ANY (${atOrAboveSql(audience)})
            AND t.client_id = ${agent}.id) tenant_rules ON true
       LEFT JOIN LATERAL (
         SELECT bool_or(o.verdict = 'deny') AS denied,
                bool_or(o.verdict = 'allow' AND o.merchant_audience = ${audience}) AS allowed
           FROM principal_merchant_rules o
          WHERE o.principal_id = ${principal}.id AND o.merchant_audience = ANY (${atOrAboveSql(audience)})
            AND (o.client_id IS NULL OR o.client_id = ${agent}.id)) own_rules ON true`,
})
