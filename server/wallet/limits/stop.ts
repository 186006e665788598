import { ServiceError } from '../../base/core/errors'
import type { Queryable } from '../../base/core/platform'
import { type Sql, sql } from '../../base/core/sql'

/** Why an agent may not pay whatever the limits say: the person froze all spending, or paused this agent. */
export type Stop = 'frozen' | 'paused'

const descriptions = { frozen: 'Spending is frozen.', paused: 'This agent is paused.' } as const

/** SQL expression: the stop of the agent, or NULL. The parts are rows of `principal_profiles` and `agents`. */
export const stopSql = ({ principal, agent }: { readonly principal: Sql; readonly agent: Sql }): Sql =>
  sql`CASE WHEN ${principal}.frozen_at IS NOT NULL THEN 'frozen' WHEN ${agent}.paused_at IS NOT NULL THEN 'paused' END`

/**
 * Returns the stop that keeps the agent from paying; null when it may. Under the person's lock the result stays true
 * until the commit.
 */
export async function findStop(
  db: Queryable,
  { principalId, clientId }: { readonly principalId: string; readonly clientId: string },
): Promise<Stop | null> {
  const [row] = await db.query<{ stop: Stop | null }>(
    sql`SELECT ${stopSql({ principal: sql`p`, agent: sql`c` })} AS stop
       FROM principal_profiles p JOIN agents c ON c.principal_id = p.id WHERE p.id = ${principalId} AND c.id = ${clientId}`,
  )
  return row?.stop ?? null
}

/** Returns the text for an agent that is refused because of a stop. */
export const describeStop = (stop: Stop): string => descriptions[stop]

/** Throws 403 unless the stop is null. */
export function requireNoStop(stop: Stop | null): void {
  if (stop !== null) throw new ServiceError('forbidden', describeStop(stop))
}
