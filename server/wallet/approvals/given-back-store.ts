import type { Queryable } from '../../base/core/platform'
import { type Sql, sql } from '../../base/core/sql'

/**
 * The most approvals of one agent that may end because it presented their requests undecided, among those of one hour.
 */
const GIVEN_BACK_MAX = 30
const GIVEN_BACK_WINDOW_SECONDS = 3_600

interface AskingAgent {
  readonly principalId: string
  readonly clientId: string
  readonly now: Date
}

/**
 * SQL query: the one row whose age decides when the agent may ask again, if it has presented too many undecided
 * requests.
 */
export const tooManyGivenBackSql = ({ principalId, clientId, now }: AskingAgent): Sql =>
  sql`SELECT o.created_at FROM consents o
       WHERE o.principal_id = ${principalId} AND o.client_id = ${clientId} AND o.decided_via = 'presented'
         AND o.created_at > ${now}::timestamptz - make_interval(secs => ${GIVEN_BACK_WINDOW_SECONDS})
       ORDER BY o.created_at DESC LIMIT 1 OFFSET ${GIVEN_BACK_MAX - 1}::int`

/**
 * Returns in how many seconds an agent that has presented too many undecided requests may ask again; null when it may
 * ask now.
 */
export async function findSecondsToAsk(tx: Queryable, asking: AskingAgent): Promise<number | null> {
  const [row] = await tx.query<{ created_at: Date }>(tooManyGivenBackSql(asking))
  if (row === undefined) return null
  const elapsed = (asking.now.getTime() - row.created_at.getTime()) / 1000
  return Math.max(1, Math.ceil(GIVEN_BACK_WINDOW_SECONDS - elapsed))
}
