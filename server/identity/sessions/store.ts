import type { ActorSession } from '../../base/core/call'
import type { Database, Queryable } from '../../base/core/platform'
import { sweptBefore } from '../../base/core/retention'
import { type Row, rowOf } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import { countSwept, oldestSql } from '../../base/core/swept'
import { sessionHandle } from '../../base/protocol/session-handle'
import { forgetDevices, handOnDevices } from '../../shared/notifications'
import type { SessionClaims } from './cookie'
import { SESSION_IDLE_SECONDS, type SessionEnd } from './input'

type Method = { method: ActorSession['method'] }

/** A session with the tenant of its person; its generation is that of its newest cookie. */
export type SessionRow = Row<
  'PortalSession',
  'id' | 'principal_id' | 'method' | 'created_at' | 'last_seen_at' | 'generation' | 'rotated_at',
  Method
> & { tenant_id: string }

/** SQL condition: the session `s` was not revoked and has neither expired nor idled out. */
export const isActiveSql = (now: Date): Sql =>
  sql`(s.revoked_at IS NULL AND s.expires_at > ${now}
       AND s.last_seen_at > ${new Date(now.getTime() - SESSION_IDLE_SECONDS * 1000)})`

/** SQL expression: the handle of the session with this id, as `sessionHandle` makes it. */
export const handleSql = (id: Sql): Sql => sql`encode(sha256(convert_to(${id}, 'UTF8')), 'hex')`

/** Returns the session; null when it was revoked, has expired or idled out, or its person was erased. */
export async function findActiveSession(db: Queryable, id: string, now: Date): Promise<SessionRow | null> {
  const [row] = await db.query<SessionRow>(
    sql`SELECT s.id, s.principal_id, p.tenant_id, s.method, s.created_at, s.last_seen_at, s.generation, s.rotated_at
       FROM portal_sessions s JOIN active_principals p ON p.id = s.principal_id
      WHERE s.id = ${id} AND ${isActiveSql(now)}`,
  )
  return row ?? null
}

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

/** Why a session ended, other than by not being used. */
export type EndedBy = Exclude<SessionEnd, 'idle'>

interface Ending {
  readonly by: EndedBy
  readonly now: Date
}

const ended = ({ by, now }: Ending) => ({ revoked_at: now, ended_by: by })

export async function revokeSession(db: Database, id: string, ending: Ending): Promise<void> {
  await db.prisma.portalSession.updateMany({ where: { id, revoked_at: null }, data: ended(ending) })
}

/**
 * Ends the session that a browser had before it signed in again. When both sessions are of one person, the browser
 * keeps getting their messages; messages of another person end.
 */
export async function replaceSession(
  db: Database,
  { previousId, nextId }: { readonly previousId: string; readonly nextId: string },
  now: Date,
): Promise<void> {
  const next = await db.prisma.portalSession.findUnique({ select: { principal_id: true }, where: { id: nextId } })
  if (next !== null) await handOnDevices(db, next.principal_id, sessionHandle(previousId), sessionHandle(nextId))
  await revokeSession(db, previousId, { by: 'window', now })
}

/** Revokes the person's sessions and returns their number. No messages are sent to the person's devices any more. */
export async function revokeSessionsOf(db: Database, principalId: string, ending: Ending): Promise<number> {
  await forgetDevices(db, principalId, null)
  const { count } = await db.prisma.portalSession.updateMany({
    where: { principal_id: principalId, revoked_at: null },
    data: ended(ending),
  })
  return count
}

const endColumns = { last_seen_at: true, expires_at: true, revoked_at: true, ended_by: true } as const

export type SessionEndRow = Row<'PortalSession', keyof typeof endColumns, { ended_by: EndedBy | null }>

export async function findSessionEnd(db: Database, id: string): Promise<SessionEndRow | null> {
  const row = await db.prisma.portalSession.findUnique({ select: endColumns, where: { id } })
  return row === null ? null : rowOf<SessionEndRow>(row)
}

