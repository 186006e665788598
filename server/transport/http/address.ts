import { isIP } from 'node:net'

/**
 * Returns the address by which quotas count a request. Behind `trustedProxies` proxies it is the entry that the
 * outermost of them added to X-Forwarded-For; entries further left come from the caller and are ignored.
 */
export function callerAddress(
  { peer, forwardedFor }: { peer: string | undefined; forwardedFor: string | undefined },
  trustedProxies: number,
): string | null {
  const hops = (forwardedFor ?? '').split(',').map((hop) => hop.trim())
  const forwarded = trustedProxies === 0 ? undefined : hops.at(-trustedProxies)
  const address = forwarded || peer
  return address === undefined ? null : networkOf(address)
}

/**
 * Returns the /64 network of an IPv6 address, because a caller has all addresses of one; an IPv4 address unchanged,
 * without the prefix of an IPv6 socket.
 */
function networkOf(written: string): string {
  const address = written.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIP(address) !== 6) return address
  // The canonical form (RFC 5952), without the name of an interface.
  const { hostname } = new URL(`http://[${address.replace(/%.*/, '')}]`)
  const [head = [], tail = []] = hostname.slice(1, -1).split('::').map(groupsOf)
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`
}

const groupsOf = (half: string): string[] => (half === '' ? [] : half.split(':'))
