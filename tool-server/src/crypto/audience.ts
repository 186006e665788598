import { parseUrl } from '../http/parse-url.js'

/**
 * Returns the canonical spelling of a merchant audience: lower-case host, no default port, no slash at the end. URLs
 * that differ only in these name the same merchant.
 */
function canonicalAudience(url: string): string {
  const parsed = parseUrl(url)
  if (parsed === null) return url
  const { protocol, host, pathname, search } = parsed
  return `${protocol}//${host.replace(/\.(?=:|$)/, '')}${pathname.replace(/\/$/, '')}${search}`
}

/** Returns whether a claim is this audience: a single string (never a list), in any spelling. */
export function isSameAudience(claim: unknown, merchant: string): claim is string {
  return typeof claim === 'string' && canonicalAudience(claim) === canonicalAudience(merchant)
}
