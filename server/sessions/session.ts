import type { ActorSession } from '../core/call'
import type { Platform } from '../core/platform'
import { SESSION_ROTATION_GRACE_SECONDS, SESSION_ROTATION_SECONDS, SESSION_TOUCH_SECONDS } from './contract'
import { readSessionClaims, type SessionClaims } from './cookie'
import { SESSION_IDLE_SECONDS } from './input'
import { findLivingSession, revokeSession, revokeSessionsOf, type SessionRow, touchSession } from './store'

/** A person who is signed in to the portal, for one request. */
export interface PortalSession extends ActorSession {
  readonly principalId: string
  readonly tenantId: string
  /** Which of the session's cookies the request carries. */
  readonly generation: number
  /** Whether that cookie is old enough to be replaced. */
  readonly rotationDue: boolean
}

/**
 * The person whose portal session the request carries, or null. The cookie only names a session: whether it lives, and
 * whether this is the cookie that counts, is asked of the database each time. Using a session moves its idle end, except
 * for `passive` requests, which a page makes by itself.
 */
export async function getPrincipal(
  platform: Platform,
  headers: Headers,
  options: { readonly passive?: boolean } = {},
): Promise<PortalSession | null> {
  const claims = await readSessionClaims(platform, headers)
  if (claims === null) return null
  const now = platform.clock.now()
  const row = await findLivingSession(platform.db, claims.id, { now, idleSeconds: SESSION_IDLE_SECONDS })
  if (row === null) return null
  if (!counts(claims, row, now)) {
    await endIfCopied(platform, row, now)
    return null
  }
  if (options.passive !== true) await touch(platform, row, now)
  return toSession(row, claims, now)
}

/** Whether the cookie is the session's newest, or the one before while requests may still be under way with it. */
function counts({ generation }: SessionClaims, row: SessionRow, now: Date): boolean {
  return generation === row.generation || (generation === row.generation - 1 && isJustRotated(row, now))
}

const isJustRotated = (row: SessionRow, now: Date): boolean =>
  secondsBetween(row.rotated_at, now) < SESSION_ROTATION_GRACE_SECONDS

/**
 * A replaced cookie that is used when none can be under way any more: it was copied, or somebody with a copy has taken
 * the next one. Nobody can tell which, so the session ends for both.
 */
async function endIfCopied(platform: Platform, row: SessionRow, now: Date): Promise<void> {
  if (isJustRotated(row, now)) return
  platform.log.warn('a session ended because a replaced cookie was used', {})
  await revokeSession(platform.db, row.id, now)
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

/** Whether the session still lives: for work that goes on longer than one request, whatever became of its cookie. */
export async function isSessionAlive(platform: Platform, session: PortalSession): Promise<boolean> {
  const now = platform.clock.now()
  return (await findLivingSession(platform.db, session.id, { now, idleSeconds: SESSION_IDLE_SECONDS })) !== null
}

/** Ends every portal session of the person, this one included. Returns how many there were. */
export function revokeAllSessions(platform: Platform, principalId: string): Promise<number> {
  return revokeSessionsOf(platform.db, principalId, platform.clock.now())
}
