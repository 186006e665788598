import { CountersignError, Refusal, TransportFailure } from '../errors.js'
import { parseUrl } from '../http/parse-url.js'
import { describeRefusal } from '../http/refusals.js'
import type { Session } from './session.js'

/** A pushed request to redeem for a code. */
export interface AuthorizeRequest {
  readonly requestUri: string
  readonly redirectUri: string
  readonly state: string
}

/** The result that the authorization server put into the redirect. */
export type AuthorizationAnswer =
  | { readonly kind: 'code'; readonly code: string }
  | {
      readonly kind: 'error'
      readonly error: string
      /** For `access_denied`: true when the person declined; absent when a rule did. */
      readonly byPerson?: boolean
      /** The page of the wallet where the person can do what the request lacks; absent when the server names none. */
      readonly page?: string
    }

/**
 * The outcome of redeeming the request, which is used up in every case. `confirmation_sent`: the server has mailed the
 * person a link and will send the code to the redirect URI.
 */
export type AuthorizeOutcome = AuthorizationAnswer | { readonly kind: 'confirmation_sent' }

/** The `error_description` of an `access_denied` that the person decided. */
const DECLINED_BY_PERSON = 'The person declined the request.'

/**
 * Redeems the request. The redirect is read, not followed, and accepted only from our server and for our request.
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
  if (reply.status >= 400) throw new Refusal('authorize', describeRefusal(reply, true))
  if (reply.status !== 302 && reply.status !== 303) throw new TransportFailure('authorize answered neither yes nor no')
  return readRedirect(reply.headers.location, request, session.issuer)
}

/** Reads the result in a redirect, which must be to our address, for our request and from our server. */
export function readRedirect(
  location: string | undefined,
  request: Pick<AuthorizeRequest, 'redirectUri' | 'state'>,
  issuer: string,
): AuthorizationAnswer {
  const address = parseUrl(location ?? '')
  if (address === null) throw new TransportFailure('authorize names no location')
  const { searchParams, origin, pathname } = address
  const expected = new URL(request.redirectUri)
  if (origin !== expected.origin || pathname !== expected.pathname) throw mismatch('redirect URI')
  if (single(searchParams, 'iss') !== issuer) throw mismatch('issuer')
  if (single(searchParams, 'state') !== request.state) throw mismatch('state')
  return readOutcome(searchParams, issuer)
}

function readOutcome(parameters: URLSearchParams, issuer: string): AuthorizationAnswer {
  const error = single(parameters, 'error')
  if (error !== undefined) return readError(error, parameters, issuer)
  const code = single(parameters, 'code')
  if (code === undefined || code === '') throw new TransportFailure('authorize names no code')
  return { kind: 'code', code }
}

function readError(error: string, parameters: URLSearchParams, issuer: string): AuthorizationAnswer {
  if (!/^[\w.-]{1,64}$/.test(error)) return { kind: 'error', error: 'server_error' }
  const page = pageOf(single(parameters, 'error_uri'), issuer)
  const isByPerson = single(parameters, 'error_description') === DECLINED_BY_PERSON
  return { kind: 'error', error, ...(page !== undefined && { page }), ...(isByPerson && { byPerson: true }) }
}

/** Returns `error_uri` when it is a settings page of our server; any other page is for developers. */
function pageOf(uri: string | undefined, issuer: string): string | undefined {
  const path = uri?.startsWith(issuer) === true ? uri.slice(issuer.length) : ''
  return /^\/settings\/[\w/?=-]{1,64}$/.test(path) ? uri : undefined
}

/** Returns a parameter; throws when it occurs twice (RFC 6749 section 3.1). */
function single(parameters: URLSearchParams, name: string): string | undefined {
  const values = parameters.getAll(name)
  if (values.length > 1) throw mismatch(name)
  return values[0]
}

const mismatch = (what: string) => new CountersignError(`authorize failed: the answer has another ${what}`)
