import { type Sql, sql } from '../../base/core/sql'
import type { PaymentStatus } from './contract'
import { holdsWordsSql } from './search-sql'

/** What a payment must be to be selected; members that are left out select all. */
export interface PaymentFilter {
  readonly status?: PaymentStatus | undefined
  readonly clientId?: string | undefined
  readonly merchantAudience?: string | undefined
  /** Text in the merchant's name or address or in an item, or at the beginning of the amount; blank text selects all. */
  readonly words?: string | undefined
  /** The first and last instant, both included. */
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

/**
 * Returns an SQL condition: the payment `p` is one of the person's that the filter selects. Members that do not filter
 * add nothing to the statement, so that a cached plan can use the index for the others.
 */
export function matchesSql(principalId: string, filter: PaymentFilter): Sql {
  const { status, clientId, merchantAudience, from, to } = filter
  const words = filter.words?.trim() ?? ''
  return sql`p.principal_id = ${principalId}
    ${status === undefined ? NOTHING : sql`AND p.status = ${status}`}
    ${clientId === undefined ? NOTHING : sql`AND p.client_id = ${clientId}`}
    ${merchantAudience === undefined ? NOTHING : sql`AND p.merchant_audience = ${merchantAudience}`}
    ${from === undefined ? NOTHING : sql`AND p.processed_at >= ${from}`}
    ${to === undefined ? NOTHING : sql`AND p.processed_at <= ${to}`}
    ${words === '' ? NOTHING : sql`AND ${holdsWordsSql(words)}`}`
}

const NOTHING = sql``
