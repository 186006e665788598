import { ServiceError } from '../core/errors'

/**
 * Refuses what another site makes a browser send. Browsers say where a request comes from in `Sec-Fetch-Site`, which no
 * page can set; older ones say so in `Origin`. A request with neither was not made by a browser, so there is no person
 * whose cookies it could borrow.
 */
export function requireOwnOrigin(headers: Headers, baseUrl: string): void {
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  const isOwn = site === null ? origin === null || origin === baseUrl : site === 'same-origin' || site === 'none'
  if (!isOwn) throw new ServiceError('forbidden', 'This request came from another site.')
}
