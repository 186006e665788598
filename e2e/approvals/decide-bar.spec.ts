import type { Locator, Page } from '@playwright/test'
import { decisionText } from '@/components/approvals/decision-messages'
import { consentText } from '@/components/approvals/messages'
import { merchantsText } from '@/components/merchants/messages'
import { Agent, must, Person, type Target } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { pageHeight } from '../support/browser-measures'
import { expect, type TestPerson, test } from '../support/fixtures'
import { approveButton, decideBar, declineButton, outcome, shown, tabTo } from '../support/portal'

const SIZES = [
  { name: 'a phone', width: 360, height: 740 },
  { name: 'a desktop', width: 1280, height: 800 },
] as const
const BAR_MAX_PX = 112
const BUTTON_MIN_PX = 48
const GAP_MIN_PX = 8
const LINE_PX = 20
const PAGE_MAX_PX = 1_300
const PRICE = '€25.50'
const limits = { currency: 'EUR', daily_cap_minor: 2_000, single_txn_cap_minor: 1_000 }

test.use({ personOptions: { card: 'success', approval_rule: 'every_purchase', limits } })

/** Has an agent ask for a purchase over two limits, and opens its page. */
async function openRequest(page: Page, target: Target, person: TestPerson, purpose?: string): Promise<Agent> {
  const agent = await Agent.register(target, person.principalId, { client_name: 'Claude Code', purpose })
  must(await agent.push((await agent.purchase({ amount_minor: 2_550 })).form), 201)
  const [pending] = await (await Person.signIn(target, person.principalId)).pending()
  await page.goto(`/approve/${String(pending?.['authorization_id'])}`)
  await expect(approveButton(page, PRICE)).toBeEnabled()
  return agent
}

async function box(locator: Locator) {
  const found = await locator.boundingBox()
  if (found === null) throw new Error(`${String(locator)} is not there`)
  return { ...found, right: found.x + found.width, bottom: found.y + found.height }
}

for (const { name, ...size } of SIZES) {
  test(`on ${name} all that decides is in sight without scrolling`, { tag: '@phone' }, async ({
    page,
    target,
    person,
  }) => {
    await page.setViewportSize(size)
    await openRequest(page, target, person)
    const bar = decideBar(page)
    const title = page.getByRole('heading', { level: 2, name: consentText.exceeded.heading(2) })
    const since = page.getByRole('main').getByText(consentText.connected)
    await expect(since.getByRole('time')).toHaveAttribute('datetime', /^\d{4}-\d\d-\d\dT/)
    const facts = [
      page.getByRole('heading', { level: 1, name: PRICE }),
      shown(page, 'Tallow Books', { exact: true }),
      page.getByRole('link', { name: 'Claude Code' }),
      since,
      title,
      shown(page, decisionText.matchHint),
    ]
    for (const fact of facts) await expect(fact).toBeInViewport({ ratio: 1 })
    const edge = (await box(shown(page, decisionText.matchHint))).y
    for (const fact of facts.slice(0, -1)) expect((await box(fact)).bottom).toBeLessThanOrEqual(edge)
    await expect(bar).toContainText(/Match code\s*\d\d\s*Time left\s*1[45] min left/)
    await expect(bar).toBeInViewport({ ratio: 1 })
    expect((await box(bar)).height).toBeLessThanOrEqual(BAR_MAX_PX)
    expect(Math.round((await box(bar)).bottom)).toBe(size.height)

    const [decline, approve] = [await box(declineButton(page)), await box(approveButton(page, PRICE))]
    expect([approve.width, approve.height, approve.y]).toEqual([decline.width, decline.height, decline.y])
    expect(approve.height).toBeGreaterThanOrEqual(BUTTON_MIN_PX)
    expect(approve.x - decline.right).toBeGreaterThanOrEqual(GAP_MIN_PX)
    await expectNoViolations(page, `the bar on ${name}`)
  })

  test(`on ${name} nothing that has the focus is covered, and Tab and Enter approve`, { tag: '@phone' }, async ({
    page,
    target,
    person,
  }) => {
    await page.setViewportSize(size)
    await openRequest(page, target, person)
    const edge = (await box(shown(page, decisionText.matchHint))).y
    const header = await box(page.getByRole('banner'))
    const main = page.getByRole('main')
    await page.getByRole('button', { name: decisionText.unexpected }).click()
    await page.getByRole('link', { name: consentText.back }).focus()
    for (let presses = 0; presses < 20; presses += 1) {
      await page.keyboard.press('Tab')
      const focused = main.locator(':focus')
      if ((await focused.count()) === 0 || (await decideBar(page).locator(':focus').count()) > 0) break
      const { y, bottom } = await box(focused)
      expect(y).toBeGreaterThanOrEqual(header.bottom)
      expect(bottom).toBeLessThanOrEqual(edge)
    }
    await expect(declineButton(page)).toBeFocused()
    await tabTo(page, approveButton(page, PRICE))
    await page.keyboard.press('Enter')
    await expect(outcome(page, consentText.approved.waiting)).toBeFocused()
  })
}

