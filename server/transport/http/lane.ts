import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnyOperation } from '../../base/contract/endpoint'
import { buildMethodNotAllowedError, buildNotFoundError } from '../../base/contract/problem'
import { ADDRESS_HEADER } from '../../base/contract/request-headers'
import { millisecondsSince } from '../../base/core/elapsed'
import { ServiceError } from '../../base/core/errors'
import { noteAnswer } from '../../base/core/note-answer'
import type { Platform } from '../../base/core/platform'
import { callerAddress } from './address'
import { authenticatesFirst } from './authenticate'
import { awaitBody, checkAnnounced, checkCoding, hasBody, maxBytesFor, readBody } from './body'
import { UNREAD_MAX_BYTES, UNREAD_TIMEOUT_MS, URL_MAX_BYTES } from './bounds'
import { errorResponse } from './error-response'
import { type HttpRequest, type HttpResponse, splitTarget } from './exchange'
import { isOwnHost } from './host'
import { createMatcher, isApiPath, type Match, NO_MATCH } from './match'
import { allowedMethods, answerRequest } from './pipeline'
import { standardHeaders } from './reply'
import { hasTimedOut } from './timed-out'

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** The methods of the addresses that the lane leaves to Next: pages, and the portal's own calls under /api/. */
const PAGE_METHODS = 'GET, HEAD, OPTIONS'
const CALL_METHODS = 'GET, HEAD, POST, OPTIONS'
/** The only expectation that is met; Node does so before it passes the request on (RFC 9110 section 10.1.1). */
const CONTINUE = /^100-continue$/i
const SINGLE_HEADERS = new Set(['authorization', 'content-type', 'content-length', 'host', 'idempotency-key'])

export interface Lane {
  /** Answers the request; returns false when Next must answer it. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>
}

interface LaneOptions {
  readonly operations: readonly AnyOperation[]
  readonly platform: Platform
  /**
   * `direct` answers contract paths; `next` only refuses requests that Next cannot handle and leaves the rest to its
   * route files; `alone` works without Next and answers 404 for all other paths.
   */
  readonly mode: 'direct' | 'next' | 'alone'
}

/**
 * Creates the production lane: requests for contract paths go from Node's server to the verbs without the framework.
 */
export function createLane({ operations, platform, mode }: LaneOptions): Lane {
  const match = createMatcher(operations)
  return {
    async handle(request, response) {
      const startedAt = performance.now()
      const target = splitTarget(request.url ?? '')
      const matched = match(target.path)
      const isForNext = mode === 'next' || matched === null
      const error =
        checkRequest(request, { path: target.path, matched, isForNext }, platform) ??
        (mode === 'alone' && matched === null ? buildNotFoundError() : null) ??
        (isForNext ? await checkBody(request, matched) : null)
      if (error !== null) {
        send(response, refusal(error, { matched, startedAt }, platform), request)
        return true
      }
      const address = addressOf(request, platform)
      request.headers[ADDRESS_HEADER] = address ?? ''
      if (isForNext) return false
      send(response, await answerRequest(matched, fromIncoming(request, { ...target, address }), platform), request)
      return true
    },
  }
}

interface Target {
  readonly path: string
  readonly matched: Match | null
  readonly isForNext: boolean
}

/** Returns the refusal of a request that Next would answer with a 500, a redirect or a page; null to go on. */
function checkRequest(request: IncomingMessage, target: Target, platform: Platform): ServiceError | null {
  const { path, matched } = target
  const isUnknown = (matched === null || matched === NO_MATCH) && isApiPath(path)
  return (
    checkMethod(request, target, platform) ??
    checkForm(request, path) ??
    (isReadLater(request, target) ? null : checkAnnounced(request, maxBytesFor(matched, request.method))) ??
    checkHost(request, path, platform) ??
    (isUnknown ? buildNotFoundError() : null)
  )
}

/** Refuses a method that no path has, such as TRACE. */
function checkMethod({ method = '' }: IncomingMessage, { path, matched }: Target, platform: Platform) {
  if (METHODS.has(method)) return null
  const allow = matched === null ? methodsOfNext(path) : allowedMethods(matched.operations, platform)
  const isUnknown = allow === null || (matched === null && isApiPath(path))
  return isUnknown ? buildNotFoundError() : buildMethodNotAllowedError(allow)
}

const methodsOfNext = (path: string) => (path.startsWith('/api/') ? CALL_METHODS : PAGE_METHODS)

/** Whether the credential or a switch is checked before the size of the body. */
function isReadLater(request: IncomingMessage, { matched, isForNext }: Target): boolean {
  const operation = matched?.operations.find(({ endpoint }) => endpoint.method === request.method)
  if (isForNext || operation === undefined) return false
  const { endpoint } = operation
  return authenticatesFirst(endpoint, { hasBody: hasBody(request) }) || endpoint.switch !== undefined
}

