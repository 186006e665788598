import { TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import * as z from 'zod'
import { type Problem, toIssues, toProblem } from '../../base/contract/problem'
import { type ErrorCode, ServiceError, ValidationError, type ValidationIssue } from '../../base/core/errors'

const PORTAL = { dialect: 'portal' } as const

type TrpcCode = TRPCError['code']

/** What every refusal tells the portal, beside its message. */
export interface RefusalData {
  readonly code: TrpcCode
  readonly httpStatus: number
  /** The error code, the same as over HTTP. */
  readonly error: string
  readonly error_description: string
  readonly request_id: string | null
  /** What was wrong with the input, where. */
  readonly detail: readonly ValidationIssue[] | null
  /** Extra members of the refusal, such as the limit that was exceeded. */
  readonly members: Readonly<Record<string, unknown>>
}

const codeOfStatus: Readonly<Record<number, TrpcCode>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  402: 'PAYMENT_REQUIRED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  408: 'TIMEOUT',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  501: 'NOT_IMPLEMENTED',
  502: 'BAD_GATEWAY',
  503: 'SERVICE_UNAVAILABLE',
}

/** Whether the error is one that a caller may see, rather than a fault of ours. */
export function isRefusal(error: TRPCError): boolean {
  const { cause } = error
  const isWorded = cause instanceof ServiceError || cause instanceof ValidationError || cause instanceof z.ZodError
  return isWorded || error.code !== 'INTERNAL_SERVER_ERROR'
}

/** The error under tRPC's own code, which it does not know for what verbs throw. */
export function translate(error: TRPCError): TRPCError {
  const { cause } = error
  if (cause instanceof ServiceError || cause instanceof ValidationError) {
    const { status, description } = toProblem(cause, PORTAL)
    return new TRPCError({ code: codeOfStatus[status] ?? 'INTERNAL_SERVER_ERROR', message: description, cause })
  }
  if (isRefusal(error)) return error
  return new TRPCError({ code: 'INTERNAL_SERVER_ERROR', message: problemOf(error).description, cause })
}

/** The `data` member of an error response. Nothing internal is shown: no stack, no cause, no path. */
export function refusalData(error: TRPCError, context: { status: number; requestId: string | null }): RefusalData {
  const { code, description, issues, members } = problemOf(error)
  return {
    code: error.code,
    httpStatus: context.status,
    error: code,
    error_description: description,
    request_id: context.requestId,
    detail: issues,
    members,
  }
}

/** The error code, the same as over HTTP. */
export const codeOf = (error: TRPCError): ErrorCode => problemOf(error).code

/** What a person may read. Messages of errors that we did not word ourselves stay in the log. */
export function publicMessage(error: TRPCError): string {
  return problemOf(error).description
}

function problemOf(error: TRPCError): Problem {
  const { cause } = error
  if (cause instanceof ServiceError || cause instanceof ValidationError) return toProblem(cause, PORTAL)
  if (cause instanceof z.ZodError) return toProblem(new ValidationError(toIssues(cause, 'body')), PORTAL)
  const fault = toProblem(error, PORTAL)
  const isOurs = cause === undefined && error.code !== 'INTERNAL_SERVER_ERROR'
  return { ...fault, code: errorCodeOf(error.code), description: isOurs ? error.message : fault.description }
}

function errorCodeOf(code: TrpcCode): ErrorCode {
  if (code === 'UNAUTHORIZED') return 'invalid_token'
  if (code === 'INTERNAL_SERVER_ERROR') return 'server_error'
  if (code === 'NOT_FOUND') return 'not_found'
  if (code === 'METHOD_NOT_SUPPORTED') return 'method_not_allowed'
  return 'invalid_request'
}

/** The response to an event stream that is refused, in place of a stream that would begin with 200. */
export function refusedStreamResponse(error: TRPCError): Response {
  const { code, description, headers } = problemOf(error)
  const body = { error: code, error_description: description }
  const type = { 'content-type': 'application/json' }
  return new Response(JSON.stringify(body), {
    status: getHTTPStatusCodeFromError(error),
    headers: { ...headers, ...type },
  })
}

interface ErrorLog {
  /** Takes a fault of ours, of which the caller learns nothing. */
  readonly fault: (fault: unknown) => void
  /** Takes the code of every error. */
  readonly code: (code: ErrorCode) => void
}

/** The response to a request that no procedure took. */
export function errorResponse(error: unknown, log: ErrorLog): Response {
  const { status, headers, body, code, isFault } = toProblem(error, PORTAL)
  if (isFault) log.fault(error)
  log.code(code)
  return new Response(JSON.stringify(body), { status, headers })
}
