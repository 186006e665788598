import { CountersignError, Refusal, TransportFailure } from '../errors.js'
import { describeRefusal } from '../http/refusals.js'
import type { Session } from './session.js'

/** A pushed request that is to be redeemed for a code. */
export interface AuthorizeRequest {
  readonly requestUri: string
  readonly redirectUri: string
  readonly state: string
}

/** What came of it. The request is used up in every case. */
export type AuthorizeOutcome =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'error'; readonly error: string }
  /** The server asks the person by e-mail, and will send the code to the redirect URI. */
  | { readonly kind: 'confirmation_sent' }

/**
 * Redeems the request. The redirect is read, not followed, and taken only from our server and for our request.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9207#section-2.4}
 */
export async function authorize(
  session: Session,
  clientId: string,
  call: { readonly request: AuthorizeRequest; readonly signal?: AbortSignal | undefined },
): Promise<AuthorizeOutcome> {
  const { request, signal } = call
  const query = new URLSearchParams({ client_id: clientId, request_uri: request.requestUri })
  const reply = await session.send({ method: 'GET', path: `/oauth/authorize?${query}`, signal, acceptRedirect: true })
  if (reply.status === 202) return { kind: 'confirmation_sent' }
  if (reply.status !== 302 && reply.status !== 303) throw new Refusal('authorize', describeRefusal(reply, true))
  return readRedirect(reply.headers.location, request, session.issuer)
}

function readRedirect(location: string | undefined, request: AuthorizeRequest, issuer: string): AuthorizeOutcome {
  if (location === undefined || !URL.canParse(location)) throw new TransportFailure('authorize names no location')
  const { searchParams, origin, pathname } = new URL(location)
  const expected = new URL(request.redirectUri)
  if (origin !== expected.origin || pathname !== expected.pathname) throw mismatch('redirect URI')
  if (single(searchParams, 'iss') !== issuer) throw mismatch('issuer')
  if (single(searchParams, 'state') !== request.state) throw mismatch('state')
  return readOutcome(searchParams)
}

function readOutcome(parameters: URLSearchParams): AuthorizeOutcome {
  const error = single(parameters, 'error')
  if (error !== undefined) return { kind: 'error', error: /^[\w.-]{1,64}$/.test(error) ? error : 'server_error' }
  const code = single(parameters, 'code')
  if (code === undefined || code === '') throw new TransportFailure('authorize names no code')
  return { kind: 'code', code }
}

/** RFC 6749 section 3.1: no parameter comes twice. */
function single(parameters: URLSearchParams, name: string): string | undefined {
  const values = parameters.getAll(name)
  if (values.length > 1) throw mismatch(name)
  return values[0]
}

const mismatch = (what: string) => new CountersignError(`authorize failed: the answer has another ${what}`)
