import { ServiceError } from '../../base/core/errors'
import { ProtocolError } from '../../base/protocol/errors'
import { canonicalAudience } from '../../base/protocol/uri'

const SAFE_ORIGIN = /^(?:https:|http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?:[:/?]|$))/

/**
 * The merchant that a path segment names, in the spelling that rules are stored with. The segment was decoded once: what
 * is a URL by now stays as it is, since its own path may hold percent-encoding; anything else was encoded twice.
 */
export function merchantOf(segment: string): string {
  try {
    return canonicalAudience(isUrl(segment) ? segment : decodeURIComponent(segment))
  } catch (cause) {
    if (!isMalformed(cause)) throw cause
    throw new ServiceError('invalid_request', 'The merchant must be an absolute http or https URL.', { cause })
  }
}

/** The same for a member of a body, which may be the URL itself or percent-encoded up to twice; null when it is none. */
export function audienceOf(text: string): string | null {
  try {
    const once = isUrl(text) ? text : decodeURIComponent(text)
    return canonicalAudience(isUrl(once) ? once : decodeURIComponent(once))
  } catch (cause) {
    if (!isMalformed(cause)) throw cause
    return null
  }
}

/** Whether a canonical audience is https, or http on the loopback interface. */
export function isSafeAudience(audience: string): boolean {
  return SAFE_ORIGIN.test(audience)
}

function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

function isMalformed(cause: unknown): boolean {
  return cause instanceof ProtocolError || cause instanceof URIError
}
