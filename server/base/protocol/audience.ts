import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { parseUrl } from '../core/parse-url'
import { ensure, orNull, ProtocolError } from './errors'
import { isGlobalAddress, isLoopbackHost } from './ip-address'
import { parseHttpUri } from './uri'

/** The part of a URL before the path: scheme and authority. */
const BEFORE_PATH = /^(https?:\/\/)([^/?#]*)/i
/** Characters that servers interpret in different ways in a path, also after it is decoded. */
const AMBIGUOUS = /\/\/|[\\\s\p{Cc}]/u

/**
 * Returns the canonical form of a merchant audience, so that another spelling cannot evade a rule: normalised, the host
 * in ASCII and without a trailing dot, no slash at the end, no empty query, and one form of each IP address. Throws for
 * userinfo, fragments, queries, ambiguous paths and hosts with characters that are not looked up.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc8707#section-2}
 */
export function canonicalAudience(url: string): string {
  ensure(!url.includes('#'), 'malformed', 'The URI has a fragment')
  requirePlainPath(url)
  const { scheme, host, port, path, query } = parseHttpUri(withAsciiHost(url))
  ensure(query === '' || query === '?', 'malformed', 'The URI has a query')
  const bareHost = host.replace(/\.$/, '')
  ensure(bareHost !== '' && !bareHost.endsWith('.'), 'malformed', 'The host of the URI is malformed')
  return `${scheme}://${normaliseHostname(bareHost)}${port}${path.replace(/\/$/, '')}`
}

function requirePlainPath(url: string): void {
  const path = url.replace(BEFORE_PATH, '')
  ensure(!AMBIGUOUS.test(path) && !AMBIGUOUS.test(decoded(path)), 'malformed', 'The path of the URI is ambiguous')
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw new ProtocolError('malformed', 'The path of the URI is malformed')
  }
}

/** Converts a host with letters beyond ASCII (U-labels) to the form in which it is looked up (A-labels). */
function withAsciiHost(url: string): string {
  return url.replace(BEFORE_PATH, (_, scheme: string, authority: string) => {
    if (/^[\x20-\x7e]*$/.test(authority)) return scheme + authority
    const [, host = '', port = ''] = /^(.*?)(:[0-9]*)?$/.exec(authority) ?? []
    const ascii = domainToASCII(host)
    const isPlain = ascii !== '' && !host.includes('@') && isSpelledOut(host, ascii)
    ensure(isPlain, 'malformed', 'The host of the URI is malformed')
    return scheme + ascii + port
  })
}

/**
 * Whether each label of a host is the U-label or A-label that is looked up. What the conversion drops or replaces, such
 * as a zero-width space or full-width letters, would be a second spelling that looks the same.
 */
function isSpelledOut(host: string, ascii: string): boolean {
  if (/\p{Default_Ignorable_Code_Point}/u.test(host)) return false
  const [aLabels, uLabels] = [ascii.split('.'), domainToUnicode(ascii).split('.')]
  const labels = host.normalize('NFC').toLowerCase().split('.')
  return labels.every((label, index) => label === aLabels[index] || label === uLabels[index])
}

/**
 * Returns an IPv6 address as in RFC 5952 section 4, any form of an IPv4 address as dotted decimals, names as A-labels.
 */
function normaliseHostname(host: string): string {
  const url = parseUrl(`http://${host}`)
  ensure(url !== null, 'malformed', 'The host of the URI is malformed')
  return url.hostname
}

/** Whether two texts name the same audience. Texts that are no URI must be identical. */
export function isSameAudience(one: string, other: string): boolean {
  if (one === other) return true
  const audience = findCanonicalAudience(one)
  return audience !== null && audience === findCanonicalAudience(other)
}

/** Returns the canonical form of an audience; null for a text that is none. */
export function findCanonicalAudience(text: string): string | null {
  return orNull(() => canonicalAudience(text))
}

/**
 * Whether a canonical audience may be paid: https, at a public host. The merchants of a sandbox on a loopback host may
 * be on one too.
 */
export function isPayableAudience(audience: string, isLoopbackSandbox: boolean): boolean {
  const { protocol, hostname } = new URL(audience)
  if (isLoopbackHost(hostname)) return isLoopbackSandbox
  if (protocol !== 'https:') return false
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) !== 0) return isGlobalAddress(address)
  return !SPECIAL_NAME.test(hostname) && (isLoopbackSandbox || !LOCAL_NAME.test(hostname))
}

/** Names of private networks and tests: without a dot, RFC 6761, RFC 6762 and ICANN's resolution 2024.07.29.06. */
const LOCAL_NAME = /^[^.]+$|(?:^|\.)(?:local|internal|localdomain|test|invalid)$/
/** Names that no public resolver answers as a host: RFC 3172, RFC 7686 and RFC 9476. */
const SPECIAL_NAME = /(?:^|\.)(?:arpa|onion|alt)$/
