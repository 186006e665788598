import type { Queryable } from '../core/platform'

export interface TakenRequest {
  redirect_uri: string
  state: string | null
  decision: 'approved' | 'consent' | 'access_denied' | 'setup_required'
  status: 'pending' | 'approved' | 'declined' | null
  live: boolean
  coded: boolean
}

interface Taking {
  readonly handleHash: string
  readonly clientId: string
  readonly codeHash: string
  readonly now: Date
  readonly codeExpiresAt: Date
}

/**
 * Reads and deletes the pushed request and, when it has been approved, stores the code, in one statement: of any number
 * of parallel redirects one gets it. Another client's request is left alone.
 */
export async function consumePushedRequest(db: Queryable, taking: Taking): Promise<TakenRequest | null> {
  const [row] = await db.query<TakenRequest>(
    `WITH taken AS (
       DELETE FROM pushed_requests WHERE handle_hash = $1 AND client_id = $2 AND expires_at > $4 RETURNING *),
     verdict AS (
       SELECT t.*, o.status, o.decided_at,
              (c.revoked_at IS NULL AND NOT p.erased AND NOT p.processing_restricted) AS live
         FROM taken t JOIN clients c ON c.id = t.client_id JOIN principals p ON p.id = t.principal_id
         LEFT JOIN consents o ON o.authorization_id = t.authorization_id),
     coded AS (
       INSERT INTO authorization_codes (code_hash, client_id, principal_id, jkt, dpop_jwk, redirect_uri, code_challenge, scope,
                                        resources, authorization_details, authorization_id, auth_time, created_at, expires_at)
       SELECT $3, client_id, principal_id, jkt, dpop_jwk, redirect_uri, code_challenge, scope, resources,
              authorization_details, authorization_id, coalesce(decided_at, $4::timestamptz), $4::timestamptz, $5::timestamptz
         FROM verdict WHERE live AND (decision = 'approved' OR (decision = 'consent' AND status = 'approved'))
       RETURNING code_hash)
     SELECT redirect_uri, state, decision, status, live, EXISTS (SELECT 1 FROM coded) AS coded FROM verdict`,
    [taking.handleHash, taking.clientId, taking.codeHash, taking.now, taking.codeExpiresAt],
  )
  return row ?? null
}

/** Whether the handle is alive, whoever pushed it. */
export async function pushedRequestExists(db: Queryable, handleHash: string, now: Date): Promise<boolean> {
  const rows = await db.query('SELECT 1 AS one FROM pushed_requests WHERE handle_hash = $1 AND expires_at > $2', [
    handleHash,
    now,
  ])
  return rows.length === 1
}
