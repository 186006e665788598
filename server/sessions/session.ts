import type { ActorSession } from '../core/call'
import type { Platform } from '../core/platform'
import { SESSION_IDLE_SECONDS, SESSION_TOUCH_SECONDS } from './contract'
import { readSessionId } from './cookie'
import { findLivingSession, revokeSessionsOf, type SessionRow, touchSession } from './store'

/** A person who is signed in to the portal, for one request. */
export interface PortalSession extends ActorSession {
  readonly principalId: string
  readonly tenantId: string
}

/**
 * The person whose portal session the request carries, or null. The cookie only names a session: whether it lives is
 * asked of the database each time. Using a session moves its idle end, except for `passive` requests, which a page
 * makes by itself.
 */
export async function getPrincipal(
  platform: Platform,
  headers: Headers,
  options: { readonly passive?: boolean } = {},
): Promise<PortalSession | null> {
  const id = await readSessionId(platform, headers)
  if (id === null) return null
  const now = platform.clock.now()
  const row = await findLivingSession(platform.db, id, { now, idleSeconds: SESSION_IDLE_SECONDS })
  if (row === null) return null
  if (options.passive !== true) await touch(platform, row, now)
  const { id: sessionId, method, created_at: authenticatedAt } = row
  return { id: sessionId, principalId: row.principal_id, tenantId: row.tenant_id, method, authenticatedAt }
}

async function touch(platform: Platform, row: SessionRow, now: Date): Promise<void> {
  const due = new Date(now.getTime() - SESSION_TOUCH_SECONDS * 1000)
  if (row.last_seen_at <= due) await touchSession(platform.db, row.id, { now, due })
}

/** Whether the session still lives: for work that goes on longer than one request. */
export async function isSessionAlive(platform: Platform, session: PortalSession): Promise<boolean> {
  const now = platform.clock.now()
  return (await findLivingSession(platform.db, session.id, { now, idleSeconds: SESSION_IDLE_SECONDS })) !== null
}

/** Ends every portal session of the person, this one included. Returns how many there were. */
export function revokeAllSessions(platform: Platform, principalId: string): Promise<number> {
  return revokeSessionsOf(platform.db, principalId, platform.clock.now())
}
