/**
 * The address that a request came from. Behind `trustedProxies` proxies it is what the outermost of them wrote into
 * X-Forwarded-For; what stands further left is the caller's own claim, and counts for nothing.
 */
export function callerAddress(
  { peer, forwardedFor }: { peer: string | undefined; forwardedFor: string | undefined },
  trustedProxies: number,
): string | null {
  if (trustedProxies === 0) return peer ?? null
  const hops = (forwardedFor ?? '').split(',').map((hop) => hop.trim())
  return hops.at(-trustedProxies) || (peer ?? null)
}
