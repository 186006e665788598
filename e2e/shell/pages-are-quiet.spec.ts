import type { Page } from '@playwright/test'
import { Agent, must, newPrincipal, Person, type Target } from '@/test/support/actors'
import { expect, test } from '../support/fixtures'
import { visit, WALLET_PAGES } from '../support/portal'
import { signIn } from '../support/sign-in'

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
test.use({ timezoneId: 'Asia/Kolkata' })

for (const locale of ['en', 'de']) {
  test(`no page logs an error or warning in the browser (${locale})`, once, async ({ page, target }) => {
    test.setTimeout(PATIENCE_MS)
    const complaints = listen(page)
    await page.context().addCookies([{ name: 'locale', value: locale, url: target.baseUrl }])
    await page.goto('/sign-in')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.context().clearCookies({ name: 'locale' })
    const { principalId, email } = await newPrincipal(target, {
      card: 'success',
      approval_rule: 'above_limits',
      limits: { currency: 'EUR', single_txn_cap_minor: 3_000 },
    })
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
