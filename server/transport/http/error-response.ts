import { type ErrorWording, toProblem } from '../../base/contract/problem'
import { ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import type { HttpResponse } from './exchange'

interface ErrorContext {
  readonly dialect: Exclude<ErrorWording['dialect'], 'portal'>
  readonly platform: Platform
  readonly requestId: string
}

/** The response to a request that ended with an error. Faults are logged; so are refusals that the service is to blame for. */
export function errorResponse(error: unknown, { dialect, platform, requestId }: ErrorContext): HttpResponse {
  const { log, config } = platform
  const { status, headers, code, body, isFault } = toProblem(error, { dialect, baseUrl: config.baseUrl })
  if (isFault) log.error('request failed', { requestId }, error)
  else if (error instanceof ServiceError && status >= 500) {
    log.warn('request refused', { requestId, code: error.code }, error.cause ?? error)
  }
  return { status, headers, body: JSON.stringify(body), error: code }
}