/**
 * Revokes the person's other sessions and returns their number. Of their devices only that of the current session still
 * gets messages.
 */
export async function revokeOtherSessions(
  db: Database,
  principalId: string,
  { currentId, ...ending }: Ending & { currentId: string | null },
): Promise<number> {
  await forgetDevices(db, principalId, currentId === null ? null : sessionHandle(currentId))
  const { count } = await db.prisma.portalSession.updateMany({
    where: { principal_id: principalId, ...(currentId === null ? {} : { id: { not: currentId } }), revoked_at: null },
    data: ended(ending),
  })
  return count
}

export type ListedSession = Row<'PortalSession', 'id' | 'device' | 'method' | 'created_at' | 'last_seen_at', Method> & {
  /** The handle of the session: a hash, so that lists and logs of browsers never hold the id itself. */
  readonly handle: string
}

/** Returns the person's sessions that were not revoked and have not expired or idled out, the last used first. */
export function listActiveSessions(db: Queryable, principalId: string, now: Date): Promise<ListedSession[]> {
  return db.query<ListedSession>(
    sql`SELECT s.id, s.device, s.method, s.created_at, s.last_seen_at, ${handleSql(sql`s.id`)} AS handle
       FROM portal_sessions s WHERE s.principal_id = ${principalId} AND ${isActiveSql(now)}
      ORDER BY s.last_seen_at DESC, s.id`,
  )
}

/** Returns the kind of device that the session was opened on, as `deviceLabel` returns it. */
export async function findSessionDevice(db: Queryable, id: string): Promise<string | null> {
  const [row] = await db.query<Row<'PortalSession', 'device'>>(sql`SELECT device FROM portal_sessions WHERE id = ${id}`)
  return row?.device ?? null
}

/** Returns the devices on which the person's sessions were opened, by handle; deleted sessions are missing. */
export async function findDevicesByHandle(
  db: Queryable,
  principalId: string,
  handles: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await db.query<Row<'PortalSession', 'device'> & { readonly handle: string }>(
    sql`SELECT h.handle, s.device
       FROM portal_sessions s CROSS JOIN LATERAL (SELECT ${handleSql(sql`s.id`)} AS handle) h
      WHERE s.principal_id = ${principalId} AND h.handle = ANY (${handles}::text[])`,
  )
  return new Map(rows.map(({ handle, device }) => [handle, device]))
}

/** Revokes the session of a handle. Returns false when the person has none that is neither revoked nor expired. */
export async function revokeSessionByHandle(
  db: Queryable,
  handle: string,
  { principalId, by, now }: Ending & { principalId: string },
): Promise<boolean> {
  const rows = await db.query(
    sql`UPDATE portal_sessions SET revoked_at = ${now}, ended_by = ${by}
      WHERE principal_id = ${principalId} AND ${handleSql(sql`id`)} = ${handle} AND revoked_at IS NULL AND expires_at > ${now} RETURNING id`,
  )
  return rows.length === 1
}

export interface NewSession {
  readonly id: string
  /** The kind of device, as `deviceLabel` returns it. */
  readonly device: string | null
  readonly now: Date
  readonly expiresAt: Date
}

/** Inserts a session of a person who was identified by other means than a sign-in token. */
export async function insertSession(
  db: Database,
  { principalId, method }: { principalId: string; method: ActorSession['method'] },
  { id, device, now, expiresAt }: NewSession,
): Promise<void> {
  await db.prisma.portalSession.create({
    data: { id, principal_id: principalId, created_at: now, last_seen_at: now, expires_at: expiresAt, method, device },
  })
}

/** Deletes sessions that expired thirty days ago. */
export function sweepSessions(db: Database, now: Date): Promise<number> {
  return countSwept(
    db,
    sql`DELETE FROM portal_sessions WHERE id IN
       (SELECT id FROM portal_sessions WHERE ${oldestSql(sql`expires_at`, sweptBefore('sessions', now))})`,
  )
}