test('what helps against an unexpected request opens above the bar', { tag: '@phone' }, async ({
  page,
  target,
  person,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await openRequest(page, target, person)
  const opener = page.getByRole('button', { name: decisionText.unexpected })
  await opener.scrollIntoViewIfNeeded()
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await opener.click()
  const { pause, revoke } = decisionText.precautions
  const hint = shown(page, decisionText.matchHint)
  for (const name of [pause, merchantsText.block.button, revoke]) {
    const button = page.getByRole('button', { name })
    await expect(async () => expect((await box(button)).bottom).toBeLessThanOrEqual((await box(hint)).y)).toPass()
    await expect(button).toBeInViewport({ ratio: 1 })
  }
  await expect(opener).toBeFocused()
})

test('the bar stands at the end of a page that is narrow, or whose text is large', { tag: '@phone' }, async ({
  page,
  target,
  person,
}) => {
  await page.setViewportSize({ width: 320, height: 740 })
  await openRequest(page, target, person)
  await expect(approveButton(page, PRICE)).not.toBeInViewport()
  await decideBar(page).scrollIntoViewIfNeeded()
  // The page may end at a fraction of a pixel.
  await expect(decideBar(page)).toBeInViewport({ ratio: 0.99 })

  await page.setViewportSize({ width: 360, height: 740 })
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
    window.scrollTo(0, 0)
  })
  await expect(approveButton(page, PRICE)).not.toBeInViewport()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})

test.describe('after another agent paid at the same shop', () => {
  test.use({ personOptions: { card: 'success', approval_rule: 'above_limits', limits } })

  test('the page of a purchase over two limits is no higher than 1,300 pixels', { tag: '@phone' }, async ({
    page,
    target,
    person,
  }) => {
    const before = await Agent.register(target, person.principalId, { client_name: 'Research helper' })
    const { access_token: token, mandate_jwt: mandate } = await before.buy({ amount_minor: 500 })
    must(await before.settle(token, mandate, crypto.randomUUID()), 200)
    await page.setViewportSize({ width: 360, height: 740 })
    await openRequest(page, target, person, 'Buys books and paper for the office')
    await expect(page.getByRole('heading', { name: consentText.lastTime.title })).toBeVisible()
    for (const line of await page.getByRole('listitem').filter({ hasText: 'limit €' }).all()) {
      expect((await box(line)).height).toBeLessThan(2 * LINE_PX)
    }
    await expect(page.getByRole('button', { name: decisionText.unexpected })).toBeVisible()
    expect(await pageHeight(page)).toBeLessThanOrEqual(PAGE_MAX_PX)
  })
})

test('a second window shows within two seconds what was decided, paused and frozen', async ({
  page,
  target,
  person,
}) => {
  const soon = { timeout: 2_000 }
  const agent = await openRequest(page, target, person)
  const second = await page.context().newPage()
  await second.goto(page.url())
  await expect(approveButton(second, PRICE)).toBeEnabled()
  await declineButton(page).click()
  await expect(outcome(page, consentText.declined.heading)).toBeVisible()
  await expect(approveButton(second, PRICE)).toBeHidden(soon)

  await second.goto(`/agents/${agent.clientId}`)
  await expect(second.getByRole('button', { name: 'Pause', exact: true })).toBeEnabled()
  await page.getByRole('button', { name: decisionText.precautions.pause }).click()
  await expect(second.getByRole('button', { name: 'Resume' })).toBeVisible(soon)

  await page.getByRole('button', { name: 'Freeze spending' }).click()
  await expect(second.getByText('Spending is frozen', { exact: true })).toBeVisible(soon)
})
