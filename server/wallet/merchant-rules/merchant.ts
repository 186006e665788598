import { buildFieldError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import { AUDIENCE_RULE, payableAudience } from '../merchants'

type Configured = Pick<Platform, 'config'>

/**
 * Returns the merchant that a path segment names, in its stored spelling. The segment was decoded once: if it is a URL
 * then, it stays as it is, since its own path may hold percent-encoding; otherwise it was encoded twice and is decoded
 * again.
 * @throws 422 for an address that cannot be paid
 */
export function merchantOf({ config }: Configured, segment: string): string {
  const url = isUrl(segment) ? segment : decoded(segment)
  const audience = url === null ? null : payableAudience(config, url)
  if (audience !== null) return audience
  throw buildFieldError(['path', 'merchant_audience'], AUDIENCE_RULE)
}

/**
 * Returns the merchant that a member of a body names, as the URL itself or percent-encoded up to twice; null when it
 * names none.
 */
export function audienceOf({ config }: Configured, text: string): string | null {
  const once = isUrl(text) ? text : decoded(text)
  const url = once === null || isUrl(once) ? once : decoded(once)
  return url === null ? null : payableAudience(config, url)
}

function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
