import { decodeJwt, type JWTPayload } from 'jose'
import { CountersignError } from '../errors.js'
import type { OutboundReply } from '../http/outbound.js'
import type { WalletScope } from './access-words.js'
import { dpopKeyOf, type OpenAccess, type OpenRegistration, openRegistrations, toAccess } from './registrations.js'
import { openDefaultSession, type SessionCall } from './session.js'

/** The `principal_token` that selects the session stored in this home. */
const DEFAULT_SESSION = 'session:default'
const COMPACT_JWS = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Sends the request of a tool with the access of its `principal_token`. */
type UseAccess = (access: OpenAccess) => Promise<OutboundReply>

/**
 * Sends a request with the access of `principal_token`: a token itself, or the session of this home, which is requested
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

/**
 * Returns the access of a token in the arguments. It is sent only to the server in use, and only for the person of this
 * home.
 */
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
    // Malformed, like a text that does not even look like a token.
  }
  throw sessionRequired()
}

/** Returns whether the token is of another server, or one of an agent rather than of a person. */
function isForeign(claims: JWTPayload, { registration }: OpenRegistration): boolean {
  const isForAgent = claims.sub === undefined || claims.sub === claims['client_id']
  return isForAgent || (claims.iss !== undefined && claims.iss !== registration.issuer)
}

function thumbprintIn({ cnf }: JWTPayload): unknown {
  return typeof cnf === 'object' && cnf !== null && 'jkt' in cnf ? cnf.jkt : undefined
}

const SESSION_ADVICE = 'Pass `session:default` as principal_token: the tool then asks the user itself.'

/** Returns the error for a token that is not a valid wallet-session token of the person. */
export const sessionRequired = () =>
  new CountersignError('wallet-session JWT-AT required (401 invalid_token)', SESSION_ADVICE)

/** Returns the error for a token without the scope. */
export const sessionScopeError = (scope: WalletScope) =>
  new CountersignError(`insufficient_scope (need ${scope})`, SESSION_ADVICE)