/** Waits for the whole body before Next gets it; returns the refusal of one that is too large or encoded, else null. */
async function checkBody(request: IncomingMessage, matched: Match | null): Promise<ServiceError | null> {
  if (!hasBody(request)) return null
  // The contract of an operation says how it refuses.
  const coded = matched === null ? checkCoding(request.headers['content-encoding'] ?? null) : null
  if (coded !== null) return coded
  try {
    await awaitBody(request, maxBytesFor(matched, request.method))
    return null
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

interface Refused {
  readonly matched: Match | null
  readonly startedAt: number
}

function refusal(error: ServiceError, { matched, startedAt }: Refused, platform: Platform): HttpResponse {
  const requestId = platform.random.uuid()
  const { status, code } = error
  const ms = millisecondsSince(startedAt)
  noteAnswer(platform, { requestId, operation: null, method: null, status, ms, error: code })
  const response = errorResponse(error, { dialect: 'oauth', platform, requestId })
  const standard = standardHeaders(platform, matched?.operations ?? [])
  return { ...response, headers: { ...standard, 'x-request-id': requestId, ...response.headers } }
}

function checkForm(request: IncomingMessage, path: string): ServiceError | null {
  const target = request.url ?? ''
  if (!target.startsWith('/')) return new ServiceError('invalid_request', 'The request target must be a path.')
  if (target.length > URL_MAX_BYTES) return new ServiceError('uri_too_long', 'The address is too long.')
  if (path.startsWith('//') || path.includes('\\') || !isDecodable(path)) return buildNotFoundError()
  const { expect } = request.headers
  if (expect !== undefined && !CONTINUE.test(expect)) {
    return new ServiceError('invalid_request', 'The server meets no expectation but 100-continue.', { status: 417 })
  }
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    return new ServiceError('invalid_request', 'The request has no Host.')
  }
  const repeated = repeatedHeader(request.rawHeaders)
  if (repeated !== null) return new ServiceError('invalid_request', `The header ${repeated} was sent more than once.`)
  return null
}

function checkHost(request: IncomingMessage, path: string, { config }: Platform): ServiceError | null {
  const target = { path, host: request.headers.host, port: request.socket.localPort }
  if (isOwnHost(config, target)) return null
  return new ServiceError('misdirected_request', 'This server does not answer for the host that was asked.')
}

function isDecodable(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes('\u0000')
  } catch {
    return false
  }
}

/**
 * Returns a header that was sent twice, else null. Only the raw list shows it, as Node silently keeps the first one.
 */
function repeatedHeader(rawHeaders: readonly string[]): string | null {
  const seen = new Set<string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase()
    if (SINGLE_HEADERS.has(name) && seen.has(name)) return name
    seen.add(name)
  }
  return null
}

function addressOf(request: IncomingMessage, { config }: Platform): string | null {
  const forwarded = request.headers['x-forwarded-for']
  const forwardedFor = Array.isArray(forwarded) ? forwarded.join(',') : forwarded
  return callerAddress({ peer: request.socket.remoteAddress, forwardedFor }, config.trustedProxies)
}

function fromIncoming(
  request: IncomingMessage,
  { path, query, address }: Pick<HttpRequest, 'path' | 'query' | 'address'>,
): HttpRequest {
  return {
    path,
    query,
    address,
    method: request.method ?? 'GET',
    header: (name) => {
      const value = request.headers[name.toLowerCase()]
      return (Array.isArray(value) ? value.join(', ') : value) ?? null
    },
    hasBody: hasBody(request),
    body: (maxBytes) => readBody(request, maxBytes),
    isGone: () => request.socket.destroyed && !hasTimedOut(request.socket),
  }
}

function send(response: ServerResponse, answer: HttpResponse, request: IncomingMessage): void {
  const body = answer.body ?? ''
  const length = answer.status === 204 || answer.status === 304 ? {} : { 'content-length': Buffer.byteLength(body) }
  const isUnread = !request.complete && hasBody(request)
  // Closed, so that the rest of an unread body is not parsed as the next request.
  response.writeHead(answer.status, { ...answer.headers, ...length, ...(isUnread ? { connection: 'close' } : {}) })
  if (!isUnread) {
    response.end(request.method === 'HEAD' ? undefined : body)
    return
  }
  response.write(body)
  endAfterReading(request, response)
}

/**
 * Reads for a while before it closes, because a client that is still sending would get an error instead of the answer.
 */
function endAfterReading(request: IncomingMessage, response: ServerResponse): void {
  let left = UNREAD_MAX_BYTES
  const end = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(end, UNREAD_TIMEOUT_MS)
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) end()
  })
  request.once('end', end).once('error', end)
  // The client has closed its side, so waiting is no longer needed.
  request.socket.once('end', end)
  request.resume()
}
