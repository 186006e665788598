import type { Queryable } from '../../base/core/platform'
import { type Sql, sql } from '../../base/core/sql'

/** The most approvals of one agent that may end because it sent their requests to authorize undecided, in one hour. */
const EARLY_AUTHORIZE_MAX = 30
const EARLY_AUTHORIZE_WINDOW_SECONDS = 3_600

interface AskingAgent {
  readonly principalId: string
  readonly clientId: string
  readonly now: Date
}

/**
 * SQL query: the one row whose age decides when the agent may ask again, if it has sent too many requests to authorize
 * undecided.
 */
export const tooManyEarlySql = ({ principalId, clientId, now }: AskingAgent): Sql =>
  sql`SELECT o.created_at FROM consents o
       WHERE o.principal_id = ${principalId} AND o.client_id = ${clientId} AND o.decided_via = 'presented'
         AND o.created_at > ${now}::timestamptz - make_interval(secs => ${EARLY_AUTHORIZE_WINDOW_SECONDS})
       ORDER BY o.created_at DESC LIMIT 1 OFFSET ${EARLY_AUTHORIZE_MAX - 1}::int`

/**
 * Returns in how many seconds an agent that has sent too many requests to authorize undecided may ask again; null when
 * it may ask now.
 */
export async function findSecondsToAsk(tx: Queryable, asking: AskingAgent): Promise<number | null> {
  const [row] = await tx.query<{ created_at: Date }>(tooManyEarlySql(asking))
  if (row === undefined) return null
  const elapsed = (asking.now.getTime() - row.created_at.getTime()) / 1000
  return Math.max(1, Math.ceil(EARLY_AUTHORIZE_WINDOW_SECONDS - elapsed))
}
