import { type ErrorWording, toProblem } from '../../base/contract/problem'
import { ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import type { HttpResponse } from './exchange'

interface ErrorContext {
  readonly dialect: Exclude<ErrorWording['dialect'], 'portal'>
  readonly platform: Platform
  readonly requestId: string
}

/** Returns the response for an error. Logs unexpected errors, and refusals that are the service's fault. */
export function errorResponse(error: unknown, { dialect, platform, requestId }: ErrorContext): HttpResponse {
  const { log, config } = platform
  const { status, headers, code, body, isFault } = toProblem(error, { dialect, baseUrl: config.baseUrl })
  if (isFault) log.error('request failed', { requestId }, error)
  else if (error instanceof ServiceError && status >= 500) {
    log.warn('request refused', { requestId, code: error.code }, error.cause ?? error)
  }
  return { status, headers, body: JSON.stringify(body), error: code }
}
