import { type Sql, sql } from '../../base/core/sql'
import type { PaymentStatus } from './contract'
import { holdsWordsSql } from './search-sql'

export interface PaymentFilter {
  readonly statuses: readonly PaymentStatus[] | null
  readonly clientId: string | null
  readonly merchantAudience: string | null
  readonly words: string | null
  /** The first and last instant of the filter, both included; null for no bound. */
  readonly from: Date | null
  readonly to: Date | null
}

/**
 * Returns an SQL condition: the payment `p` is one of the person's that the filter selects. Members that do not filter
 * add nothing to the statement, so that a cached plan can use the index for the others.
 */
export function matchesSql(principalId: string, filter: PaymentFilter): Sql {
  const { statuses, clientId, merchantAudience, words, from, to } = filter
  return sql`p.principal_id = ${principalId}
    ${statuses === null ? NOTHING : sql`AND p.status = ANY (${statuses}::text[])`}
    ${clientId === null ? NOTHING : sql`AND p.client_id = ${clientId}`}
    ${merchantAudience === null ? NOTHING : sql`AND p.merchant_audience = ${merchantAudience}`}
    ${from === null ? NOTHING : sql`AND p.processed_at >= ${from}`}
    ${to === null ? NOTHING : sql`AND p.processed_at <= ${to}`}
    ${words === null ? NOTHING : sql`AND ${holdsWordsSql(words)}`}`
}

const NOTHING = sql``
