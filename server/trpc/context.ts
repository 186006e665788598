import type { Platform } from '../core/platform'
import { getPrincipal, type PortalSession, rotateSession } from '../sessions'

/** What every procedure starts from. */
export interface PortalContext {
  readonly platform: Platform
  readonly requestId: string
  /** The request's instant; one reading per request. */
  readonly now: Date
  /** Null for nobody; procedures refuse that by themselves. */
  readonly session: PortalSession | null
  /** Replaces the cookie of the session: a copy of the one that the request carries is worthless shortly afterwards. */
  readonly rotateSession: () => Promise<void>
}

interface Arrival {
  readonly headers: Headers
  readonly requestId: string
  /** A page makes such requests by itself: they do not keep a session from idling out. */
  readonly passive?: boolean
  /** Of the answer; without them no cookie can be set. */
  readonly answerHeaders?: Headers
}

export async function createContext(
  platform: Platform,
  { headers, requestId, passive = false, answerHeaders }: Arrival,
): Promise<PortalContext> {
  const session = await getPrincipal(platform, headers, { passive })
  const rotate = async () => {
    if (session === null || answerHeaders === undefined) return
    for (const cookie of await rotateSession(platform, session, headers)) answerHeaders.append('set-cookie', cookie)
  }
  if (session?.rotationDue === true) await rotate()
  return { platform, requestId, now: platform.clock.now(), session, rotateSession: rotate }
}
