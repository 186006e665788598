import { TRPCError } from '@trpc/server'
import * as z from 'zod'
import { ServiceError, ValidationError, type ValidationIssue } from '../core/errors'

type TrpcCode = TRPCError['code']

/** What every refusal tells the portal, beside its message. */
export interface RefusalData {
  readonly code: TrpcCode
  readonly httpStatus: number
  /** The same word as over HTTP. */
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

const GENERIC = 'The request could not be completed.'

/** Whether the error is one that a caller may see, rather than a fault of ours. */
export function isRefusal(error: TRPCError): boolean {
  const { cause } = error
  const isWorded = cause instanceof ServiceError || cause instanceof ValidationError || cause instanceof z.ZodError
  return isWorded || error.code !== 'INTERNAL_SERVER_ERROR'
}

/** The error under the transport's code: what verbs throw knows a code of ours only. */
export function translate(error: TRPCError): TRPCError {
  const { cause } = error
  if (cause instanceof ServiceError) {
    const code = codeOfStatus[cause.status] ?? 'INTERNAL_SERVER_ERROR'
    return new TRPCError({ code, message: cause.description, cause })
  }
  if (cause instanceof ValidationError)
    return new TRPCError({ code: 'BAD_REQUEST', message: 'The input is not valid.', cause })
  return isRefusal(error) ? error : new TRPCError({ code: 'INTERNAL_SERVER_ERROR', message: GENERIC, cause })
}

/** The `data` member of an error answer. Nothing internal is shown: no stack, no cause, no path. */
export function describe(error: TRPCError, context: { status: number; requestId: string | null }): RefusalData {
  const { cause } = error
  const service = cause instanceof ServiceError ? cause : null
  return {
    code: error.code,
    httpStatus: context.status,
    error: service?.code ?? wordOf(error.code),
    error_description: publicMessage(error),
    request_id: context.requestId,
    detail: issuesOf(cause),
    members: service?.members ?? {},
  }
}

/** What a person may read. Messages of errors that we did not word ourselves stay in the log. */
export function publicMessage(error: TRPCError): string {
  const { cause } = error
  if (cause instanceof ServiceError) return cause.description
  if (cause instanceof ValidationError || cause instanceof z.ZodError) return 'The input is not valid.'
  const isOurs = cause === undefined && error.code !== 'INTERNAL_SERVER_ERROR'
  return isOurs ? error.message : GENERIC
}

function wordOf(code: TrpcCode): string {
  if (code === 'UNAUTHORIZED') return 'invalid_token'
  if (code === 'INTERNAL_SERVER_ERROR') return 'server_error'
  if (code === 'NOT_FOUND') return 'not_found'
  if (code === 'METHOD_NOT_SUPPORTED') return 'method_not_allowed'
  return 'invalid_request'
}

function issuesOf(cause: unknown): readonly ValidationIssue[] | null {
  if (cause instanceof ValidationError) return cause.issues
  if (!(cause instanceof z.ZodError)) return null
  return cause.issues.slice(0, 20).map((issue) => ({
    loc: ['body', ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))],
    msg: issue.message,
    type: issue.code,
  }))
}

/**
 * The answer to a request that no procedure took: in the words of the HTTP endpoints. A fault of ours is handed to
 * `logFault` and says nothing to the caller.
 */
export function answerRefusal(error: unknown, logFault: (fault: unknown) => void): Response {
  const known = error instanceof ServiceError ? error : new ServiceError('server_error', GENERIC)
  if (known !== error) logFault(error)
  const body = { error: known.code, error_description: known.description }
  return new Response(JSON.stringify(body), {
    status: known.status,
    headers: { 'content-type': 'application/json', ...known.headers },
  })
}
