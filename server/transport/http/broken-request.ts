import { STATUS_CODES } from 'node:http'
import { toProblem } from '../../base/contract/problem'
import { type ErrorCode, ServiceError } from '../../base/core/errors'
import { TIMEOUT_TEXT } from './timed-out'

type Refusal = readonly [ErrorCode, string]

/** Node's code for a request that did not arrive within the time limits. */
export const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'

/** The code for a request for a tunnel, which has an authority instead of a path (RFC 9110 section 9.3.6). */
export const CONNECT = 'CONNECT'

/** The errors of requests that Node does not pass on, by its code. */
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The headers are too large.'],
  [CONNECT]: ['invalid_request', 'The request target must be a path.'],
  [REQUEST_TIMEOUT]: ['request_timeout', TIMEOUT_TEXT],
}

/** The parser's reason for a too large length. Node has the same code for a malformed one. */
const LENGTH_OVERFLOW = 'Content-Length overflow'
const tooLarge: Refusal = ['body_too_large', 'The body is too large.']

export interface BrokenRequest {
  readonly code?: string | undefined
  /** The reason that the parser gives besides the code. */
  readonly reason?: string
}

/** Returns the text of the whole HTTP response to bytes that are no HTTP request; it closes the connection. */
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
