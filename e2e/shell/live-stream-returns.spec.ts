import type { Page } from '@playwright/test'
import { staleText } from '@/components/layout/stale-messages'
import { Agent } from '@/test/support/actors'
import { expect, test } from '../support/fixtures'
import { countLoads, reviewLink, shown } from '../support/portal'

const EVERYTHING_LIVE = '**/api/trpc/**'
/** The page says that it may be out of date once nothing was heard for 15 s, and asks for the stream again every 30 s. */
const STALE_MS = 25_000
const BACK_MS = 45_000
const PATIENCE_MS = 150_000

test.use({ personOptions: { card: 'success', approval_rule: 'every_purchase' } })

const cutOff = (page: Page) => page.route(EVERYTHING_LIVE, (route) => route.abort())

const streamBegins = (page: Page) =>
  page.waitForResponse((answer) => answer.url().includes('session.changes') && answer.ok(), { timeout: BACK_MS })

const ways = [
  {
    name: 'a page that never gets its stream says so, and shows what came meanwhile once it is back',
    lose: async (page: Page) => {
      await cutOff(page)
      await page.reload()
    },
    streamReturns: true,
  },
  {
    name: 'a page whose stream is up but that cannot read says so too, and reads again once it can',
    lose: cutOff,
    streamReturns: false,
  },
]

for (const { name, lose, streamReturns } of ways) {
  test(name, { tag: ['@long', '@phone'] }, async ({ page, target, person }) => {
    test.setTimeout(PATIENCE_MS)
    const agent = await Agent.register(target, person.principalId)
    const ask = async (amount: number) => {
      const { form } = await agent.purchase({ amount_minor: amount })
      expect((await agent.push(form)).status).toBe(201)
    }
    await page.goto('/')
    await ask(1_200)
    await expect(reviewLink(page, '€12.00')).toBeVisible()
    await expect(page).toHaveTitle(/^\(1\) /)

    await lose(page)
    const loads = countLoads(page)
    await expect(reviewLink(page, '€12.00')).toBeVisible()
    await ask(1_300)
    await expect(shown(page, staleText.stale)).toBeVisible({ timeout: STALE_MS })
    await expect(reviewLink(page, '€13.00')).toBeHidden()

    const stream = streamReturns ? streamBegins(page) : null
    await page.unroute(EVERYTHING_LIVE)
    await expect(reviewLink(page, '€13.00')).toBeVisible({ timeout: BACK_MS })
    await expect(shown(page, staleText.stale)).toBeHidden()
    await expect(page).toHaveTitle(/^\(2\) /)
    await stream
    await ask(1_400)
    await expect(reviewLink(page, '€14.00')).toBeVisible()
    expect(loads()).toBe(0)
  })
}
