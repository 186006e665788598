import type { Page } from '@playwright/test'

export const SCRIPTS = '**/_next/static/**/*.js'

/** Has the server know only the scripts that the page itself names, as after an update. */
export async function loseLaterScripts(page: Page, address: string): Promise<void> {
  const html = await (await page.request.get(address)).text()
  await page.route(SCRIPTS, async (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
    if (html.includes(name)) await route.continue()
    else await route.fulfill({ status: 404, body: 'Not found' })
  })
}
