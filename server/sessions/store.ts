import type { Queryable } from '../core/platform'

export interface SessionRow {
  id: string
  principal_id: string
  tenant_id: string
  last_seen_at: Date
}

/** The session unless it was revoked, ran out, idled out, or its person was erased. */
export async function findLivingSession(
  db: Queryable,
  id: string,
  { now, idleSeconds }: { now: Date; idleSeconds: number },
): Promise<SessionRow | null> {
  const [row] = await db.query<SessionRow>(
    `SELECT s.id, s.principal_id, p.tenant_id, s.last_seen_at
       FROM portal_sessions s JOIN principals p ON p.id = s.principal_id
      WHERE s.id = $1 AND s.revoked_at IS NULL AND s.expires_at > $2 AND s.last_seen_at > $3 AND NOT p.erased`,
    [id, now, new Date(now.getTime() - idleSeconds * 1000)],
  )
  return row ?? null
}

/** Notes a use, unless another request has noted one since `due`. */
export async function touchSession(db: Queryable, id: string, { now, due }: { now: Date; due: Date }): Promise<void> {
  await db.query(
    'UPDATE portal_sessions SET last_seen_at = $2 WHERE id = $1 AND revoked_at IS NULL AND last_seen_at <= $3',
    [id, now, due],
  )
}

export async function revokeSession(db: Queryable, id: string, now: Date): Promise<void> {
  await db.query('UPDATE portal_sessions SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL', [id, now])
}

export async function revokeSessionsOf(db: Queryable, principalId: string, now: Date): Promise<number> {
  const rows = await db.query(
    'UPDATE portal_sessions SET revoked_at = $2 WHERE principal_id = $1 AND revoked_at IS NULL RETURNING id',
    [principalId, now],
  )
  return rows.length
}

export interface NewSession {
  readonly id: string
  readonly now: Date
  readonly expiresAt: Date
}

/**
 * Consumes a sign-in token and opens the session that it stands for, in one statement: of parallel uses one wins.
 * Returns whether this one did.
 */
export async function consumeSignInToken(db: Queryable, tokenHash: string, session: NewSession): Promise<boolean> {
  const rows = await db.query(
    `WITH used AS (
       UPDATE sign_in_tokens SET consumed_at = $2
        WHERE token_hash = $1 AND consumed_at IS NULL AND expires_at > $2 RETURNING principal_id)
     INSERT INTO portal_sessions (id, principal_id, created_at, last_seen_at, expires_at)
     SELECT $3, p.id, $2, $2, $4 FROM used JOIN principals p ON p.id = used.principal_id WHERE NOT p.erased
     RETURNING id`,
    [tokenHash, session.now, session.id, session.expiresAt],
  )
  return rows.length === 1
}

/** Opens a session for somebody who was identified by other means. */
export async function insertSession(db: Queryable, principalId: string, session: NewSession): Promise<void> {
  await db.query(
    'INSERT INTO portal_sessions (id, principal_id, created_at, last_seen_at, expires_at) VALUES ($1, $2, $3, $3, $4)',
    [session.id, principalId, session.now, session.expiresAt],
  )
}

export interface NewSignInToken {
  readonly tokenHash: string
  readonly tenantId: string
  readonly email: string
  readonly now: Date
  readonly expiresAt: Date
}

/** Stores a sign-in token for whoever has the address, if anybody does; the work is the same either way. */
export async function insertSignInToken(
  tx: Queryable,
  token: NewSignInToken,
): Promise<{ principal_id: string; email: string } | null> {
  const [row] = await tx.query<{ principal_id: string; email: string }>(
    `WITH person AS (
       SELECT id, email FROM principals WHERE tenant_id = $2 AND lower(email) = lower($3) AND NOT erased),
     stored AS (
       INSERT INTO sign_in_tokens (token_hash, principal_id, created_at, expires_at)
       SELECT $1, id, $4::timestamptz, $5::timestamptz FROM person RETURNING principal_id)
     SELECT stored.principal_id, person.email FROM stored, person`,
    [token.tokenHash, token.tenantId, token.email, token.now, token.expiresAt],
  )
  return row ?? null
}
