import { READY_WITHIN_MS, withPortalServer } from '@/scripts/portal/server'
import type { Target } from '@/test/support/actors'
import { test as base } from './fixtures'

/** For what would disturb other tests: each worker has a server that nobody else uses. */
export const test = base.extend<object, { ownServer: Target }>({
  ownServer: [async ({}, use) => withPortalServer({}, use), { scope: 'worker', timeout: READY_WITHIN_MS * 2 }],
  target: async ({ ownServer }, use) => use(ownServer),
  baseURL: async ({ ownServer }, use) => use(ownServer.baseUrl),
})

export { expect } from '@playwright/test'
