import { ensure, orNull } from './errors'
import { URI_MAX_CHARS } from './lifetimes'

interface HttpUri {
  readonly scheme: 'http' | 'https'
  readonly host: string
  /** The port with its colon; empty when it is the default one. */
  readonly port: string
  readonly path: string
  /** The query with its question mark, or empty. */
  readonly query: string
}

const HTTP_URI = /^(https?):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(?:#.*)?$/i
/** The characters of a URI: reserved, unreserved and percent-encoded ones (RFC 3986 section 2). */
const URI_CHARACTERS = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/
const AUTHORITY = /^(\[[0-9A-Fa-f:.]+\]|[^:@[\]]+)(?::([0-9]{0,5}))?$/
const UNRESERVED = /[A-Za-z0-9\-._~]/
const DEFAULT_PORTS = { http: '80', https: '443' }
const MAX_PORT = 65_535

/**
 * Splits an absolute http(s) URI and normalises its parts by syntax and scheme (RFC 3986 sections 6.2.2 and 6.2.3).
 * Drops the fragment; throws for userinfo (RFC 9110 section 4.2.4).
 */
export function parseHttpUri(uri: string): HttpUri {
  ensure(uri.length <= URI_MAX_CHARS && URI_CHARACTERS.test(uri), 'malformed', 'The URI is malformed')
  const [, scheme = '', authority = '', path = '', query = ''] = HTTP_URI.exec(uri) ?? []
  const lowerScheme = lowerCaseScheme(scheme)
  const [, host, port = ''] = AUTHORITY.exec(authority) ?? []
  ensure(scheme !== '' && host !== undefined, 'malformed', 'The URI is not an absolute http or https URI')
  return {
    scheme: lowerScheme,
    host: normaliseHost(host),
    port: normalisePort(port, lowerScheme),
    // RFC 3986 section 6.2.3: an empty path of an http URI is the root.
    path: removeDotSegments(normalisePercent(path)) || '/',
    query: normalisePercent(query),
  }
}

/** Decodes and lower-cases a host (RFC 3986 section 6.2.2.1); only unreserved characters may be percent-encoded. */
function normaliseHost(host: string): string {
  const plain = normalisePercent(host).toLowerCase()
  ensure(!plain.includes('%'), 'malformed', 'The host of the URI is malformed')
  return plain
}

function lowerCaseScheme(scheme: string): HttpUri['scheme'] {
  return scheme.toLowerCase() === 'https' ? 'https' : 'http'
}

/** Removes the default port and an empty one (RFC 3986 section 6.2.3). */
function normalisePort(port: string, scheme: HttpUri['scheme']): string {
  if (port === '') return ''
  const number = String(Number(port))
  ensure(Number(port) <= MAX_PORT, 'malformed', 'The port of the URI is out of range')
  return number === DEFAULT_PORTS[scheme] ? '' : `:${number}`
}

/** Decodes unreserved characters and writes other escapes in upper case (RFC 3986 sections 6.2.2.1 and 6.2.2.2). */
function normalisePercent(text: string): string {
  return text.replace(/%[0-9A-Fa-f]{2}/g, (triplet) => {
    const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16))
    return UNRESERVED.test(character) ? character : triplet.toUpperCase()
  })
}

/** Removes dot segments (RFC 3986 section 5.2.4) from a path that is empty or begins with a slash. */
function removeDotSegments(path: string): string {
  const output: string[] = []
  const segments = path.split('/').slice(1)
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1
    if (segment === '..') output.pop()
    if (segment !== '.' && segment !== '..') output.push(segment)
    else if (isLast) output.push('')
  }
  return output.map((segment) => `/${segment}`).join('')
}

/**
 * Returns the form in which `htu` is compared: normalised, without query and fragment.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9449#section-4.3}
 */
export function normaliseHtu(uri: string): string {
  const { scheme, host, port, path } = parseHttpUri(uri)
  return `${scheme}://${host}${port}${path}`
}

/** A loopback redirect URI (RFC 8252 section 7.3); `localhost` is allowed besides the IP literals. */
const LOOPBACK_REDIRECT = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::[0-9]{1,5})?((?:[/?].*)?)$/

/**
 * Parameters of the authorization response, which a redirect URI must not have, since clients could read the wrong one.
 */
const ANSWER_PARAMETERS = ['code', 'state', 'iss', 'error']

/**
 * Whether a client may register this redirect URI: https, or http on the loopback interface; no fragment, userinfo or
 * wildcard, and no parameter of the authorization response.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9700#section-4.1.3}
 */
export function isAllowedRedirectUri(uri: string): boolean {
  if (uri.includes('#') || uri.includes('*')) return false
  const query = new URLSearchParams(uri.slice(uri.indexOf('?') + 1))
  if (uri.includes('?') && ANSWER_PARAMETERS.some((name) => query.has(name))) return false
  const parsed = orNull(() => parseHttpUri(uri))
  return parsed !== null && (parsed.scheme === 'https' || LOOPBACK_REDIRECT.test(uri))
}

/**
 * Whether a requested redirect URI equals the registered one, except for the port on the loopback interface.
 * @see {@link https://www.rfc-editor.org/rfc/rfc8252#section-7.3}
 */
export function redirectUriMatches(registered: string, requested: string): boolean {
  if (registered === requested) return true
  const [, registeredHost, registeredRest] = LOOPBACK_REDIRECT.exec(registered) ?? []
  const [, requestedHost, requestedRest] = LOOPBACK_REDIRECT.exec(requested) ?? []
  if (registeredHost === undefined || !isAllowedRedirectUri(requested)) return false
  return registeredHost === requestedHost && registeredRest === requestedRest
}
