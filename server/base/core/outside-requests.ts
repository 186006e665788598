import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Runs a function outside the context of the current request. A timer that is started in that context keeps the whole
 * request, with its session cookie, in memory until the timer ends.
 */
export const outsideRequests = AsyncLocalStorage.snapshot()
