import type { ActorSession } from '../../base/core/call'
import type { Database, Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import type { SessionClaims } from './cookie'

export interface SessionRow {
  id: string
  principal_id: string
  tenant_id: string
  method: ActorSession['method']
  created_at: Date
  last_seen_at: Date
  /** The one of the session's newest cookie. */
  generation: number
  rotated_at: Date | null
}

/** The session, unless it was revoked, has expired or idled out, or its person was erased. */
export async function findLivingSession(
  db: Queryable,
  id: string,
  { now, idleSeconds }: { now: Date; idleSeconds: number },
): Promise<SessionRow | null> {
  const [row] = await db.query<SessionRow>(
    sql`SELECT s.id, s.principal_id, p.tenant_id, s.method, s.created_at, s.last_seen_at, s.generation, s.rotated_at
       FROM portal_sessions s JOIN principals p ON p.id = s.principal_id
      WHERE s.id = ${id} AND s.revoked_at IS NULL AND s.expires_at > ${now} AND s.last_seen_at > ${new Date(now.getTime() - idleSeconds * 1000)} AND NOT p.erased`,
  )
  return row ?? null
}

/** Makes the next generation the current one. Returns false when the given one is not current: of parallel calls one wins. */
export async function advanceSession(db: Queryable, { id, generation }: SessionClaims, now: Date): Promise<boolean> {
  const rows = await db.query(
    sql`UPDATE portal_sessions SET generation = generation + 1, rotated_at = ${now}
      WHERE id = ${id} AND generation = ${generation} AND revoked_at IS NULL RETURNING id`,
  )
  return rows.length === 1
}

/** Records a use, unless another request has recorded one since `due`. */
export async function touchSession(db: Queryable, id: string, { now, due }: { now: Date; due: Date }): Promise<void> {
  await db.query(
    sql`UPDATE portal_sessions SET last_seen_at = ${now} WHERE id = ${id} AND revoked_at IS NULL AND last_seen_at <= ${due}`,
  )
}

export async function revokeSession(db: Queryable, id: string, now: Date): Promise<void> {
  await db.query(sql`UPDATE portal_sessions SET revoked_at = ${now} WHERE id = ${id} AND revoked_at IS NULL`)
}

export async function revokeSessionsOf(db: Queryable, principalId: string, now: Date): Promise<number> {
  const rows = await db.query(
    sql`UPDATE portal_sessions SET revoked_at = ${now} WHERE principal_id = ${principalId} AND revoked_at IS NULL RETURNING id`,
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
const HANDLE = sql`encode(sha256(convert_to(id, 'UTF8')), 'hex')`

/** The person's sessions that were not revoked and have not expired or idled out, the last used first. */
export function findLivingSessionsOf(
  db: Queryable,
  principalId: string,
  { now, idleSeconds }: { now: Date; idleSeconds: number },
): Promise<SessionOfPerson[]> {
  return db.query<SessionOfPerson>(
    sql`SELECT id, ${HANDLE} AS handle, device, method, created_at, last_seen_at FROM portal_sessions
      WHERE principal_id = ${principalId} AND revoked_at IS NULL AND expires_at > ${now} AND last_seen_at > ${new Date(now.getTime() - idleSeconds * 1000)}
      ORDER BY last_seen_at DESC, id`,
  )
}

/** Returns whether the person had such a session. */
export async function revokeSessionByHandle(
  db: Queryable,
  handle: string,
  { principalId, now }: { principalId: string; now: Date },
): Promise<boolean> {
  const rows = await db.query(
    sql`UPDATE portal_sessions SET revoked_at = ${now}
      WHERE principal_id = ${principalId} AND ${HANDLE} = ${handle} AND revoked_at IS NULL AND expires_at > ${now} RETURNING id`,
  )
  return rows.length === 1
}

export async function revokeOtherSessions(
  db: Queryable,
  principalId: string,
  { kept, now }: { kept: string | null; now: Date },
): Promise<number> {
  const rows = await db.query(
    sql`UPDATE portal_sessions SET revoked_at = ${now}
      WHERE principal_id = ${principalId} AND id IS DISTINCT FROM ${kept} AND revoked_at IS NULL RETURNING id`,
  )
  return rows.length
}

export interface NewSession {
  readonly id: string
  /** As `deviceLabel` returns it. */
  readonly device: string | null
  readonly now: Date
  readonly expiresAt: Date
}

/**
 * Consumes a sign-in token and opens a session of its person in one statement: of parallel uses one wins. Returns whether
 * this one did.
 */
export async function consumeSignInToken(db: Queryable, tokenHash: string, session: NewSession): Promise<boolean> {
  const rows = await db.query(
    sql`WITH used AS (
       UPDATE sign_in_tokens SET consumed_at = ${session.now}
        WHERE token_hash = ${tokenHash} AND consumed_at IS NULL AND expires_at > ${session.now} RETURNING principal_id)
     INSERT INTO portal_sessions (id, principal_id, created_at, last_seen_at, expires_at, method, device)
     SELECT ${session.id}, p.id, ${session.now}, ${session.now}, ${session.expiresAt}, 'magic_link', ${session.device} FROM used JOIN principals p ON p.id = used.principal_id
      WHERE NOT p.erased
     RETURNING id`,
  )
  return rows.length === 1
}

/** Opens a session of a person who was identified by other means than a sign-in token. */
export async function insertSession(
  db: Queryable,
  { principalId, method }: { principalId: string; method: ActorSession['method'] },
  session: NewSession,
): Promise<void> {
  await db.query(
    sql`INSERT INTO portal_sessions (id, principal_id, created_at, last_seen_at, expires_at, method, device)
     VALUES (${session.id}, ${principalId}, ${session.now}, ${session.now}, ${session.expiresAt}, ${method}, ${session.device})`,
  )
}

export interface NewSignInToken {
  readonly tokenHash: string
  readonly tenantId: string
  readonly email: string
  readonly now: Date
  readonly expiresAt: Date
}

/** Stores a sign-in token for the person with this address; null when there is none. The work is the same either way. */
export async function insertSignInToken(
  tx: Queryable,
  token: NewSignInToken,
): Promise<{ principal_id: string; email: string } | null> {
  const [row] = await tx.query<{ principal_id: string; email: string }>(
    sql`WITH person AS (
       SELECT id, email FROM principals WHERE tenant_id = ${token.tenantId} AND lower(email) = lower(${token.email}) AND NOT erased),
     stored AS (
       INSERT INTO sign_in_tokens (token_hash, principal_id, created_at, expires_at)
       SELECT ${token.tokenHash}, id, ${token.now}::timestamptz, ${token.expiresAt}::timestamptz FROM person RETURNING principal_id)
     SELECT stored.principal_id, person.email FROM stored, person`,
  )
  return row ?? null
}

/** Deletes sign-in tokens that have expired. */
export async function sweepSignInTokens(db: Database, now: Date): Promise<void> {
  await db.prisma.signInToken.deleteMany({ where: { expires_at: { lt: now } } })
}

/** Deletes sessions that have expired. */
export async function sweepSessions(db: Database, now: Date): Promise<void> {
  await db.prisma.portalSession.deleteMany({ where: { expires_at: { lt: now } } })
}
