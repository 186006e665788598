import { createHash, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '../core/errors'
import type { Config } from '../core/platform'
import { parseCredentials } from './credentials'

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Throws 401 `invalid_token` unless the header is `Authorization: Bearer <operator token>`. */
export function requireOperatorToken({ baseUrl, secrets }: Config, authorization: string | null): void {
  const credentials = parseCredentials(authorization)
  const token = credentials?.scheme === 'bearer' ? credentials.token : ''
  if (timingSafeEqual(sha256(token), sha256(secrets.operatorToken))) return
  const headers = { 'www-authenticate': `Bearer realm="${baseUrl}"` }
  throw new ServiceError('invalid_token', 'The operator token is required.', { headers })
}
