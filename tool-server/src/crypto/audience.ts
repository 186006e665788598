/**
 * One spelling of a merchant audience: lower-case host, no default port, no slash when there is no path. Two URLs that
 * only differ so name the same merchant.
 */
export function canonicalAudience(url: string): string {
  if (!URL.canParse(url)) return url
  const { protocol, host, pathname, search } = new URL(url)
  return `${protocol}//${host.replace(/\.(?=:|$)/, '')}${pathname === '/' ? '' : pathname}${search}`
}
