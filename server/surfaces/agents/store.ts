import type { Queryable } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import { lastTokenSql } from '../../oauth/tokens'

export type AgentRow = Row<
  'Client',
  'id' | 'purpose' | 'scope' | 'created_at' | 'revoked_at' | 'paused_at',
  { scope: string[] }
> & {
  readonly label: string
  readonly last_used_at: Date | null
}

const agentsOf = (
  principalId: string,
) => sql`SELECT a.id, a.label, a.purpose, a.scope, a.created_at, a.revoked_at, a.paused_at,
    ${lastTokenSql(sql`a.id`)} AS last_used_at
  FROM agents a WHERE a.principal_id = ${principalId}`

/** Returns the person's agents, newest first. */
export function listAgentRows(db: Queryable, principalId: string): Promise<AgentRow[]> {
  return db.query<AgentRow>(sql`${agentsOf(principalId)} ORDER BY a.created_at DESC, a.id LIMIT 1000`)
}

/** Returns all of the person's agents, oldest first. */
export function listEveryAgentRow(db: Queryable, principalId: string): Promise<AgentRow[]> {
  return db.query<AgentRow>(sql`${agentsOf(principalId)} ORDER BY a.created_at, a.id`)
}

export async function findAgentRow(db: Queryable, principalId: string, clientId: string): Promise<AgentRow | null> {
  const [row] = await db.query<AgentRow>(sql`${agentsOf(principalId)} AND a.id = ${clientId}`)
  return row ?? null
}
