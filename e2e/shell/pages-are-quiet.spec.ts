import type { Page } from '@playwright/test'
import { formatTime } from '@/components/lib/time'
import { expect, test } from '../support/fixtures'
import { visit } from '../support/portal'
import { openUsedWallet } from '../support/used-wallet'

/** It stands outside the wallet's shell, and so has no stream. */
const ERASE = '/settings/privacy/erase'
const PATIENCE_MS = 240_000
/** The same code runs on every screen. */
const once = { tag: ['@phone', '@long'] }

/** Collects what the browser complains about: errors of scripts, and what the page's policy refuses. */
function listen(page: Page): string[] {
  const complaints: string[] = []
  const note = (what: string) => complaints.push(`${new URL(page.url()).pathname}: ${what}`)
  page.on('pageerror', (error) => note(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') note(message.text())
  })
  return complaints
}

/** Somewhere the server's own time zone is not, so that times which it wrote are written again. */
const ZONE = 'Asia/Kolkata'
test.use({ timezoneId: ZONE })

for (const locale of ['en', 'de']) {
  test(`no page logs an error or warning in the browser (${locale})`, once, async ({ page, target }) => {
    test.setTimeout(PATIENCE_MS)
    const complaints = listen(page)
    await page.context().addCookies([{ name: 'locale', value: locale, url: target.baseUrl }])
    await page.goto('/sign-in')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.context().clearCookies({ name: 'locale' })
    const paths = await openUsedWallet(page, target)
    await page.context().addCookies([{ name: 'locale', value: locale, url: target.baseUrl }])
    for (const path of paths.filter((one) => one !== ERASE)) {
      // Only a page whose scripts run asks for its stream.
      const running = page.waitForRequest((request) => request.url().includes('session.changes'))
      await visit(page, path)
      await running
      await expect(page.locator('html')).toHaveAttribute('lang', locale)
    }
    await visit(page, ERASE)
    expect(complaints).toEqual([])
  })
}

/** Notes what is taken out of the page for good although people could read it; what only moves, such as streamed parts, stays. */
async function watchRemovals(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const removed: Element[] = []
    Object.assign(window, { removed })
    new MutationObserver((records) => {
      for (const { removedNodes } of records)
        removed.push(...Array.from(removedNodes).filter((node) => node instanceof Element))
    }).observe(document, { subtree: true, childList: true })
  })
}

const removedTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { removed } = window as unknown as { readonly removed: readonly Element[] }
    const gone = removed.filter((element) => !element.isConnected && element.querySelectorAll('*').length > 15)
    return gone.map(({ textContent }) => textContent.trim()).filter((text) => text !== '')
  })

test('no page throws away what the server drew while it comes alive', once, async ({ page, target }) => {
  test.setTimeout(PATIENCE_MS)
  const paths = await openUsedWallet(page, target)
  await watchRemovals(page)
  for (const path of paths) {
    await page.goto(path, { waitUntil: 'networkidle' })
    expect(await removedTexts(page), path).toEqual([])
  }
})

test('the server writes times by the reader’s clock from the second visit on', once, async ({ page, target }) => {
  await page.goto('/sign-in', { waitUntil: 'networkidle' })
  await openUsedWallet(page, target)
  await visit(page, '/payments')
  const time = page.getByRole('main').getByRole('time').first()
  const at = String(await time.getAttribute('datetime'))
  const [local, utc] = [ZONE, 'UTC'].map((timeZone) => formatTime(at, { style: 'moment', locale: 'en', timeZone }))
  await expect(time).toHaveText(String(local))
  expect(await (await page.request.get('/payments')).text()).toContain(`>${local}</time>`)
  await page.context().addCookies([{ name: 'time-zone', value: 'Europe/Nowhere', url: target.baseUrl }])
  expect(await (await page.request.get('/payments')).text()).toContain(`>${utc}</time>`)
})
