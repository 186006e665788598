import { lookup as resolve } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { AddressRefused } from '../errors.js'
import { parseUrl } from './parse-url.js'

/** The special-purpose range of an IP address, `unicast` when it is in none; null when the text is no IP address. */
const rangeOf = (address: string): string | null => (isIP(address) === 0 ? null : ipaddr.parse(address).range())

/** Whether the address is a public one of the internet. */
export const isPublicAddress = (address: string): boolean => rangeOf(address) === 'unicast'

const isLoopback = (address: string): boolean => rangeOf(address) === 'loopback'

/** Whether the host of a URL is this machine, by name or by literal. */
export function isLoopbackHost(hostname: string): boolean {
  const host = withoutBrackets(hostname)
  return isLoopback(host) || host === 'localhost' || host.endsWith('.localhost')
}

/** Whether the URL points at this machine, as a sandbox does. */
export function isLoopbackUrl(url: string): boolean {
  const parsed = parseUrl(url)
  return parsed !== null && isLoopbackHost(parsed.hostname)
}

/**
 * The URL, when it may be called: https, or http on this machine where that is allowed; no user information; no literal
 * of a private range. The WHATWG parser has already unified spellings such as `127.1` or `0x7f000001`.
 */
export function checkUrl(url: string, allowLoopback: boolean): URL {
  const parsed = parseUrl(url)
  if (parsed === null) throw new AddressRefused('not a URL')
  if (parsed.username !== '' || parsed.password !== '') throw new AddressRefused('user information in the URL')
  const onLoopback = isLoopbackHost(parsed.hostname)
  if (onLoopback && !allowLoopback) throw new AddressRefused('this machine')
  const protocols = onLoopback ? ['https:', 'http:'] : ['https:']
  if (!protocols.includes(parsed.protocol)) throw new AddressRefused('https is required')
  if (!onLoopback && isPrivateLiteral(parsed.hostname)) throw new AddressRefused('private network')
  return parsed
}

function isPrivateLiteral(hostname: string): boolean {
  const host = withoutBrackets(hostname)
  return isIP(host) !== 0 && !isPublicAddress(host)
}

/**
 * Resolves a name and hands over its addresses only when every one of them may be called. The connection is made to
 * these very addresses, so that a second answer of the name server changes nothing.
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
