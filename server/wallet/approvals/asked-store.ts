import type { Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

interface AskedQuery {
  readonly principalId: string
  readonly from: Date
  readonly until: Date
}

/** How often a person was asked to pay, and declined, in one currency. */
export interface AskedTotal {
  readonly currency: string
  readonly asked: number
  readonly asked_minor: number
  readonly declined: number
  readonly declined_minor: number
}

/** The purchases that a person was asked about in a stretch of time, and those that they declined in it. */
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
