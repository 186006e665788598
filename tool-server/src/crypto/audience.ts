import { parseUrl } from '../http/parse-url.js'

/**
 * One spelling of a merchant audience: lower-case host, no default port, no slash at the end. Two URLs that
 * only differ so name the same merchant.
 */
function canonicalAudience(url: string): string {
  const parsed = parseUrl(url)
  if (parsed === null) return url
  const { protocol, host, pathname, search } = parsed
  return `${protocol}//${host.replace(/\.(?=:|$)/, '')}${pathname.replace(/\/$/, '')}${search}`
}

/** Whether a claim is this one audience: a single string (never a list), in whatever spelling. */
export function isSameAudience(claim: unknown, merchant: string): claim is string {
  return typeof claim === 'string' && canonicalAudience(claim) === canonicalAudience(merchant)
}
