import type { AnyOperation } from '../../base/contract/endpoint'
import { Reply } from '../../base/contract/reply'
import type { Platform } from '../../base/core/platform'
import type { Exchange, HttpResponse } from './exchange'

/** Converts the result of the verb to the response of the contract; validates JSON. */
export function replyResponse({ endpoint, result }: Exchange): HttpResponse {
  const reply = result instanceof Reply ? result : Reply.json(result)
  const status = reply.status ?? endpoint.status ?? 200
  if (reply.content === null) return { status, headers: reply.headers, body: null }
  if ('text' in reply.content) {
    const { text, error } = reply.content
    return { status, headers: reply.headers, body: text, error }
  }
  const body = JSON.stringify(endpoint.output.parse(reply.content.json))
  return { status, headers: { 'content-type': 'application/json', ...reply.headers }, body }
}

const BASELINE_HEADERS = { 'content-security-policy': "frame-ancestors 'none'", 'x-content-type-options': 'nosniff' }
const HEADERS = {
  ...BASELINE_HEADERS,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
}
const OVER_TLS = { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }
const HEADERS_OVER_TLS = { ...HEADERS, ...OVER_TLS }

const baseline = new Map(Object.entries(BASELINE_HEADERS))
const baselineOverTls = new Map(Object.entries({ ...BASELINE_HEADERS, ...OVER_TLS }))

const isOverTls = ({ config }: Platform) => config.baseUrl.startsWith('https:')

/**
 * Returns the headers of every response to a path of these operations. Responses may not be stored, unless a public
 * document sets its own caching. Where tokens are issued, every response has the next nonce (RFC 9449 section 8.2).
 */
export function standardHeaders(
  platform: Platform,
  operations: readonly AnyOperation[],
): Readonly<Record<string, string>> {
  const headers = isOverTls(platform) ? HEADERS_OVER_TLS : HEADERS
  if (!operations.some(mintsTokens)) return headers
  return { ...headers, 'dpop-nonce': platform.dpopNonces.current(platform.clock.now()) }
}

const mintsTokens = ({ endpoint: { access } }: AnyOperation) => access.actor === 'client' && access.dpop === 'mint'

/** Returns the headers of every answer, including those of Next. */
export function baselineHeaders(platform: Platform): Map<string, string> {
  return isOverTls(platform) ? baselineOverTls : baseline
}
