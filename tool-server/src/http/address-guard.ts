import { lookup as resolve } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { AddressRefused } from '../errors.js'

/** IANA special-purpose ranges. Apart by family, since an IPv4-mapped rule would catch every IPv4 address. */
const blockedRanges: Readonly<Record<'ipv4' | 'ipv6', string>> = {
  ipv4:
    '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
    '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
  ipv6:
    '::/128 ::1/128 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 ' +
    '5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8',
}
const loopbackRanges: Readonly<Record<'ipv4' | 'ipv6', string>> = { ipv4: '127.0.0.0/8', ipv6: '::1/128' }

const blocked = toBlockLists(blockedRanges)
const loopback = toBlockLists(loopbackRanges)

function toBlockLists(ranges: Readonly<Record<'ipv4' | 'ipv6', string>>): Record<'ipv4' | 'ipv6', BlockList> {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const family of ['ipv4', 'ipv6'] as const) {
    for (const range of ranges[family].split(' ')) {
      const [network = '', prefix = '0'] = range.split('/')
      lists[family].addSubnet(network, Number(prefix), family)
    }
  }
  return lists
}

const isListed = (lists: Record<'ipv4' | 'ipv6', BlockList>, address: string): boolean => {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  return lists[family].check(address, family)
}

/** Whether the address is a public one of the internet. */
export const isPublicAddress = (address: string): boolean => isIP(address) !== 0 && !isListed(blocked, address)

/** Whether the host of a URL is this machine, by name or by literal. */
export function isLoopbackHost(hostname: string): boolean {
  const host = withoutBrackets(hostname)
  if (isIP(host) !== 0) return isListed(loopback, host)
  return host === 'localhost' || host.endsWith('.localhost')
}

/** Whether the URL points at this machine, as a sandbox does. */
export function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && isLoopbackHost(new URL(url).hostname)
}

/**
 * The URL, when it may be called: https, or http on this machine where that is allowed; no user information; no literal
 * of a private range. The WHATWG parser has already unified spellings such as `127.1` or `0x7f000001`.
 */
export function checkUrl(url: string, allowLoopback: boolean): URL {
  if (!URL.canParse(url)) throw new AddressRefused('not a URL')
  const parsed = new URL(url)
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
    const mayCall = isLoopbackHost(hostname) ? (address: string) => isListed(loopback, address) : isPublicAddress
    const [first] = addresses
    if (first === undefined || !addresses.every(({ address }) => mayCall(address))) {
      return callback(new AddressRefused('private network'), [])
    }
    if (options.all) return callback(null, addresses)
    return callback(null, first.address, first.family)
  })
}

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')
