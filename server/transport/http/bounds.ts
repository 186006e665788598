/** What one request may weigh. Headers and their time are bounded in server.mjs, before anything is compiled. */
export const BODY_MAX_BYTES = 64 * 1024
export const URL_MAX_BYTES = 8 * 1024
export const JSON_MAX_DEPTH = 32
export const FORM_MAX_PARAMETERS = 256
/** How much of a refused body is still read, and for how long, so that its sender gets to see the refusal. */
export const UNREAD_MAX_BYTES = 1024 * 1024
export const UNREAD_TIMEOUT_MS = 2_000
