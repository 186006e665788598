import { lookup as resolve } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { AddressRefused } from '../errors.js'
import { parseUrl } from './parse-url.js'

/**
 * Returns the special-purpose range of an IP address, `unicast` when it is in none; null when the text is no IP
 * address.
 */
const rangeOf = (address: string): string | null => (isIP(address) === 0 ? null : ipaddr.parse(address).range())

/** Returns whether the address is a public one of the internet. */
export const isPublicAddress = (address: string): boolean => rangeOf(address) === 'unicast'

const isLoopback = (address: string): boolean => rangeOf(address) === 'loopback'

/** The names of this machine that may be called in a sandbox. Other names could resolve to another machine later. */
const TRIAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])$/
const USER_INFORMATION = /^[a-z][a-z\d+.-]*:\/*[^/?]*@/i
const HTTPS_PORT = 443
const HTTP_PORT = 80
/** The lowest port that may be called on this machine; those below belong to its own services. */
const FIRST_FREE_PORT = 1_024

/** Returns whether the host of a URL is this machine, by name or by IP address. */
export function isLoopbackHost(hostname: string): boolean {
  const host = withoutBrackets(hostname)
  return isLoopback(host) || host === 'localhost' || host.endsWith('.localhost')
}

/** Returns whether the URL points to this machine, as in a sandbox. */
export function isLoopbackUrl(url: string): boolean {
  const parsed = parseUrl(url)
  return parsed !== null && isLoopbackHost(parsed.hostname)
}

/**
 * Returns the URL if it may be called, and throws otherwise: https at port 443 or from 1024, or, where that is allowed,
 * http on this machine from port 1024; no user information, no fragment and no IP address of a private range. The
 * WHATWG parser has already normalized spellings such as `127.1` or `0x7f000001`. The service applies the same rules to
 * the addresses of others. For the server that the person configured (`ownServer`) the port is not checked.
 */
export function requireAllowedUrl(url: string, allowLoopback: boolean, ownServer?: string): URL {
  const parsed = parseAddress(url)
  const isTrial = allowLoopback && TRIAL_HOST.test(parsed.hostname)
  if (!isTrial && isLoopbackHost(parsed.hostname)) throw new AddressRefused('this machine')
  const protocols = isTrial ? ['https:', 'http:'] : ['https:']
  if (!protocols.includes(parsed.protocol)) throw new AddressRefused('https is required')
  if (isPrivateLiteral(parsed.hostname) && !isTrial) throw new AddressRefused('private network')
  if (ownServer === undefined || parseUrl(ownServer)?.origin !== parsed.origin) requireAllowedPort(parsed, isTrial)
  return parsed
}

function parseAddress(url: string): URL {
  const parsed = parseUrl(url)
  if (parsed === null) throw new AddressRefused('not a URL')
  if (USER_INFORMATION.test(url)) throw new AddressRefused('user information in the URL')
  if (url.includes('#')) throw new AddressRefused('a fragment in the URL')
  return parsed
}

function requireAllowedPort(url: URL, isTrial: boolean): void {
  const port = portOf(url)
  const isPort = port >= FIRST_FREE_PORT || (port === HTTPS_PORT && !isTrial)
  if (!isPort) throw new AddressRefused(`port ${port}`)
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? HTTPS_PORT : HTTP_PORT
}

function isPrivateLiteral(hostname: string): boolean {
  const host = withoutBrackets(hostname)
  return isIP(host) !== 0 && !isPublicAddress(host)
}

/**
 * Resolves a name and returns its addresses only when every one of them may be called. The connection is made to
 * exactly these addresses, so that a later answer of the name server has no effect.
 */
export const guardedLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, [])
    const mayCall = isLoopbackHost(hostname) ? isLoopback : isPublicAddress
    const [first] = addresses
    if (first === undefined || !addresses.every(({ address }) => mayCall(address))) {
      return callback(new AddressRefused('private network'), [])
    }
    if (options.all) return callback(null, addresses)
    return callback(null, first.address, first.family)
  })
}

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')
