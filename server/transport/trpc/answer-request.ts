import type { TRPCError } from '@trpc/server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { buildMethodNotAllowedError, CLIENT_GONE_STATUS } from '../../base/contract/problem'
import { PASSIVE_HEADER, PORTAL_ENDPOINT, REQUEST_ID_HEADER } from '../../base/contract/request-headers'
import { millisecondsSince } from '../../base/core/elapsed'
import { ServiceError } from '../../base/core/errors'
import { noteAnswer, traceAnswer } from '../../base/core/note-answer'
import type { Platform } from '../../base/core/platform'
import { getPlatform } from '../../base/platform/container'
import { readJsonBody, requireOwnOrigin } from '../../identity/sessions'
import { callerFields, createContext } from './context'
import { codeOf, errorResponse, type RequestFields, refusedStreamResponse } from './refusal'
import { appRouter } from './router'

const BATCH_MAX = 10

/** Answers a request below /api/trpc: queries and the change stream by GET, mutations by POST. Never throws. */
export async function answerPortalRequest(request: Request): Promise<Response> {
  const platform = getPlatform()
  const requestId = platform.random.uuid()
  const started = performance.now()
  const fields: RequestFields = {}
  const response = await answerTraced(platform, request, { requestId, fields })
  const headers = new Headers(response.headers)
  headers.set('cache-control', 'no-store')
  // tRPC omits the content type when it refuses a whole batch.
  if (response.status >= 400) headers.set('content-type', 'application/json')
  headers.set('x-content-type-options', 'nosniff')
  headers.set(REQUEST_ID_HEADER, requestId)
  const ms = millisecondsSince(started)
  const status = request.signal.aborted ? CLIENT_GONE_STATUS : response.status
  const { error, ...logged } = fields
  noteAnswer(platform, { requestId, operation: 'portal', method: request.method, status, ms, error }, logged)
  return new Response(response.body, { status: response.status, headers })
}

interface LoggedRequest {
  readonly requestId: string
  readonly fields: RequestFields
}

/** Answers a call in a span; the change stream has none, since it lasts for as long as the page is open. */
async function answerTraced(platform: Platform, request: Request, logged: LoggedRequest): Promise<Response> {
  const { headers, method } = request
  const isStream = headers.get('accept')?.includes('text/event-stream') === true
  const isCall = method === 'POST' || (method === 'GET' && !isStream)
  if (!isCall) return answer(platform, request, logged)
  const { requestId, fields } = logged
  const asked = {
    requestId,
    operation: 'portal',
    method,
    routeMethod: method,
    route: PORTAL_ENDPOINT,
    traceparent: headers.get('traceparent'),
  }
  return traceAnswer(platform, asked, async (span) => {
    const response = await answer(platform, request, logged)
    const { procedures, error } = fields
    span.set({
      ...(procedures !== undefined && { 'countersign.procedures': procedures }),
      ...(error !== undefined && { 'error.type': error }),
    })
    return response
  })
}

async function answer(platform: Platform, request: Request, { requestId, fields }: LoggedRequest): Promise<Response> {
  const refused: TRPCError[] = []
  try {
    requireOwnOrigin(request.headers, platform.config.baseUrl)
    const response = await fetchRequestHandler({
      endpoint: PORTAL_ENDPOINT,
      req: await requireJson(request),
      router: appRouter,
      maxBatchSize: BATCH_MAX,
      createContext: async ({ info, resHeaders: answerHeaders }) => {
        const passive = info.type === 'subscription' || request.headers.has(PASSIVE_HEADER)
        const refuseStream = (error: TRPCError) => void refused.push(error)
        fields.procedures = info.calls.map(({ path }) => nameOf(path)).join()
        const { headers } = request
        const context = await createContext(platform, { headers, requestId, passive, answerHeaders, refuseStream })
        Object.assign(fields, callerFields(context.session))
        return context
      },
      responseMeta: ({ errors }) => ({ headers: refusalHeaders(errors) }),
      onError: ({ error, ctx }) => {
        fields.error ??= codeOf(error)
        // Errors inside a procedure are logged there; without a context no procedure has run.
        if (ctx === undefined && error.code === 'INTERNAL_SERVER_ERROR') {
          platform.log.error('portal request failed', { requestId }, error.cause ?? error)
        }
      },
    })
    const [refusedStream] = refused
    if (refusedStream === undefined) return response
    await response.body?.cancel()
    return refusedStreamResponse(refusedStream)
  } catch (error) {
    return errorResponse(error, fields, (fault) => platform.log.error('portal request failed', { requestId }, fault))
  }
}

/** Returns a procedure's name for the log; `unknown` for one that does not exist, whose text the caller chose. */
const nameOf = (path: string): string => (Object.hasOwn(appRouter._def.procedures, path) ? path : 'unknown')

function refusalHeaders(errors: readonly TRPCError[]): Record<string, string> {
  return Object.assign({}, ...errors.map(({ cause }) => (cause instanceof ServiceError ? cause.headers : {})))
}

/**
 * Returns a GET unchanged and a POST with its body read. Throws for other methods, and for a body that is too large or
 * is not JSON, which pages of other sites cannot post without permission.
 */
async function requireJson(request: Request): Promise<Request> {
  if (request.method === 'GET') return request
  if (request.method !== 'POST') throw buildMethodNotAllowedError('GET, POST')
  const body = await readJsonBody(request)
  return new Request(request.url, { method: 'POST', headers: request.headers, body, signal: request.signal })
}
