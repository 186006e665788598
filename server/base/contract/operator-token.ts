import { createHash, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '../core/errors'
import type { Config } from '../core/platform'
import { parseCredentials } from './credentials'

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Throws 401 `invalid_token` unless the header is `Authorization: Bearer <operator token>`, or has the token that reads
 * metrics where the operation also accepts that one.
 */
export function requireOperatorToken(
  { baseUrl, secrets }: Config,
  authorization: string | null,
  alsoToken?: 'metrics',
): void {
  const credentials = parseCredentials(authorization)
  const given = sha256(credentials?.scheme === 'bearer' ? credentials.token : '')
  const accepted = [secrets.operatorToken, alsoToken === 'metrics' ? secrets.metricsToken : null]
  const matches = accepted.map((token) => token !== null && timingSafeEqual(given, sha256(token)))
  if (matches.includes(true)) return
  const headers = { 'www-authenticate': `Bearer realm="${baseUrl}"` }
  throw new ServiceError('invalid_token', 'The operator token is required.', { headers })
}
