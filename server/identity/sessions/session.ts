import type { ActorSession, WalletCall } from '../../base/core/call'
import type { Platform } from '../../base/core/platform'
import { loggedSession } from '../../base/protocol/session-handle'
import { SESSION_ROTATION_GRACE_SECONDS, SESSION_ROTATION_SECONDS, SESSION_TOUCH_SECONDS } from './contract'
import { readSessionClaims, type SessionClaims } from './cookie'
import { SESSION_IDLE_SECONDS, type SessionEnd } from './input'
import {
  type EndedBy,
  findActiveSession,
  findSessionEnd,
  revokeSession,
  revokeSessionsOf,
  type SessionRow,
  touchSession,
} from './store'

/** The portal session of one request. */
export interface PortalSession extends ActorSession {
  readonly principalId: string
  readonly tenantId: string
  /** The generation of the cookie that the request carries. */
  readonly generation: number
  /** Whether that cookie is due to be replaced. */
  readonly rotationDue: boolean
}

/**
 * Returns the portal session that the request carries, or null. The cookie only names a session: whether the session is
 * active and the cookie current is read from the database each time. A use postpones the idle end of the session;
 * `passive` requests, which a page makes on its own, do not.
 */
export async function findPortalSession(
  platform: Platform,
  headers: Headers,
  options: { readonly passive?: boolean } = {},
): Promise<PortalSession | null> {
  const claims = await readSessionClaims(platform, headers)
  if (claims === null) return null
  const now = platform.clock.now()
  const row = await findActiveSession(platform.db, claims.id, now)
  if (row === null) return null
  if (!isAcceptable(claims, row, now)) {
    await endIfCopied(platform, row, now)
    return null
  }
  if (options.passive !== true) await touch(platform, row, now)
  return toSession(row, claims, now)
}

/**
 * Returns whether the cookie is the session's newest, or the one before it while requests may still be under way with
 * it.
 */
function isAcceptable({ generation }: SessionClaims, row: SessionRow, now: Date): boolean {
  return generation === row.generation || (generation === row.generation - 1 && isJustRotated(row, now))
}

const isJustRotated = (row: SessionRow, now: Date): boolean =>
  secondsBetween(row.rotated_at, now) < SESSION_ROTATION_GRACE_SECONDS

/**
 * Ends the session of a replaced cookie that is used after the grace period. Either this cookie is a copy, or the holder of
 * a copy has taken the next one: the two cannot be told apart, so the session ends for both.
 */
async function endIfCopied(platform: Platform, row: SessionRow, now: Date): Promise<void> {
  if (isJustRotated(row, now)) return
  const whose = { principalId: row.principal_id, session: loggedSession(row.id) }
  platform.log.warn('a session ended because a replaced cookie was used', whose)
  await revokeSession(platform.db, row.id, { by: 'security', now })
}

function toSession(row: SessionRow, { generation }: SessionClaims, now: Date): PortalSession {
  const { id, principal_id: principalId, tenant_id: tenantId, method, created_at: authenticatedAt } = row
  const cookieSeconds = secondsBetween(row.rotated_at ?? authenticatedAt, now)
  const rotationDue = generation === row.generation && cookieSeconds >= SESSION_ROTATION_SECONDS
  return { id, principalId, tenantId, method, authenticatedAt, generation, rotationDue }
}

const secondsBetween = (since: Date | null, now: Date): number => (now.getTime() - (since?.getTime() ?? 0)) / 1000

async function touch(platform: Platform, row: SessionRow, now: Date): Promise<void> {
  const due = new Date(now.getTime() - SESSION_TOUCH_SECONDS * 1000)
  if (row.last_seen_at <= due) await touchSession(platform.db, row.id, { now, due })
}

/**
 * Returns whether the session is still active, whichever cookie the request carried: for work that outlasts one
 * request.
 */
export async function isSessionActive(platform: Platform, session: PortalSession): Promise<boolean> {
  const now = platform.clock.now()
  return (await findActiveSession(platform.db, session.id, now)) !== null
}

/** Ends all portal sessions of the person, the present one included. Returns how many were ended. */
export function revokeAllSessions(platform: Platform, principalId: string, by: EndedBy = 'security'): Promise<number> {
  return revokeSessionsOf(platform.db, principalId, { by, now: platform.clock.now() })
}

/** Records a use of the caller's portal session. A page calls it on its own while it needs the person's attention. */
export async function keepSessionAlive({ platform, actor, now }: WalletCall): Promise<void> {
  if (actor.session === null) return
  const due = new Date(now.getTime() - SESSION_TOUCH_SECONDS * 1000)
  await touchSession(platform.db, actor.session.id, { now, due })
}

/** Returns why the session of the request's cookie ended; null without a cookie, and while it is active or unknown. */
export async function readRequestEnd(platform: Platform, headers: Headers): Promise<SessionEnd | null> {
  const claims = await readSessionClaims(platform, headers)
  return claims === null ? null : readSessionEnd(platform, claims)
}

/** Returns why the session ended; null while it is active or unknown. */
export async function readSessionEnd(platform: Platform, { id }: { readonly id: string }): Promise<SessionEnd | null> {
  const row = await findSessionEnd(platform.db, id)
  if (row === null) return null
  if (row.revoked_at !== null) return row.ended_by
  const idlesOutAt = new Date(row.last_seen_at.getTime() + SESSION_IDLE_SECONDS * 1000)
  const now = platform.clock.now()
  if (idlesOutAt <= now && idlesOutAt <= row.expires_at) return 'idle'
  return row.expires_at <= now ? 'security' : null
}
