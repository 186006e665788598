/** What one request may weigh. Everything is bounded here and nowhere else. */
export const BODY_MAX_BYTES = 64 * 1024
export const URL_MAX_BYTES = 8 * 1024
export const HEADERS_MAX_BYTES = 16 * 1024
export const HEADERS_TIMEOUT_MS = 8_000
export const REQUEST_TIMEOUT_MS = 15_000
export const JSON_MAX_DEPTH = 32
export const FORM_MAX_PARAMETERS = 256
