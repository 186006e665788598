import type { Page } from '@playwright/test'
import { formatTime } from '@/components/lib/time'
import { Agent, must, newPrincipal, Person, type Target } from '@/test/support/actors'
import { expect, test } from '../support/fixtures'
import { visit, WALLET_PAGES } from '../support/portal'
import { signIn } from '../support/sign-in'

/** It stands outside the wallet's shell, and so has no stream. */
const ERASE = '/settings/privacy/erase'
const PATIENCE_MS = 240_000
/** The same code runs on every screen. */
const once = { tag: ['@phone', '@long'] }

const WALLET = {
  card: 'success',
  approval_rule: 'above_limits',
  limits: { currency: 'EUR', single_txn_cap_minor: 3_000 },
} as const

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

async function pagesOf(target: Target, principalId: string): Promise<string[]> {
  const agent = await Agent.register(target, principalId)
  const { access_token: token, mandate_jwt: mandate } = await agent.buy()
  const settled = must(await agent.settle<{ payment_intent_id: string }>(token, mandate, crypto.randomUUID()), 200)
  must(await agent.push((await agent.purchase({ amount_minor: 3_100 })).form), 201)
  const [asked] = await (await Person.signIn(target, principalId)).pending()
  return [
    ...WALLET_PAGES.filter((path) => path !== ERASE),
    `/approve/${String(asked?.['authorization_id'])}`,
    `/agents/${agent.clientId}`,
    `/payments/${settled.payment_intent_id}`,
  ]
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
    const { principalId, email } = await newPrincipal(target, WALLET)
    await signIn(page, target, email)
    await page.context().addCookies([{ name: 'locale', value: locale, url: target.baseUrl }])
    for (const path of await pagesOf(target, principalId)) {
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
  const { principalId, email } = await newPrincipal(target, WALLET)
  await signIn(page, target, email)
  await watchRemovals(page)
  for (const path of await pagesOf(target, principalId)) {
    await page.goto(path, { waitUntil: 'networkidle' })
    expect(await removedTexts(page), path).toEqual([])
  }
})

test('the server writes times by the reader’s clock from the second visit on', once, async ({ page, target }) => {
  const { principalId, email } = await newPrincipal(target, WALLET)
  const agent = await Agent.register(target, principalId)
  const { access_token: token, mandate_jwt: mandate } = await agent.buy()
  must(await agent.settle(token, mandate, crypto.randomUUID()), 200)
  await page.goto('/sign-in', { waitUntil: 'networkidle' })
  await signIn(page, target, email)
  await visit(page, '/payments')
  const time = page.getByRole('main').getByRole('time').first()
  const at = String(await time.getAttribute('datetime'))
  const [local, utc] = [ZONE, 'UTC'].map((timeZone) => formatTime(at, { style: 'moment', locale: 'en', timeZone }))
  await expect(time).toHaveText(String(local))
  expect(await (await page.request.get('/payments')).text()).toContain(`>${local}</time>`)
  await page.context().addCookies([{ name: 'time-zone', value: 'Europe/Nowhere', url: target.baseUrl }])
  expect(await (await page.request.get('/payments')).text()).toContain(`>${utc}</time>`)
})
