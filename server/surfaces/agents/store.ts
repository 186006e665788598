import type { Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import { REFRESH_TOKEN_TTL_SECONDS } from '../../base/protocol/lifetimes'

export interface AgentRow {
  id: string
  name: string
  purpose: string | null
  scope: string[]
  created_at: Date
  revoked_at: Date | null
  last_used_at: Date | null
}

// A use is a token that was issued: a new family, or a rotation within one. Older families ended before the newest began.
const agentsOf = (principalId: string) => sql`SELECT c.id, c.name, c.purpose, c.scope, c.created_at, c.revoked_at,
    (SELECT greatest(newest.at, (
              SELECT max(r.created_at) FROM token_families f JOIN refresh_tokens r ON r.family_id = f.id
               WHERE f.client_id = c.id AND f.created_at >= newest.at - make_interval(secs => ${REFRESH_TOKEN_TTL_SECONDS})))
       FROM (SELECT max(created_at) AS at FROM token_families WHERE client_id = c.id) AS newest) AS last_used_at
  FROM clients c WHERE c.principal_id = ${principalId} AND c.kind = 'agent'`

/** The person's agents, newest first. */
export function listAgentRows(db: Queryable, principalId: string): Promise<AgentRow[]> {
  return db.query<AgentRow>(sql`${agentsOf(principalId)} ORDER BY c.created_at DESC, c.id LIMIT 1000`)
}

export async function findAgentRow(db: Queryable, principalId: string, clientId: string): Promise<AgentRow | null> {
  const [row] = await db.query<AgentRow>(sql`${agentsOf(principalId)} AND c.id = ${clientId}`)
  return row ?? null
}

/** Locks the person's agent until the commit, so that two revocations come one after the other. */
export async function lockAgent(tx: Queryable, principalId: string, clientId: string) {
  const [row] = await tx.query<{ revoked_at: Date | null }>(
    sql`SELECT revoked_at FROM clients WHERE id = ${clientId} AND principal_id = ${principalId} AND kind = 'agent' FOR UPDATE`,
  )
  return row ?? null
}

export async function markRevoked(tx: Queryable, clientId: string, now: Date): Promise<void> {
  await tx.query(sql`UPDATE clients SET revoked_at = ${now} WHERE id = ${clientId}`)
}

/** Whatever the agent still asks for is declined: purchases, permissions, and exceeding a limit. */
export async function declineQuestions(tx: Queryable, clientId: string, now: Date): Promise<void> {
  await tx.query(
    sql`UPDATE consents SET status = 'declined', decided_at = ${now}, decided_via = 'agent_revoked'
      WHERE client_id = ${clientId} AND status = 'pending' AND expires_at > ${now}`,
  )
  await tx.query(
    sql`UPDATE limit_bumps SET status = 'declined', decided_at = ${now}
      WHERE agent_client_id = ${clientId} AND status = 'pending' AND expires_at > ${now}`,
  )
}
