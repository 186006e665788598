import type { Queryable } from '@/server/base/core/platform'
import { sql } from '@/server/base/core/sql'

/** Returns the query plans of `work`, whose statements are explained and answered without rows. */
export async function planOf(db: Queryable, work: (db: Queryable) => Promise<unknown>): Promise<string> {
  const plans: string[] = []
  const explaining: Queryable = {
    query: async (statement) => {
      const rows = await db.query<{ 'QUERY PLAN': string }>(sql`EXPLAIN ${statement}`)
      plans.push(...rows.map((row) => row['QUERY PLAN']))
      return []
    },
  }
  await work(explaining)
  return plans.join('\n')
}
