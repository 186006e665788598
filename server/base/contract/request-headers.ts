/** Set by proxy.ts, which overwrites values that a client sends. */
export const REQUEST_ID_HEADER = 'x-request-id'
export const REQUEST_PATH_HEADER = 'x-request-path'
export const NONCE_HEADER = 'x-nonce'

/** The address by which quotas count the caller. The lane in front of Next sets it and overwrites a client's value. */
export const ADDRESS_HEADER = 'x-countersign-address'

/** Marks background requests of the portal's pages; they do not count as use of the session. */
export const PASSIVE_HEADER = 'x-portal-passive'

/** The person whose page sends the request. The session of another person, who signed in meanwhile, is ignored. */
export const PERSON_HEADER = 'x-portal-person'

/** The path of the portal's procedures. */
export const PORTAL_ENDPOINT = '/api/trpc'
