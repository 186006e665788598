/** What one request may weigh. Headers and their time are bounded in server.mjs, before anything is compiled. */
export const BODY_MAX_BYTES = 64 * 1024
export const URL_MAX_BYTES = 8 * 1024
export const JSON_MAX_DEPTH = 32
export const FORM_MAX_PARAMETERS = 256
