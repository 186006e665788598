import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Runs a function outside the request that it is called in. A timer that is started in a request keeps all of it in memory
 * until it ends, its session cookie too.
 */
export const outsideRequests = AsyncLocalStorage.snapshot()
