import type { Page } from '@playwright/test'
import { consentText } from '@/components/approvals/messages'
import { homeText } from '@/components/home/messages'
import { layoutText } from '@/components/layout/messages'
import { uiText } from '@/components/ui/messages'
import { Agent } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { reviewLink, shown } from '../support/portal'

const { list } = consentText
const ROW_MAX_PX = 72
const LIST_MAX_PX = 2_600

/** Has an agent ask for purchases of these amounts, in minor units. */
async function ask(agent: Agent, amounts: readonly number[]): Promise<void> {
  for (const amount of amounts) {
    const { form } = await agent.purchase({ amount_minor: amount })
    expect((await agent.push(form)).status).toBe(201)
  }
}

const rows = (page: Page) => page.getByRole('list', { name: list.waiting }).getByRole('listitem')

test.describe('seven requests of three agents', () => {
  test.beforeEach(async ({ target, person }) => {
    const reader = await Agent.register(target, person.principalId, { client_name: 'Reader' })
    const cook = await Agent.register(target, person.principalId, { client_name: 'Cook' })
    const gardener = await Agent.register(target, person.principalId, { client_name: 'Gardener' })
    await ask(reader, [3100, 3200, 3300])
    await ask(cook, [4100, 4200, 4300])
    await ask(gardener, [5100])
  })

  test('the three most urgent stand on the home page, and the way to all of them', async ({ page }) => {
    await page.goto('/')
    await expect(rows(page)).toHaveCount(3)
    await expect(rows(page).first()).toContainText('€31.00')
    await page.getByRole('link', { name: homeText.allWaiting(7) }).click()
    await expect(rows(page)).toHaveCount(7)
    await expectNoViolations(page, 'seven waiting')
    for (const row of await rows(page).all()) expect((await row.boundingBox())?.height).toBeLessThanOrEqual(ROW_MAX_PX)
  })

  test('a request is found by its amount, its agent and its shop', async ({ page }) => {
    await page.goto('/approvals')
    const search = page.getByRole('searchbox', { name: list.search })
    await search.fill('42.0')
    await expect(rows(page)).toHaveCount(1)
    await expect(reviewLink(page, '€42.00')).toBeVisible()
    await search.fill('reader tallow')
    await expect(rows(page)).toHaveCount(3)
    await search.fill('nothing like that')
    await expect(shown(page, list.nothingFound)).toBeVisible()
  })

  test('the name of the tab has its count as a word of its own', async ({ page }) => {
    await page.goto('/approvals')
    const waiting = page.getByRole('tab', { name: `${list.waiting} 7`, exact: true })
    await expect(waiting).toHaveAttribute('aria-selected', 'true')
  })

  test('the back button leads back through tab and order', async ({ page }) => {
    await page.goto('/approvals')
    await page.getByRole('radio', { name: list.order.agent }).click({ force: true })
    await expect(page).toHaveURL('/approvals?by=agent')
    await page.getByRole('tab', { name: list.decided }).click()
    await expect(page).toHaveURL('/approvals?by=agent&tab=decided')
    await page.goBack()
    await expect(page).toHaveURL('/approvals?by=agent')
    await expect(page.getByRole('tab', { name: list.waiting })).toHaveAttribute('aria-selected', 'true')
    await page.goBack()
    await expect(page).toHaveURL('/approvals')
    await expect(page.getByRole('radio', { name: list.order.time })).toBeChecked()
  })

  test('what was searched for is part of the address, and is there on the way back', async ({ page }) => {
    await page.goto('/approvals')
    const search = page.getByRole('searchbox', { name: list.search })
    await search.fill('reader tallow')
    await expect(page).toHaveURL('/approvals?q=reader+tallow')
    await reviewLink(page, '€32.00').click()
    await expect(page).toHaveURL(/\/approve\//)
    await page.goBack()
    await expect(search).toHaveValue('reader tallow')
    await expect(rows(page)).toHaveCount(3)
    await page.reload()
    await expect(search).toHaveValue('reader tallow')
    await expect(rows(page)).toHaveCount(3)
  })

  test('all that one agent asks is declined with one question', async ({ page }) => {
    await page.goto('/approvals')
    // The order follows the address, which changes a moment after the press.
    await page.getByRole('radio', { name: list.order.agent }).click({ force: true })
    await expect(page).toHaveURL('/approvals?by=agent')
    await expectNoViolations(page, 'seven waiting, by agent')
    // No line of a heading begins with the dot.
    await expect(page.getByRole('heading', { level: 2, name: 'Cook' })).toContainText(/Cook\u00A0· 3/)
    await page.getByRole('button', { name: list.declineAll.name(3, 'Cook') }).click()
    const dialog = page.getByRole('alertdialog', { name: list.declineAll.question(3) })
    for (const amount of ['€41.00', '€42.00', '€43.00']) await expect(dialog).toContainText(amount)
    await dialog.getByRole('button', { name: list.declineAll.confirm(3) }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('heading', { level: 2, name: 'Cook' })).toBeHidden()
    await expect(page.getByRole('heading', { level: 2, name: 'Reader' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('heading', { level: 2 })).toHaveCount(2)
    await page.goto('/approvals?tab=decided')
    await expect(page.getByRole('link').filter({ hasText: '€42.00' })).toContainText(consentText.decided.declined)
  })
})

test.describe('a request of an agent, and a payment of it that waits for the bank', () => {
  test.use({
    personOptions: {
      card: 'authentication_required',
      approval_rule: 'above_limits',
      limits: { currency: 'EUR', single_txn_cap_minor: 2000 },
    },
  })

  test('stand under one heading', async ({ page, target, person }) => {
    const agent = await Agent.register(target, person.principalId, { client_name: 'Reader' })
    const { access_token: token, mandate_jwt: mandate } = await agent.buy()
    const { json } = await agent.settle(token, mandate, crypto.randomUUID())
    expect(json['error']).toBe('step_up_required')
    await ask(agent, [3100])
    await page.goto('/approvals?by=agent')
    await expect(rows(page)).toHaveCount(2)
    await expect(page.getByRole('heading', { level: 2, name: 'Reader' })).toHaveCount(1)
  })
})

test('the badge of the navigation is on one line, also where the screen is narrow or the text large', {
  tag: '@phone',
}, async ({ page, target, person }) => {
  const agents = await Promise.all(Array.from({ length: 4 }, () => Agent.register(target, person.principalId)))
  for (const agent of agents) await ask(agent, [1100, 1200, 1300])
  await page.setViewportSize({ width: 320, height: 700 })
  await page.goto('/')
  const badge = page.getByRole('navigation').getByText('12', { exact: true })
  const lines = () =>
    badge.evaluate((digits) => {
      const range = document.createRange()
      range.selectNodeContents(digits)
      return range.getClientRects().length
    })
  await expect(badge).toBeVisible()
  expect(await lines()).toBe(1)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.addStyleTag({ content: ':root { font-size: 200% }' })
  expect(await lines()).toBe(1)
})

test('thirty requests fit on 2,600 px of a phone, and what was decided is listed page by page', {
  tag: ['@phone', '@long'],
}, async ({ page, target, person }) => {
  const agents = await Promise.all(Array.from({ length: 10 }, () => Agent.register(target, person.principalId)))
  for (const agent of agents) await ask(agent, [1100, 1200, 1300])
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/approvals')
  await expect(rows(page)).toHaveCount(30)
  for (const row of await rows(page).all()) expect((await row.boundingBox())?.height).toBeLessThanOrEqual(ROW_MAX_PX)
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(LIST_MAX_PX)

  await page.getByRole('button', { name: layoutText.freeze }).click()
  await expect(rows(page)).toHaveCount(0)
  await page.goto('/approvals?tab=decided')
  const decided = page.getByRole('list', { name: list.decided }).getByRole('listitem')
  await expect(decided).toHaveCount(25)
  await expect(decided.first()).toContainText(consentText.withdrawn.why.frozen)
  await page.getByRole('link', { name: list.older }).click()
  await expect(page).toHaveURL('/approvals?tab=decided&page=2')
  await expect(decided).toHaveCount(5)
  await page.getByRole('link', { name: list.newer }).click()
  await expect(decided).toHaveCount(25)

  await page.goto('/approvals?tab=decided&page=1000')
  await expect(shown(page, list.emptyPage.title)).toBeVisible()
  await expect(shown(page, uiText.unreadLink.title)).toBeHidden()
  await page.getByRole('link', { name: list.emptyPage.first }).click()
  await expect(decided).toHaveCount(25)
  for (const unreadable of ['abc', '0', '1001']) {
    await page.goto(`/approvals?tab=decided&page=${unreadable}`)
    await expect(shown(page, uiText.unreadLink.title)).toBeVisible()
  }
})

const HOST = 'a-quite-long-label.tallow-books.payments-secure.example'

for (const width of [360, 1280]) {
  test(`a shop that nobody has verified is marked at ${width} px, with the end of its host in sight`, {
    tag: '@phone',
  }, async ({ page, target, person }) => {
    await page.setViewportSize({ width, height: 740 })
    const agent = await Agent.register(target, person.principalId, { client_name: 'A reader with a long name …aB3-' })
    const { form } = await agent.purchase({
      amount_minor: 3_100,
      merchant: `https://${HOST}/tallow.example`,
    })
    expect((await agent.push(form)).status).toBe(201)
    await ask(agent, [1_100])
    for (const address of ['/', '/approvals']) {
      await page.goto(address)
      const link = reviewLink(page, '€31.00', HOST)
      await expect(link).toHaveAccessibleDescription(consentText.unverified)
      await expect(link.getByText(consentText.unverified)).toBeInViewport({ ratio: 1 })
      // Where it does not fit, its start is outside of the box that hides it.
      const end = await link.getByText(/payments-secure/).boundingBox()
      const box = await link.boundingBox()
      expect((end?.x ?? 0) + (end?.width ?? 0)).toBeLessThan((box?.x ?? 0) + (box?.width ?? 0))
      await expect(reviewLink(page, '€11.00')).not.toContainText(consentText.unverified)
      for (const row of await rows(page).all()) {
        expect((await row.boundingBox())?.height).toBeLessThanOrEqual(ROW_MAX_PX)
      }
    }
  })
}
