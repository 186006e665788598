import { test as base } from '@playwright/test'
import { type BusyWallet, withBusyServer } from '@/bench/support/busy-wallet'
import { type PortalServer, READY_WITHIN_MS } from '@/scripts/portal/server'
import { openDemoSession } from '@/scripts/portal/session'

interface BusyServer {
  readonly server: PortalServer
  readonly wallet: BusyWallet
}

/**
 * A test with a server of its worker, whose built-in person has 500 payments, 40 agents and eight approvals, and is
 * signed in.
 */
export const test = base.extend<object, { busy: BusyServer }>({
  busy: [
    async ({}, use) => withBusyServer((server, wallet) => use({ server, wallet })),
    { scope: 'worker', timeout: READY_WITHIN_MS * 3 },
  ],
  baseURL: async ({ busy }, use) => use(busy.server.baseUrl),
  page: async ({ page, busy }, use) => {
    const session = await openDemoSession(busy.server.baseUrl)
    await page.context().addCookies([{ ...session, url: busy.server.baseUrl }])
    await use(page)
  },
})

export { expect } from '@playwright/test'
