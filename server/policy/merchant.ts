import { ServiceError } from '../core/errors'
import { ProtocolError } from '../protocol/errors'
import { canonicalAudience } from '../protocol/uri'

/**
 * The merchant that a path segment names, in the spelling that rules are kept under. The segment was decoded once: what
 * is a URL by now stays as it is, since its own path may hold percent-encoding; anything else was encoded twice.
 */
export function merchantOf(segment: string): string {
  try {
    return canonicalAudience(/^https?:\/\//i.test(segment) ? segment : decodeURIComponent(segment))
  } catch (cause) {
    if (!(cause instanceof ProtocolError || cause instanceof URIError)) throw cause
    throw new ServiceError('invalid_request', 'The merchant must be an absolute http or https URL.', { cause })
  }
}
