import type { EndpointShape } from '../contract/endpoint'
import { ServiceError, ValidationError } from '../core/errors'
import type { Logger } from '../core/platform'
import type { HttpAnswer } from './exchange'

/** RFC 6749 section 5.2: descriptions hold %x20-21 / %x23-5B / %x5D-7E only. */
function plain(description: string): string {
  return description.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, ' ')
}

/** The answer for whatever a request threw. Nothing internal is shown; unexpected errors are logged. */
export function refusalAnswer(
  error: unknown,
  context: { dialect: EndpointShape['refusal']; log: Logger; requestId: string },
): HttpAnswer {
  if (error instanceof ValidationError) return validationAnswer(error, context.dialect)
  if (error instanceof ServiceError) {
    if (error.status >= 500)
      context.log.warn('request refused', { requestId: context.requestId, code: error.code }, error.cause ?? error)
    return envelope(error)
  }
  context.log.error('request failed', { requestId: context.requestId }, error)
  return envelope(new ServiceError('server_error', 'The request could not be completed.'))
}

function envelope(error: ServiceError): HttpAnswer {
  const body = { error: error.code, error_description: plain(error.description), ...error.members }
  return {
    status: error.status,
    headers: { 'content-type': 'application/json', ...error.headers },
    body: JSON.stringify(body),
  }
}

function validationAnswer(error: ValidationError, dialect: EndpointShape['refusal']): HttpAnswer {
  if (dialect === 'oauth') {
    const [issue] = error.issues
    const where = issue?.loc.slice(1).join('.') ?? ''
    return envelope(new ServiceError('invalid_request', `The parameter ${where} is missing or malformed.`))
  }
  const oauthMembers = { error: 'invalid_request', error_description: 'A parameter is missing or malformed.' }
  const body = JSON.stringify({ detail: error.issues, ...(dialect === 'oauth-validation' ? oauthMembers : {}) })
  return { status: 422, headers: { 'content-type': 'application/json' }, body }
}
