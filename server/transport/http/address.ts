import { isIP } from 'node:net'

/**
 * The address by which quotas count a request. Behind `trustedProxies` proxies it is what the outermost of them wrote into
 * X-Forwarded-For; what stands further left is the caller's own claim, and counts for nothing.
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
 * An IPv6 address as its network of 64 bits, since a caller has all addresses of one; an IPv4 address as it is, also when
 * an IPv6 socket wrote it.
 */
function networkOf(written: string): string {
  const address = written.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIP(address) !== 6) return address
  // In its one short form (RFC 5952), without the name of an interface.
  const { hostname } = new URL(`http://[${address.replace(/%.*/, '')}]`)
  const [head = [], tail = []] = hostname.slice(1, -1).split('::').map(groupsOf)
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`
}

const groupsOf = (half: string): string[] => (half === '' ? [] : half.split(':'))
