import type { Page, Route } from '@playwright/test'

/** What the page sends to one of the portal's procedures. */
const address = (procedure: string) => new RegExp(`/api/trpc/[^?]*${procedure.replace('.', String.raw`\.`)}\\b`)

/** Holds what the page sends to the procedure until it is let go; `count` says how much came. */
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

/** Has the next thing that the page sends to the procedure get lost on its way. */
export async function loseNextCall(page: Page, procedure: string): Promise<void> {
  await page.route(address(procedure), (route) => route.abort('connectionfailed'), { times: 1 })
}

/** Has the server ask for another sign-in before it lets the person confirm. */
export async function demandSignIn(page: Page): Promise<void> {
  await page.route(address('security.stepUpOptions'), (route) =>
    route.fulfill({ json: [{ result: { data: { way: 'sign_in' } } }] }),
  )
}
