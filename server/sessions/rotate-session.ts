import type { Platform } from '../core/platform'
import { readCookies, sessionCookieName } from './cookie'
import { runNextAuth } from './next-auth'
import type { PortalSession } from './session'
import { advanceSession } from './store'

/**
 * Replaces the cookie that the request carries by the next one of its session, and returns it as `Set-Cookie` values. The
 * session stays what it is: what is bound to it, such as a question to a passkey, goes on. Returns none when the cookie
 * was replaced already, so whoever holds a copy of an old one is never given a newer one.
 */
export async function rotateSession(
  platform: Platform,
  session: PortalSession,
  headers: Headers,
): Promise<readonly string[]> {
  if (!(await advanceSession(platform.db, session, platform.clock.now()))) return []
  const cookies = readCookies(headers)
  const generation = session.generation + 1
  const renewed = await runNextAuth(platform, { method: 'GET', route: ['session'], cookies, body: {}, generation })
  return renewed.cookies.filter((cookie) => cookie.startsWith(`${sessionCookieName(platform)}=`))
}
