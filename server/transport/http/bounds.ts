/** The time limits for headers, for the whole request, and between two requests, in milliseconds. */
export const timeouts = {
  headersTimeout: 8_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 65_000,
} as const

/** The size limits of one request. */
export const HEADERS_MAX_BYTES = 16 * 1024
export const BODY_MAX_BYTES = 64 * 1024
export const URL_MAX_BYTES = 8 * 1024
export const JSON_MAX_DEPTH = 32
export const FORM_MAX_PARAMETERS = 256
/** The bytes of a refused body that are still read, and for how long, so that its sender can receive the refusal. */
export const UNREAD_MAX_BYTES = 1024 * 1024
export const UNREAD_TIMEOUT_MS = 2_000
