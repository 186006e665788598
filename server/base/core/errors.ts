/** All public error codes with their usual HTTP status. Transports read the status; verbs only name the code. */
export const statusOfCode = {
  access_denied: 400,
  attestation_revoked: 403,
  audience_mismatch: 400,
  bad_gateway: 502,
  body_too_large: 413,
  card_required: 400,
  conflict: 409,
  credential_request_denied: 400,
  forbidden: 403,
  headers_too_large: 431,
  holder_binding_missing: 400,
  idempotency_conflict: 409,
  idempotency_in_flight: 409,
  insufficient_scope: 403,
  insufficient_user_authentication: 401,
  invalid_authorization_details: 400,
  invalid_client: 401,
  invalid_client_metadata: 400,
  invalid_credential_request: 400,
  invalid_dpop_proof: 400,
  invalid_filter: 400,
  invalid_grant: 400,
  invalid_metadata: 400,
  invalid_nonce: 400,
  invalid_proof: 400,
  invalid_redirect_uri: 400,
  invalid_request: 400,
  invalid_request_uri: 400,
  invalid_scope: 400,
  invalid_signature: 400,
  invalid_software_statement: 400,
  invalid_subject: 404,
  invalid_target: 400,
  invalid_token: 401,
  invalid_trust_anchor: 400,
  invalid_trust_chain: 400,
  issuer_untrusted: 403,
  limit_currency_mismatch: 403,
  limit_exceeded: 403,
  mandate_audience_mismatch: 422,
  mandate_consumed: 409,
  mandate_expired: 422,
  mandate_invalid: 422,
  mandate_kb_nonce_mismatch: 422,
  mandate_status_revoked: 422,
  method_not_allowed: 405,
  misdirected_request: 421,
  nonce_mismatch: 400,
  not_acceptable: 406,
  not_found: 404,
  not_implemented: 501,
  offer_digest_mismatch: 422,
  payment_declined: 402,
  presentation_expired: 400,
  principal_mismatch: 403,
  rate_limited: 429,
  region_unsupported: 400,
  request_not_supported: 400,
  request_object_invalid: 503,
  request_timeout: 408,
  server_error: 500,
  service_unavailable: 503,
  step_up_required: 403,
  unauthorized_client: 400,
  unknown_credential_configuration: 400,
  unknown_credential_identifier: 400,
  unsupported_grant_type: 400,
  unsupported_media_type: 415,
  unsupported_parameter: 400,
  unsupported_response_type: 400,
  uri_too_long: 414,
  use_dpop_nonce: 400,
  vp_formats_not_supported: 400,
  vp_token_invalid: 400,
} as const

export type ErrorCode = keyof typeof statusOfCode

/** Codes that are only used in redirects of the authorization endpoint (RFC 6749 section 4.1.2.1). */
export const redirectErrorCodes = ['consent_required', 'setup_required'] as const
export type PublicErrorCode = ErrorCode | (typeof redirectErrorCodes)[number]

/** Returns the `error_uri` of RFC 6749 section 5.2: the address of the documentation of a code. */
export function errorUri(baseUrl: string, code: PublicErrorCode): string {
  return `${baseUrl}/docs/errors#${code}`
}

interface ServiceErrorOptions {
  /** Details that are only logged. */
  readonly detail?: string
  readonly cause?: unknown
  /** Extra public members beside `error` and `error_description`. */
  readonly members?: Readonly<Record<string, unknown>>
  /** Extra response headers, for instance `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
  /** A status other than the code's usual one. */
  readonly status?: number
}

/** An error that the caller may see. `description` is public; `detail` and `cause` go to the log only. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly members: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  readonly status: number
  readonly detail: string | undefined

  constructor(
    readonly code: ErrorCode,
    readonly description: string,
    options: ServiceErrorOptions = {},
  ) {
    super(options.detail ?? description, { cause: options.cause })
    this.members = options.members ?? {}
    this.headers = options.headers ?? {}
    this.status = options.status ?? statusOfCode[code]
    this.detail = options.detail
  }
}

/** One entry of the 422 body: the place, the message and the rule that failed. */
export interface ValidationIssue {
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly type: string
  readonly input?: unknown
  readonly ctx?: Readonly<Record<string, unknown>>
}

/** Builds the 422 for one field, which `loc` names by its place and its name. */
export function buildFieldError(loc: ValidationIssue['loc'], msg: string, input?: unknown): ValidationError {
  return new ValidationError([{ loc, msg, type: 'value_error', ...(input !== undefined && { input }) }])
}

/** An invalid typed parameter: status 422 with the interface's `detail` array. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError'
  constructor(readonly issues: readonly ValidationIssue[]) {
    super(issues.map((issue) => `${issue.loc.join('.')}: ${issue.msg}`).join('; '))
  }
}
