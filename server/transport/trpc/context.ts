import type { TRPCError } from '@trpc/server'
import { PERSON_HEADER, REQUEST_ID_HEADER, REQUEST_PATH_HEADER } from '../../base/contract/request-headers'
import type { Platform } from '../../base/core/platform'
import { loggedSession } from '../../base/protocol/session-handle'
import { findPortalSession, type PortalSession, readRequestEnd, rotateSession } from '../../identity/sessions'
import type { SessionEnd } from '../../identity/sessions/input'

/** The context of every procedure. */
export interface PortalContext {
  readonly platform: Platform
  readonly requestId: string
  /** The time of the request, read once. */
  readonly now: Date
  /** The session; null when no person is signed in, which procedures check themselves. */
  readonly session: PortalSession | null
  /** Why the session of the request has ended; null when it is active or there was none. */
  readonly ended: SessionEnd | null
  /** Replaces the cookie of the session, so that copies of the request's cookie soon become invalid. */
  readonly rotateSession: () => Promise<void>
  /** Receives the error of an event stream that is refused before it begins, since a stream has no status for it. */
  readonly refuseStream: (error: TRPCError) => void
}

interface ContextOptions {
  readonly headers: Headers
  readonly requestId: string
  /** Whether a page sent the request by itself; such requests do not prolong an idle session. */
  readonly passive?: boolean
  /** Headers of the response; without them no cookie can be set. */
  readonly answerHeaders?: Headers
  readonly refuseStream?: PortalContext['refuseStream']
}

/** Creates the context of a request: finds its session, and rotates the session's cookie when it is due. */
export async function createContext(
  platform: Platform,
  { headers, requestId, passive = false, answerHeaders, refuseStream = () => undefined }: ContextOptions,
): Promise<PortalContext> {
  const found = await findPortalSession(platform, headers, { passive })
  const session = isOf(found, headers.get(PERSON_HEADER)) ? found : null
  const ended = session === null ? await readRequestEnd(platform, headers) : null
  const rotate = async () => {
    if (session === null || answerHeaders === undefined) return
    const cookie = await rotateSession(platform, session)
    if (cookie !== null) answerHeaders.append('set-cookie', cookie)
  }
  if (session?.rotationDue === true) await rotate()
  return { platform, requestId, now: platform.clock.now(), session, ended, rotateSession: rotate, refuseStream }
}

/**
 * Creates the context of a page that is rendered on the server, and logs the request: its caller, and of its address only
 * the first segment.
 */
export async function openPage(platform: Platform, headers: Headers): Promise<PortalContext> {
  const requestId = headers.get(REQUEST_ID_HEADER) ?? platform.random.uuid()
  const context = await createContext(platform, { headers, requestId })
  const [pathname = ''] = (headers.get(REQUEST_PATH_HEADER) ?? '').split('?')
  const page = pathname.split('/').slice(0, 2).join('/')
  platform.log.info('request', { requestId, operation: 'page', page, ...callerFields(context.session) })
  return context
}

/** Returns the log fields that name the caller: the kind, the person's id and the session. */
export function callerFields(session: PortalSession | null): Readonly<Record<string, string>> {
  if (session === null) return { caller: 'anonymous' }
  return { caller: 'portal', principalId: session.principalId, session: loggedSession(session.id) }
}

/** Whether the session belongs to the person whose page sent the request; true when the page names none. */
function isOf(session: PortalSession | null, person: string | null): boolean {
  return person === null || session?.principalId === person
}
