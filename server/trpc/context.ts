import type { Platform } from '../core/platform'
import { getPrincipal, type PortalSession } from '../sessions'

/** What every procedure starts from. */
export interface PortalContext {
  readonly platform: Platform
  readonly requestId: string
  /** The request's instant; one reading per request. */
  readonly now: Date
  /** Null for nobody; procedures refuse that by themselves. */
  readonly session: PortalSession | null
}

interface Arrival {
  readonly headers: Headers
  readonly requestId: string
  /** A page makes such requests by itself: they do not keep a session from idling out. */
  readonly passive?: boolean
}

export async function createContext(
  platform: Platform,
  { headers, requestId, passive = false }: Arrival,
): Promise<PortalContext> {
  const session = await getPrincipal(platform, headers, { passive })
  return { platform, requestId, now: platform.clock.now(), session }
}
