import type * as z from 'zod'
import { type ErrorCode, errorUri, ServiceError, ValidationError, type ValidationIssue } from '../core/errors'
import type { EndpointShape } from './endpoint'

/** The format of an error: that of an endpoint's contract, or the portal's own, which has no `error_uri`. */
export type ErrorWording =
  | { readonly dialect: EndpointShape['refusal']; readonly baseUrl: string }
  | { readonly dialect: 'portal' }

/** An error as the caller sees it. */
export interface Problem {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly code: ErrorCode
  readonly description: string
  /** The invalid parts of the input, with their places; null for every other error. */
  readonly issues: readonly ValidationIssue[] | null
  /** Public members beside `error` and `error_description`, such as the limit that was exceeded. */
  readonly members: Readonly<Record<string, unknown>>
  /** The JSON body in the given wording. */
  readonly body: Readonly<Record<string, unknown>>
  /** Whether the error is unexpected. It must then be logged, because its details are hidden from the caller. */
  readonly isFault: boolean
}

const ISSUES_MAX = 20
const JSON_HEADERS = { 'content-type': 'application/json' }

/** Converts an error for its caller, who sees messages of `ServiceError` and `ValidationError` only. */
export function toProblem(error: unknown, wording: ErrorWording): Problem {
  if (error instanceof ValidationError) return invalidInput(error.issues, wording)
  if (error instanceof ServiceError) return problemOf(error, wording)
  const fault = new ServiceError('server_error', 'The request could not be completed.')
  return { ...problemOf(fault, wording), isFault: true }
}

function problemOf(error: ServiceError, wording: ErrorWording): Problem {
  const { status, code, members } = error
  const headers = { ...JSON_HEADERS, ...error.headers }
  const known = { status, headers, code, members, issues: null, isFault: false }
  if (wording.dialect === 'portal') {
    const { description } = error
    return { ...known, description, body: { error: code, error_description: description } }
  }
  const description = descriptionCharacters(error.description)
  const error_uri = errorUri(wording.baseUrl, code)
  return { ...known, description, body: { error: code, error_description: description, error_uri, ...members } }
}

function invalidInput(issues: readonly ValidationIssue[], wording: ErrorWording): Problem {
  if (wording.dialect === 'portal') {
    return { ...problemOf(new ServiceError('invalid_request', 'The input is not valid.'), wording), issues }
  }
  if (wording.dialect === 'oauth') {
    const where = issues[0]?.loc.slice(1).join('.') ?? ''
    return problemOf(new ServiceError('invalid_request', `The parameter ${where} is missing or malformed.`), wording)
  }
  const error = new ServiceError('invalid_request', 'A parameter is missing or malformed.', { status: 422 })
  const problem = problemOf(error, wording)
  const body = { detail: issues, ...(wording.dialect === 'oauth-validation' ? problem.body : {}) }
  return { ...problem, issues, body }
}

/** Returns 404 not_found: no operation, page or procedure has this address. */
export const buildNotFoundError = (): ServiceError => new ServiceError('not_found', 'Not found.')

/** Returns 405 for a method that the address lacks; `allow` lists those that it has (RFC 9110 section 15.5.6). */
export const buildMethodNotAllowedError = (allow: string): ServiceError =>
  new ServiceError('method_not_allowed', 'Method not allowed.', { headers: { allow } })

/** Returns the text with only %x20-21 / %x23-5B / %x5D-7E, as RFC 6749 section 5.2 requires of descriptions. */
function descriptionCharacters(description: string): string {
  return description.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, ' ')
}

/** The status in the log when the client closed the connection early; no client receives it. */
export const CLIENT_GONE_STATUS = 499

/** Returns the error for a client that closed the connection before it had sent its whole request. */
export const buildClientGoneError = (cause?: unknown): ServiceError =>
  new ServiceError('invalid_request', 'The request body ended early.', { status: CLIENT_GONE_STATUS, cause })

/**
 * Converts a schema's issues to entries of `detail`, one per member: what breaks one rule often breaks the next one too.
 * `place` is the part of the request that was validated.
 */
export function toIssues({ issues }: z.core.$ZodError, place: 'path' | 'query' | 'body'): ValidationIssue[] {
  const reported = issues.slice(0, ISSUES_MAX)
  const places = reported.map(memberOf)
  const first = reported.filter((_, index) => places[index] === null || places.indexOf(places[index] ?? null) === index)
  return first.flatMap((issue) => {
    const loc = [place, ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))]
    if (issue.code === 'unrecognized_keys') {
      const msg = 'Extra inputs are not permitted'
      return issue.keys.map((key) => ({ loc: [...loc, key], msg, type: 'extra_forbidden' }))
    }
    // The input is there only when the schema was asked to report it.
    const isMissing = issue.code === 'invalid_type' && 'input' in issue && issue.input === undefined
    if (isMissing) return [{ loc, msg: 'Field required', type: 'missing' }]
    return [{ loc, msg: issue.message, type: issue.code, ...(isEchoed(issue.input) ? { input: issue.input } : {}) }]
  })
}

/** Returns the place of the member that an issue is about; null for issues of the whole or of extra members. */
const memberOf = ({ path, code }: z.core.$ZodIssue): string | null =>
  path.length === 0 || code === 'unrecognized_keys' ? null : path.map(String).join('\n')

/** Whether an invalid value may be repeated in the error: not texts and objects, which may hold secrets. */
function isEchoed(input: unknown): boolean {
  return typeof input === 'number' || typeof input === 'boolean' || input === null
}
