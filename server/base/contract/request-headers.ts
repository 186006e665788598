/** Set by proxy.ts; whatever a client sends under these names is overwritten. */
export const REQUEST_ID_HEADER = 'x-request-id'
export const REQUEST_PATH_HEADER = 'x-request-path'
export const NONCE_HEADER = 'x-nonce'

/**
 * Set by the lane in front of Next: the address by which quotas count the caller. Whatever a client sends under this name
 * is overwritten.
 */
export const ADDRESS_HEADER = 'x-countersign-address'

/** Marks background requests of the portal's pages; they do not count as use of the session. */
export const PASSIVE_HEADER = 'x-portal-passive'

/** Set by the portal's pages: whose page it is. The session of another person, who signed in meanwhile, does not count for it. */
export const PERSON_HEADER = 'x-portal-person'

/** Where the portal's procedures answer. */
export const PORTAL_ENDPOINT = '/api/trpc'
