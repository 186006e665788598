import type { Page, Route } from '@playwright/test'

/** Returns a pattern for the addresses of calls to one of the portal's procedures. */
const address = (procedure: string) => new RegExp(`/api/trpc/[^?]*${procedure.replace('.', String.raw`\.`)}\\b`)

/** Holds the page's calls to the procedure until they are released; `count` returns how many there were. */
export async function holdCalls(page: Page, procedure: string) {
  const held: Route[] = []
  let isHeld = true
  let count = 0
  await page.route(address(procedure), async (route) => {
    count += 1
    if (isHeld) held.push(route)
    else await route.continue()
  })
  return {
    count: () => count,
    letGo: async () => {
      isHeld = false
      for (const route of held) await route.continue()
    },
  }
}

/** Makes the page's next call to the procedure fail on its way. */
export async function loseNextCall(page: Page, procedure: string): Promise<void> {
  await page.route(address(procedure), (route) => route.abort('connectionfailed'), { times: 1 })
}

/** Makes the server require another sign-in before the person can confirm. */
export async function demandSignIn(page: Page): Promise<void> {
  await page.route(address('security.stepUpOptions'), (route) =>
    route.fulfill({ json: [{ result: { data: { way: 'sign_in' } } }] }),
  )
}
