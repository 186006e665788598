import { rememberedSubject } from '../consent'
import type { Queryable } from '../core/platform'
import { REFRESH_TOKEN_TTL_SECONDS } from '../protocol/lifetimes'

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
const select = `SELECT c.id, c.name, c.purpose, c.scope, c.created_at, c.revoked_at,
    (SELECT greatest(newest.at, (
              SELECT max(r.created_at) FROM token_families f JOIN refresh_tokens r ON r.family_id = f.id
               WHERE f.client_id = c.id AND f.created_at >= newest.at - make_interval(secs => ${REFRESH_TOKEN_TTL_SECONDS})))
       FROM (SELECT max(created_at) AS at FROM token_families WHERE client_id = c.id) AS newest) AS last_used_at
  FROM clients c WHERE c.principal_id = $1 AND c.kind = 'agent'`

/** The person's agents, newest first. */
export function listAgentRows(db: Queryable, principalId: string): Promise<AgentRow[]> {
  return db.query<AgentRow>(`${select} ORDER BY c.created_at DESC, c.id LIMIT 1000`, [principalId])
}

export async function findAgentRow(db: Queryable, principalId: string, clientId: string): Promise<AgentRow | null> {
  const [row] = await db.query<AgentRow>(`${select} AND c.id = $2`, [principalId, clientId])
  return row ?? null
}

/** Locks the person's agent until the commit, so that two revocations come one after the other. */
export async function lockAgent(tx: Queryable, principalId: string, clientId: string) {
  const [row] = await tx.query<{ revoked_at: Date | null }>(
    `SELECT revoked_at FROM clients WHERE id = $1 AND principal_id = $2 AND kind = 'agent' FOR UPDATE`,
    [clientId, principalId],
  )
  return row ?? null
}

export async function markRevoked(tx: Queryable, clientId: string, now: Date): Promise<void> {
  await tx.query('UPDATE clients SET revoked_at = $2 WHERE id = $1', [clientId, now])
}

/** Nothing that was approved once for the agent counts any more. */
export async function forgetApprovals(tx: Queryable, clientId: string): Promise<void> {
  await tx.query('DELETE FROM remembered_approvals WHERE client_id = $1', [clientId])
}

/** Whatever the agent still asks for is declined: purchases, permissions, and exceeding a limit. */
export async function declineQuestions(tx: Queryable, clientId: string, now: Date): Promise<void> {
  await tx.query(
    `UPDATE consents SET status = 'declined', decided_at = $2, decided_via = 'agent_revoked'
      WHERE client_id = $1 AND status = 'pending' AND expires_at > $2`,
    [clientId, now],
  )
  await tx.query(
    `UPDATE limit_bumps SET status = 'declined', decided_at = $2
      WHERE agent_client_id = $1 AND status = 'pending' AND expires_at > $2`,
    [clientId, now],
  )
}

/** Forgets that the person approved these wallet scopes together. Returns whether they had. */
export async function forgetAccess(
  tx: Queryable,
  { clientId, scope }: { clientId: string; scope: readonly string[] },
): Promise<boolean> {
  const rows = await tx.query(
    'DELETE FROM remembered_approvals WHERE client_id = $1 AND subject = $2 RETURNING subject',
    [clientId, rememberedSubject({ payment: null, scope })],
  )
  return rows.length === 1
}
