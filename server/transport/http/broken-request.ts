import { STATUS_CODES } from 'node:http'
import { toProblem } from '../../base/contract/problem'
import { type ErrorCode, ServiceError } from '../../base/core/errors'

type Refusal = readonly [ErrorCode, string]

/** What Node's server calls a request that it could not parse, and what we call it. */
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request took too long.'],
}

/** A length that no counter holds is too large; one that is no number is malformed. Node has one code for both. */
const LENGTH_OVERFLOW = 'Content-Length overflow'
const tooLarge: Refusal = ['body_too_large', 'The body is too large.']

interface BrokenRequest {
  readonly code?: string | undefined
  /** What the parser says beside the code. */
  readonly reason?: string
}

/** The whole response, as it goes over the connection, to bytes that are no HTTP request; the connection ends with it. */
export function brokenRequestResponse({ code: nodeCode = '', reason }: BrokenRequest, baseUrl: string): string {
  const [code, description] =
    reason === LENGTH_OVERFLOW ? tooLarge : (refusals[nodeCode] ?? ['invalid_request', 'The request is malformed.'])
  const { status, headers, body } = toProblem(new ServiceError(code, description), { dialect: 'oauth', baseUrl })
  const text = JSON.stringify(body)
  const lines = Object.entries({
    ...headers,
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`
}
