import type { Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

interface AskedQuery {
  readonly principalId: string
  readonly from: Date
  readonly until: Date
}

/**
 * The number and sum of the purchases that a person was asked about and declined, in one currency; sums in minor units.
 */
export interface AskedTotal {
  readonly currency: string
  readonly asked: number
  readonly asked_minor: number
  readonly declined: number
  readonly declined_minor: number
}

/** Returns per currency the purchases that a person was asked about in a period, and those that they declined in it. */
export function countAsked(db: Queryable, { principalId, from, until }: AskedQuery): Promise<AskedTotal[]> {
  const [isAsked, isDeclined] = [
    sql`created_at >= ${from} AND created_at < ${until}`,
    sql`status = 'declined' AND decided_at >= ${from} AND decided_at < ${until}`,
  ]
  return db.query<AskedTotal>(
    sql`SELECT currency, count(*) FILTER (WHERE ${isAsked})::int AS asked,
            coalesce(sum(amount_minor) FILTER (WHERE ${isAsked}), 0)::bigint AS asked_minor,
            count(*) FILTER (WHERE ${isDeclined})::int AS declined,
            coalesce(sum(amount_minor) FILTER (WHERE ${isDeclined}), 0)::bigint AS declined_minor
       FROM consents
      WHERE principal_id = ${principalId} AND kind = 'payment' AND ((${isAsked}) OR (${isDeclined}))
      GROUP BY currency ORDER BY currency`,
  )
}
