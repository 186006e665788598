import type { Platform } from '../../base/core/platform'
import { encryptSessionCookie } from './cookie'
import type { PortalSession } from './session'
import { advanceSession } from './store'

/**
 * Replaces the request's cookie by the next one of its session, and returns it as a `Set-Cookie` value. The session
 * stays the same, and so does what is bound to it, such as the challenge of a passkey. Returns null when the cookie was
 * already replaced: an old cookie is never exchanged for a newer one.
 */
export async function rotateSession(platform: Platform, session: PortalSession): Promise<string | null> {
  if (!(await advanceSession(platform.db, session, platform.clock.now()))) return null
  return encryptSessionCookie(platform, { id: session.id, generation: session.generation + 1 })
}
