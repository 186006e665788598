import { decodeJwt, type JWTPayload } from 'jose'
import { CountersignError } from '../errors.js'
import type { OutboundReply } from '../http/outbound.js'
import { dpopKeyOf, type OpenAccess, type OpenRegistration, openRegistrations, toAccess } from './registrations.js'
import { openDefaultSession, type SessionCall } from './session.js'

/** Stands for the session that this home keeps. */
const DEFAULT_SESSION = 'session:default'
const COMPACT_JWS = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** What a tool does with the access that its `principal_token` stands for. */
type UseAccess = (access: OpenAccess) => Promise<OutboundReply>

/**
 * Uses the access that `principal_token` stands for: a token as it is, or the session of this home, which is asked for
 * again when the server has ended it.
 */
export async function useAsPrincipal(
  call: SessionCall,
  principalToken: string,
  use: UseAccess,
): Promise<OutboundReply> {
  if (principalToken !== DEFAULT_SESSION) return use(await readPresented(call, principalToken))
  const kept = await openDefaultSession(call)
  const reply = await use(kept)
  return reply.status === 401 ? use(await openDefaultSession(call, kept.accessToken)) : reply
}

/** A token that was handed in. It goes to the server in use only, and only for the person of this home. */
async function readPresented({ settings }: SessionCall, token: string): Promise<OpenAccess> {
  const open = await openRegistrations(settings)
  const claims = readClaims(token)
  const bound = open.find((registered) => dpopKeyOf(registered).thumbprint === thumbprintIn(claims))
  const [first] = open
  const registered = bound ?? open.find(({ registration }) => registration.principal_id === claims.sub) ?? first
  if (registered === undefined || isForeign(claims, registered)) throw sessionRequired()
  if ((registered.registration.principal_id ?? claims.sub) !== claims.sub) {
    throw new CountersignError('principal_id mismatch (403 principal_mismatch)', 'The token is of another person.')
  }
  return toAccess(registered, token)
}

function readClaims(token: string): JWTPayload {
  try {
    if (COMPACT_JWS.test(token)) return decodeJwt(token)
  } catch {
    // Malformed, as is what does not even look like one.
  }
  throw sessionRequired()
}

/** Of another server, or a token that speaks for an agent alone. */
function isForeign(claims: JWTPayload, { registration }: OpenRegistration): boolean {
  const isForAgent = claims.sub === undefined || claims.sub === claims['client_id']
  return isForAgent || (claims.iss !== undefined && claims.iss !== registration.issuer)
}

function thumbprintIn({ cnf }: JWTPayload): unknown {
  return typeof cnf === 'object' && cnf !== null && 'jkt' in cnf ? cnf.jkt : undefined
}

/** What was handed in is no token of a session of the person, or the server takes it no longer. */
export const sessionRequired = () =>
  new CountersignError(
    'wallet-session JWT-AT required (401 invalid_token)',
    'Pass `session:default` as principal_token: the tool then asks the user itself.',
  )
