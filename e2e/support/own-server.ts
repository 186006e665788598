import { type PortalServer, READY_WITHIN_MS, withPortalServer } from '@/scripts/portal/server'
import { test as base } from './fixtures'

/** A test for flows that would disturb others: each worker has its own server. */
export const test = base.extend<object, { ownServer: PortalServer }>({
  ownServer: [async ({}, use) => withPortalServer({}, use), { scope: 'worker', timeout: READY_WITHIN_MS * 2 }],
  target: async ({ ownServer }, use) => use(ownServer),
  baseURL: async ({ ownServer }, use) => use(ownServer.baseUrl),
})

export { expect } from '@playwright/test'
