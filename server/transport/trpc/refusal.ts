import { TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import * as z from 'zod'
import { type Problem, toIssues, toProblem } from '../../base/contract/problem'
import { type ErrorCode, ServiceError, ValidationError, type ValidationIssue } from '../../base/core/errors'

const PORTAL = { dialect: 'portal' } as const

type TrpcCode = TRPCError['code']

/** The data of a refusal for the portal, besides its message. */
export interface RefusalData {
  readonly code: TrpcCode
  readonly httpStatus: number
  /** The error code, the same as over HTTP. */
  readonly error: string
  readonly error_description: string
  readonly request_id: string | null
  /** The invalid parts of the input, with their places; null for every other error. */
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

/** Whether the caller may see the error; false for an unexpected one. */
export function isRefusal(error: TRPCError): boolean {
  const { cause } = error
  const isWorded = cause instanceof ServiceError || cause instanceof ValidationError || cause instanceof z.ZodError
  return isWorded || error.code !== 'INTERNAL_SERVER_ERROR'
}

/** Returns the error with the tRPC code for it, which tRPC does not know for errors of verbs. */
export function translate(error: TRPCError): TRPCError {
  const { cause } = error
  if (cause instanceof ServiceError || cause instanceof ValidationError) {
    const { status, description } = toProblem(cause, PORTAL)
    return new TRPCError({ code: codeOfStatus[status] ?? 'INTERNAL_SERVER_ERROR', message: description, cause })
  }
  if (isRefusal(error)) return error
  return new TRPCError({ code: 'INTERNAL_SERVER_ERROR', message: problemOf(error).description, cause })
}

/** Returns the `data` member of an error response, without internals such as stack, cause or path. */
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

/** Returns the error code, the same as over HTTP. */
export const codeOf = (error: TRPCError): ErrorCode => problemOf(error).code

/** Returns the message for the person; hides messages of errors that are not this service's or tRPC's own. */
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

/** Returns the response to a refused event stream, in place of a stream that would begin with 200. */
export function refusedStreamResponse(error: TRPCError): Response {
  const { code, description, headers } = problemOf(error)
  const body = { error: code, error_description: description }
  const type = { 'content-type': 'application/json' }
  return new Response(JSON.stringify(body), {
    status: getHTTPStatusCodeFromError(error),
    headers: { ...headers, ...type },
  })
}

/** Fields of a request's log line, filled in as they become known. */
export interface RequestFields {
  procedures?: string
  caller?: string
  /** The code of a refusal, of the first where several calls are refused. */
  error?: string
}

/**
 * Returns the response to a request that reached no procedure, and fills in its code. Passes unexpected errors to
 * `logFault` and hides them from the caller.
 */
export function errorResponse(error: unknown, fields: RequestFields, logFault: (fault: unknown) => void): Response {
  const { status, headers, body, code, isFault } = toProblem(error, PORTAL)
  if (isFault) logFault(error)
  fields.error = code
  return new Response(JSON.stringify(body), { status, headers })
}
