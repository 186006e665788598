import type { LogFields, Platform } from './platform'
import type { OpenSpan } from './telemetry'

interface Answer {
  readonly requestId: string
  /** The operation's name in the description of the API; null when the request matched none. */
  readonly operation: string | null
  readonly method: string | null
  readonly status: number
  /** The time to answer in milliseconds. */
  readonly ms: number
  /** The error code of a refusal. */
  readonly error?: string | undefined
}

/** Writes the line of an answered request into the log, with fields about its caller, and counts the answer. */
export function noteAnswer({ log, telemetry }: Platform, answer: Answer, fields: LogFields = {}): void {
  const { error, ...rest } = answer
  log.info('request', { ...rest, ...(error === undefined ? {} : { error }), ...fields })
  const operation = answer.operation ?? 'none'
  telemetry.time('requests', { operation, status: String(answer.status) }, answer.ms / 1_000)
  if (error !== undefined) telemetry.count('refusals', { operation, error })
}

interface TracedRequest {
  readonly requestId: string
  readonly operation: string
  /** The method of the request, and that of the operation, which also answers HEAD as GET. */
  readonly method: string
  readonly routeMethod: string
  /** The path as the contract has it. */
  readonly route: string
  /** The header of that name. */
  readonly traceparent: string | null
}

/** Answers a request in a span of its own, to which `answer` adds what it alone knows. */
export function traceAnswer<R extends { readonly status: number }>(
  { telemetry }: Platform,
  { requestId, operation, method, routeMethod, route, traceparent }: TracedRequest,
  answer: (span: OpenSpan) => Promise<R>,
): Promise<R> {
  const attributes = {
    'http.request.method': method,
    'http.route': route,
    'countersign.operation': operation,
    'countersign.request_id': requestId,
  }
  return telemetry.traced(
    { kind: 'server', name: `${routeMethod} ${route}`, traceparent, attributes },
    async (span) => {
      const response = await answer(span)
      span.set({ 'http.response.status_code': response.status })
      if (response.status >= 500) span.fail()
      return response
    },
  )
}
