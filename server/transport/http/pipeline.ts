import type { AnyOperation, EndpointShape } from '../../base/contract/endpoint'
import { buildMethodNotAllowedError, buildNotFoundError, CLIENT_GONE_STATUS } from '../../base/contract/problem'
import { callerOf } from '../../base/core/caller'
import { requireSwitch } from '../../base/core/common-errors'
import { millisecondsSince } from '../../base/core/elapsed'
import { noteAnswer, traceAnswer } from '../../base/core/note-answer'
import type { Platform } from '../../base/core/platform'
import { noteRequest } from '../../shared/request-log'
import {
  authenticate,
  authenticatesFirst,
  consumeCredentials,
  requireActiveClient,
  withChallenge,
} from './authenticate'
import { errorResponse } from './error-response'
import type { Exchange, HttpRequest, HttpResponse } from './exchange'
import type { Match } from './match'
import { requireQuota } from './quota'
import { readParameters } from './read-parameters'
import { replyResponse, standardHeaders } from './reply'
import { validate } from './validate'

/** Answers a request whose path has been matched, from either lane. Never throws. */
export async function answerRequest(match: Match, request: HttpRequest, platform: Platform): Promise<HttpResponse> {
  const startedAt = performance.now()
  const requestId = platform.random.uuid()
  const exchange = openExchange(match, request, { platform, requestId })
  const response =
    exchange === null ? otherMethodResponse(match, request, { platform, requestId }) : await answerTraced(exchange)
  const ms = millisecondsSince(startedAt)
  const status = request.isGone() ? CLIENT_GONE_STATUS : response.status
  const outcome = { method: request.method, status, ms }
  const operation = exchange?.endpoint.operationId ?? null
  const { error = null } = response
  const caller = exchange === null ? {} : callerOf(exchange.actor)
  noteAnswer(platform, { requestId, operation, ...outcome, error: error ?? undefined }, caller)
  if (exchange !== null && operation !== null) {
    noteRequest(platform, exchange.actor, { request_id: requestId, operation, ...outcome, error })
  }
  const standard = standardHeaders(platform, match.operations)
  return { ...response, headers: { ...standard, 'x-request-id': requestId, ...response.headers } }
}

/** Runs the steps of an operation in a span; a server that is looked after is asked for its health all the time. */
async function answerTraced(exchange: Exchange): Promise<HttpResponse> {
  const { endpoint, request, platform, requestId } = exchange
  if (endpoint.tag === 'Health') return runSteps(exchange)
  const asked = {
    requestId,
    operation: endpoint.operationId,
    method: request.method,
    routeMethod: endpoint.method,
    route: endpoint.path,
    traceparent: request.header('traceparent'),
  }
  return traceAnswer(platform, asked, async (span) => {
    const response = await runSteps(exchange)
    const { error } = response
    span.set({ 'countersign.caller': exchange.actor.kind, ...(typeof error === 'string' && { 'error.type': error }) })
    return response
  })
}

/** Runs the steps of an operation, in the order in which docs/ARCHITECTURE.md lists them. */
async function runSteps(exchange: Exchange): Promise<HttpResponse> {
  try {
    if (exchange.endpoint.switch !== undefined)
      await requireSwitch(exchange.platform.switches, exchange.endpoint.switch)
    if (authenticatesFirst(exchange.endpoint, exchange.request)) {
      await authenticate(exchange)
      await readParameters(exchange)
    } else {
      await readParameters(exchange)
      await authenticate(exchange)
    }
    await requireQuota(exchange)
    try {
      validate(exchange)
      await consumeCredentials(exchange)
      await runVerb(exchange)
      return replyResponse(exchange)
    } catch (error) {
      // A revoked client gets invalid_client before any other error.
      await requireActiveClient(exchange)
      throw error
    }
  } catch (error) {
    const { endpoint, platform, requestId } = exchange
    return errorResponse(withChallenge(exchange, error), { dialect: endpoint.refusal, platform, requestId })
  }
}

interface RequestContext {
  readonly platform: Platform
  readonly requestId: string
}

/** Picks the operation of the request's method; null when the path has none for it. */
function openExchange(match: Match, request: HttpRequest, { platform, requestId }: RequestContext): Exchange | null {
  const operation = match.operations.find(
    ({ endpoint }) => isOffered(endpoint, platform) && takesMethod(endpoint, request.method),
  )
  if (operation === undefined) return null
  return {
    platform,
    requestId,
    now: platform.clock.now(),
    request,
    endpoint: operation.endpoint,
    verb: operation.verb as Exchange['verb'],
    sent: { path: match.parameters, query: {}, body: {}, rawBody: null, bodyDigest: null },
    actor: { kind: 'anonymous' },
    input: {},
    result: undefined,
  }
}

function isOffered(endpoint: EndpointShape, { config }: Platform): boolean {
  return config.sandbox || endpoint.sandboxOnly !== true
}

/** Whether an endpoint accepts a method. HEAD counts as GET unless GET consumes something: mail scanners send HEAD. */
function takesMethod(endpoint: EndpointShape, method: string): boolean {
  return endpoint.method === method || (method === 'HEAD' && endpoint.method === 'GET' && endpoint.consuming !== true)
}

/** Answers OPTIONS with the allowed methods, and any other method with 405 and `Allow` (RFC 9110 section 15.5.6). */
function otherMethodResponse(match: Match, { method }: HttpRequest, context: RequestContext): HttpResponse {
  const allow = allowedMethods(match.operations, context.platform)
  if (allow === null) return errorResponse(buildNotFoundError(), { dialect: 'oauth', ...context })
  if (method === 'OPTIONS') return { status: 204, headers: { allow }, body: null }
  return errorResponse(buildMethodNotAllowedError(allow), { dialect: 'oauth', ...context })
}

/** Returns the methods of a path for `Allow`; null when none of its operations exists here. */
export function allowedMethods(operations: readonly AnyOperation[], platform: Platform): string | null {
  const offered = operations.filter(({ endpoint }) => isOffered(endpoint, platform))
  if (offered.length === 0) return null
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
  const taken = methods.filter((method) => offered.some(({ endpoint }) => takesMethod(endpoint, method)))
  return [...taken, 'OPTIONS'].join(', ')
}

async function runVerb(exchange: Exchange): Promise<void> {
  const { actor, platform, requestId, now, verb, input } = exchange
  exchange.result = await verb({ actor, platform, requestId, now }, input)
}
