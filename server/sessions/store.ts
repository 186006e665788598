import type { ActorSession } from '../core/call'
import type { Queryable } from '../core/platform'
import type { SessionClaims } from './cookie'

export interface SessionRow {
  id: string
  principal_id: string
  tenant_id: string
  method: ActorSession['method']
  created_at: Date
  last_seen_at: Date
  generation: number
  rotated_at: Date | null
}

/** The session unless it was revoked, ran out, idled out, or its person was erased. Its newest cookie has `generation`. */
export async function findLivingSession(
  db: Queryable,
  id: string,
  { now, idleSeconds }: { now: Date; idleSeconds: number },
): Promise<SessionRow | null> {
  const [row] = await db.query<SessionRow>(
    `SELECT s.id, s.principal_id, p.tenant_id, s.method, s.created_at, s.last_seen_at, s.generation, s.rotated_at
       FROM portal_sessions s JOIN principals p ON p.id = s.principal_id
      WHERE s.id = $1 AND s.revoked_at IS NULL AND s.expires_at > $2 AND s.last_seen_at > $3 AND NOT p.erased`,
    [id, now, new Date(now.getTime() - idleSeconds * 1000)],
  )
  return row ?? null
}

/** Makes the next cookie the one that counts. Returns whether the given one had been that: of parallel turns one wins. */
export async function advanceSession(db: Queryable, { id, generation }: SessionClaims, now: Date): Promise<boolean> {
  const rows = await db.query(
    `UPDATE portal_sessions SET generation = generation + 1, rotated_at = $3
      WHERE id = $1 AND generation = $2 AND revoked_at IS NULL RETURNING id`,
    [id, generation, now],
  )
  return rows.length === 1
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

export interface SessionOfPerson {
  id: string
  handle: string
  device: string | null
  method: ActorSession['method']
  created_at: Date
  last_seen_at: Date
}

/** What names a session to its owner: a hash, so that lists and logs of browsers never hold the id itself. */
const HANDLE = `encode(sha256(convert_to(id, 'UTF8')), 'hex')`

/** The sessions of the person that were not revoked and have not run or idled out, the last used first. */
export function findLivingSessionsOf(
  db: Queryable,
  principalId: string,
  { now, idleSeconds }: { now: Date; idleSeconds: number },
): Promise<SessionOfPerson[]> {
  return db.query<SessionOfPerson>(
    `SELECT id, ${HANDLE} AS handle, device, method, created_at, last_seen_at FROM portal_sessions
      WHERE principal_id = $1 AND revoked_at IS NULL AND expires_at > $2 AND last_seen_at > $3
      ORDER BY last_seen_at DESC, id`,
    [principalId, now, new Date(now.getTime() - idleSeconds * 1000)],
  )
}

/** Returns whether the person had such a session. */
export async function revokeSessionByHandle(
  db: Queryable,
  handle: string,
  { principalId, now }: { principalId: string; now: Date },
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE portal_sessions SET revoked_at = $3
      WHERE principal_id = $2 AND ${HANDLE} = $1 AND revoked_at IS NULL AND expires_at > $3 RETURNING id`,
    [handle, principalId, now],
  )
  return rows.length === 1
}

export async function revokeOtherSessions(
  db: Queryable,
  principalId: string,
  { kept, now }: { kept: string | null; now: Date },
): Promise<number> {
  const rows = await db.query(
    `UPDATE portal_sessions SET revoked_at = $3
      WHERE principal_id = $1 AND id IS DISTINCT FROM $2 AND revoked_at IS NULL RETURNING id`,
    [principalId, kept, now],
  )
  return rows.length
}

export interface NewSession {
  readonly id: string
  /** What kind of device it is on. */
  readonly device: string | null
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
     INSERT INTO portal_sessions (id, principal_id, created_at, last_seen_at, expires_at, method, device)
     SELECT $3, p.id, $2, $2, $4, 'magic_link', $5 FROM used JOIN principals p ON p.id = used.principal_id
      WHERE NOT p.erased
     RETURNING id`,
    [tokenHash, session.now, session.id, session.expiresAt, session.device],
  )
  return rows.length === 1
}

/** Opens a session for somebody who was identified by other means. */
export async function insertSession(
  db: Queryable,
  { principalId, method }: { principalId: string; method: ActorSession['method'] },
  session: NewSession,
): Promise<void> {
  await db.query(
    `INSERT INTO portal_sessions (id, principal_id, created_at, last_seen_at, expires_at, method, device)
     VALUES ($1, $2, $3, $3, $4, $5, $6)`,
    [session.id, principalId, session.now, session.expiresAt, method, session.device],
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
