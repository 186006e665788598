import type { ActorSession } from '../../base/core/call'
import type { Database, Queryable } from '../../base/core/platform'
import { type Row, rowOf } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import { sha256 } from '../../base/protocol/encoding'
import { principalByEmailSql } from '../../shared/principals'
import type { SessionClaims } from './cookie'

type Method = { method: ActorSession['method'] }

/** A session with the tenant of its person; its generation is that of its newest cookie. */
export type SessionRow = Row<
  'PortalSession',
  'id' | 'principal_id' | 'method' | 'created_at' | 'last_seen_at' | 'generation' | 'rotated_at',
  Method
> & { tenant_id: string }

/** The session, unless it was revoked, has expired or idled out, or its person was erased. */
export async function findLivingSession(
  db: Queryable,
  id: string,
  { now, idleSeconds }: { now: Date; idleSeconds: number },
): Promise<SessionRow | null> {
  const [row] = await db.query<SessionRow>(
    sql`SELECT s.id, s.principal_id, p.tenant_id, s.method, s.created_at, s.last_seen_at, s.generation, s.rotated_at
       FROM portal_sessions s JOIN active_principals p ON p.id = s.principal_id
      WHERE s.id = ${id} AND s.revoked_at IS NULL AND s.expires_at > ${now} AND s.last_seen_at > ${idleBefore(now, idleSeconds)}`,
  )
  return row ?? null
}

const idleBefore = (now: Date, idleSeconds: number): Date => new Date(now.getTime() - idleSeconds * 1000)

/** Makes the next generation the current one. Returns false when the given one is not current: of parallel calls one wins. */
export async function advanceSession(db: Database, { id, generation }: SessionClaims, now: Date): Promise<boolean> {
  const { count } = await db.prisma.portalSession.updateMany({
    where: { id, generation, revoked_at: null },
    data: { generation: { increment: 1 }, rotated_at: now },
  })
  return count === 1
}

/** Records a use, unless another request has recorded one since `due`. */
export async function touchSession(db: Database, id: string, { now, due }: { now: Date; due: Date }): Promise<void> {
  await db.prisma.portalSession.updateMany({
    where: { id, revoked_at: null, last_seen_at: { lte: due } },
    data: { last_seen_at: now },
  })
}

export async function revokeSession(db: Database, id: string, now: Date): Promise<void> {
  await db.prisma.portalSession.updateMany({ where: { id, revoked_at: null }, data: { revoked_at: now } })
}

/** Returns how many were revoked. */
export async function revokeSessionsOf(db: Database, principalId: string, now: Date): Promise<number> {
  const { count } = await db.prisma.portalSession.updateMany({
    where: { principal_id: principalId, revoked_at: null },
    data: { revoked_at: now },
  })
  return count
}

/** Returns how many were revoked. */
export async function revokeOtherSessions(
  db: Database,
  principalId: string,
  { currentId, now }: { currentId: string | null; now: Date },
): Promise<number> {
  const { count } = await db.prisma.portalSession.updateMany({
    where: { principal_id: principalId, ...(currentId === null ? {} : { id: { not: currentId } }), revoked_at: null },
    data: { revoked_at: now },
  })
  return count
}

const listedColumns = { id: true, device: true, method: true, created_at: true, last_seen_at: true } as const

export type ListedSession = Row<'PortalSession', keyof typeof listedColumns, Method> & {
  /** What names a session to its owner: a hash, so that lists and logs of browsers never hold the id itself. */
  readonly handle: string
}

/** The person's sessions that were not revoked and have not expired or idled out, the last used first. */
export async function listLivingSessions(
  db: Database,
  principalId: string,
  { now, idleSeconds }: { now: Date; idleSeconds: number },
): Promise<ListedSession[]> {
  const rows = await db.prisma.portalSession.findMany({
    select: listedColumns,
    where: {
      principal_id: principalId,
      revoked_at: null,
      expires_at: { gt: now },
      last_seen_at: { gt: idleBefore(now, idleSeconds) },
    },
    orderBy: [{ last_seen_at: 'desc' }, { id: 'asc' }],
  })
  return rows.map((row) => ({ ...rowOf<Omit<ListedSession, 'handle'>>(row), handle: sha256(row.id).toString('hex') }))
}

/** Returns whether the person had such a session. */
export async function revokeSessionByHandle(
  db: Queryable,
  handle: string,
  { principalId, now }: { principalId: string; now: Date },
): Promise<boolean> {
  const rows = await db.query(
    sql`UPDATE portal_sessions SET revoked_at = ${now}
      WHERE principal_id = ${principalId} AND encode(sha256(convert_to(id, 'UTF8')), 'hex') = ${handle} AND revoked_at IS NULL AND expires_at > ${now} RETURNING id`,
  )
  return rows.length === 1
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
     SELECT ${session.id}, p.id, ${session.now}, ${session.now}, ${session.expiresAt}, 'magic_link', ${session.device}
       FROM used JOIN active_principals p ON p.id = used.principal_id
     RETURNING id`,
  )
  return rows.length === 1
}

/** Opens a session of a person who was identified by other means than a sign-in token. */
export async function insertSession(
  db: Database,
  { principalId, method }: { principalId: string; method: ActorSession['method'] },
  { id, device, now, expiresAt }: NewSession,
): Promise<void> {
  await db.prisma.portalSession.create({
    data: { id, principal_id: principalId, created_at: now, last_seen_at: now, expires_at: expiresAt, method, device },
  })
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
    sql`WITH person AS (${principalByEmailSql(token.tenantId, token.email)}),
     stored AS (
       INSERT INTO sign_in_tokens (token_hash, principal_id, created_at, expires_at)
       SELECT ${token.tokenHash}, id, ${token.now}::timestamptz, ${token.expiresAt}::timestamptz FROM person RETURNING principal_id)
     SELECT stored.principal_id, person.email FROM stored, person`,
  )
  return row ?? null
}

const SWEPT_AT_ONCE = 5_000

/** Deletes sign-in tokens that have expired. */
export async function sweepSignInTokens(db: Database, now: Date): Promise<void> {
  await db.query(
    sql`DELETE FROM sign_in_tokens WHERE token_hash IN
       (SELECT token_hash FROM sign_in_tokens WHERE expires_at < ${now} ORDER BY expires_at LIMIT ${SWEPT_AT_ONCE})`,
  )
}

/** Deletes sessions that have expired. */
export async function sweepSessions(db: Database, now: Date): Promise<void> {
  await db.query(
    sql`DELETE FROM portal_sessions WHERE id IN
       (SELECT id FROM portal_sessions WHERE expires_at < ${now} ORDER BY expires_at LIMIT ${SWEPT_AT_ONCE})`,
  )
}
