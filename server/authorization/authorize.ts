import { Reply } from '../contract/reply'
import type { AnonymousCall } from '../core/call'
import { ServiceError } from '../core/errors'
import { sha256Base64url } from '../protocol/encoding'
import { AUTHORIZATION_CODE_TTL_SECONDS } from '../protocol/lifetimes'
import { consumePushedRequest, pushedRequestExists, type TakenRequest } from './store'

interface AuthorizeQuery {
  readonly request_uri?: string | undefined
  readonly client_id?: string | undefined
}

/**
 * GET /oauth/authorize: consumes the pushed request and redirects with a code, or with the reason why there is none
 * (RFC 9126 section 4, RFC 9207). A bad handle is answered here, never by a redirect.
 */
export async function authorize(call: AnonymousCall, { request_uri: requestUri, client_id: clientId }: AuthorizeQuery) {
  if (requestUri === undefined || clientId === undefined) {
    throw new ServiceError('invalid_request', 'client_id and the request_uri of a pushed request are required.')
  }
  const { platform, now } = call
  const handleHash = sha256Base64url(requestUri)
  const code = platform.random.token(32)
  const taken = await consumePushedRequest(platform.db, {
    handleHash,
    clientId,
    codeHash: sha256Base64url(code),
    now,
    codeExpiresAt: new Date(now.getTime() + AUTHORIZATION_CODE_TTL_SECONDS * 1000),
  })
  if (taken === null) {
    if (await pushedRequestExists(platform.db, handleHash, now)) {
      throw new ServiceError('invalid_request', 'The request_uri was pushed by another client.')
    }
    throw new ServiceError('invalid_request_uri', 'The request_uri is unknown, expired or was used before.')
  }
  const result = taken.coded ? { code } : refusalOf(taken)
  return Reply.redirect(withParameters(taken, { ...result, iss: platform.config.baseUrl }))
}

function refusalOf(taken: TakenRequest): Record<string, string> {
  if (!taken.live || taken.decision === 'access_denied' || taken.status === 'declined') {
    return { error: 'access_denied', error_description: 'The request was declined.' }
  }
  if (taken.decision === 'setup_required') {
    return { error: 'setup_required', error_description: 'The person has yet to add a card to their wallet.' }
  }
  return { error: 'consent_required', error_description: 'The person has not decided yet.' }
}

/** Appends to the redirect address, keeping its own query (RFC 6749 section 3.1.2). */
function withParameters({ redirect_uri: uri, state }: TakenRequest, parameters: Record<string, string>): string {
  const query = new URLSearchParams(parameters)
  if (state !== null) query.set('state', state)
  return `${uri}${uri.includes('?') ? '&' : '?'}${query.toString()}`
}
