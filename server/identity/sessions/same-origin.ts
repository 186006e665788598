import { ServiceError } from '../../base/core/errors'

/**
 * Requires that the request was not caused by another site: 403 forbidden. Browsers state the origin of a request in
 * `Sec-Fetch-Site`, which no page can set, and older ones in `Origin`. A request with neither was not sent by a browser,
 * so it carries no cookies but the caller's own.
 */
export function requireOwnOrigin(headers: Headers, baseUrl: string): void {
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  const isOwn = site === null ? origin === null || origin === baseUrl : site === 'same-origin' || site === 'none'
  if (!isOwn) throw new ServiceError('forbidden', 'This request came from another site.')
}
