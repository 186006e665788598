import { expect } from '@playwright/test'
import { type Federation, startFederation } from '@/test/federation/entities'
import { operate } from '@/test/support/actors'
import { test as base } from './own-server'

/** The time within which an enrolled entity is checked; the server checks every half minute. */
export const CHECKED_WITHIN_MS = 45_000

/** A test with a server that is the trust anchor of a federation on this machine. */
export const test = base.extend<{ federation: Federation }>({
  federation: async ({ target }, use) => {
    expect((await operate(target, 'PUT', '/switches/federation', { enabled: true })).status).toBe(200)
    const federation = await startFederation(target)
    await use(federation)
    await federation.close()
  },
})

export { expect }
