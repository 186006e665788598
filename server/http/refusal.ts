import type { EndpointShape } from '../contract/endpoint'
import { errorUri, ServiceError, ValidationError } from '../core/errors'
import type { Platform } from '../core/platform'
import type { HttpAnswer } from './exchange'

/** RFC 6749 section 5.2: descriptions hold %x20-21 / %x23-5B / %x5D-7E only. */
function plain(description: string): string {
  return description.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, ' ')
}

/** The answer for whatever a request threw. Nothing internal is shown; unexpected errors are logged. */
export function refusalAnswer(
  error: unknown,
  { dialect, platform, requestId }: { dialect: EndpointShape['refusal']; platform: Platform; requestId: string },
): HttpAnswer {
  const { log, config } = platform
  if (error instanceof ValidationError) return validationAnswer(error, { dialect, baseUrl: config.baseUrl })
  if (error instanceof ServiceError) {
    if (error.status >= 500) log.warn('request refused', { requestId, code: error.code }, error.cause ?? error)
    return envelope(error, config.baseUrl)
  }
  log.error('request failed', { requestId }, error)
  return envelope(new ServiceError('server_error', 'The request could not be completed.'), config.baseUrl)
}

function envelope(error: ServiceError, baseUrl: string): HttpAnswer {
  const body = {
    error: error.code,
    error_description: plain(error.description),
    error_uri: errorUri(baseUrl, error.code),
    ...error.members,
  }
  return {
    status: error.status,
    headers: { 'content-type': 'application/json', ...error.headers },
    body: JSON.stringify(body),
  }
}

function validationAnswer(
  error: ValidationError,
  { dialect, baseUrl }: { dialect: EndpointShape['refusal']; baseUrl: string },
): HttpAnswer {
  if (dialect === 'oauth') {
    const [issue] = error.issues
    const where = issue?.loc.slice(1).join('.') ?? ''
    return envelope(new ServiceError('invalid_request', `The parameter ${where} is missing or malformed.`), baseUrl)
  }
  const oauthMembers = {
    error: 'invalid_request',
    error_description: 'A parameter is missing or malformed.',
    error_uri: errorUri(baseUrl, 'invalid_request'),
  }
  const body = JSON.stringify({ detail: error.issues, ...(dialect === 'oauth-validation' ? oauthMembers : {}) })
  return { status: 422, headers: { 'content-type': 'application/json' }, body }
}
