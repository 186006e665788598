import type { Queryable } from '../../../base/core/platform'
import { sql } from '../../../base/core/sql'
import { type AskedTotal, countAsked } from '../../../wallet/approvals'

/** The payments in one currency, and the approvals requested and declined. */
export interface Day extends AskedTotal {
  readonly paid: number
  readonly paid_minor: number
}

interface Stretch {
  readonly principalId: string
  readonly from: Date
  readonly until: Date
}

/** Returns the payments and approvals of a period, by currency; empty without any. */
export async function readDay(db: Queryable, stretch: Stretch): Promise<Day[]> {
  const asked = new Map((await countAsked(db, stretch)).map((row) => [row.currency, row]))
  const paid = new Map((await listPaid(db, stretch)).map((row) => [row.currency, row]))
  return [...new Set([...asked.keys(), ...paid.keys()])]
    .toSorted()
    .map((currency) => ({ ...nothing, ...asked.get(currency), ...paid.get(currency), currency }))
}

const nothing = { asked: 0, asked_minor: 0, declined: 0, declined_minor: 0, paid: 0, paid_minor: 0 }

function listPaid(db: Queryable, { principalId, from, until }: Stretch) {
  return db.query<Pick<Day, 'currency' | 'paid' | 'paid_minor'>>(
    sql`SELECT currency, count(*)::int AS paid, sum(amount_minor)::bigint AS paid_minor FROM completed_payments
      WHERE principal_id = ${principalId} AND processed_at >= ${from} AND processed_at < ${until} GROUP BY currency`,
  )
}
