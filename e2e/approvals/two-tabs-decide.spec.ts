import type { Page } from '@playwright/test'
import { consentText } from '@/components/approvals/messages'
import { nextTimeText } from '@/components/approvals/next-time-messages'
import { limitsText } from '@/components/limits/messages'
import { relaxText } from '@/components/security/relax-messages'
import { expect, test } from '../support/fixtures'
import { approveButton, declineButton, outcome, shown } from '../support/portal'
import { orderBook } from '../support/shop'
import { readQuestion, type ToolAgent } from '../support/tool-agent'

const PRICE = '€12.00'
const ALREADY_APPROVED = new RegExp(`^${consentText.already.approved} \\d\\d:\\d\\d$`)

const ALREADY_DECLINED_THEN = new RegExp(`^${consentText.already.declined} \\d+ \\w+ \\d{4}, \\d\\d:\\d\\d$`)
const NEXT_TIME = `${nextTimeText.title}: ${nextTimeText.askAbove('€24.00')}`
const { rule } = limitsText

/** A request that waits while nobody is at it. */
async function waitingRequest(agent: ToolAgent): Promise<string> {
  const { text } = await agent.pay({ ...(await orderBook(agent)), consent_poll_timeout_seconds: 1 })
  return readQuestion(text)?.url ?? ''
}

test('a second tab shows by itself that the first has approved', { tag: '@phone' }, async ({ page, agent }) => {
  const url = await waitingRequest(agent)
  const second = await page.context().newPage()
  await Promise.all([page.goto(url), second.goto(url)])
  await expect(approveButton(second, PRICE)).toBeVisible()
  await approveButton(page, PRICE).click()
  await expect(outcome(page, consentText.approved.heading)).toBeVisible()
  await expect(outcome(second, ALREADY_APPROVED)).toBeVisible()
  await expect(approveButton(second, PRICE)).toBeHidden()
  await expect(declineButton(second)).toBeHidden()
})

test('a second tab that missed the decision cannot decide otherwise', { tag: '@phone' }, async ({ page, agent }) => {
  const url = await waitingRequest(agent)
  const second = await page.context().newPage()
  await hearNothing(second)
  await Promise.all([page.goto(url), second.goto(url)])
  await approveButton(page, PRICE).click()
  await expect(outcome(page, consentText.approved.heading)).toBeVisible()

  await declineButton(second).click()
  await expect(second.getByRole('alert')).toBeVisible()
  await second.unrouteAll()
  await expect(outcome(second, ALREADY_APPROVED)).toBeVisible()
  await page.reload()
  await expect(outcome(page, ALREADY_APPROVED)).toBeVisible()
})

test('what was decided on another day says on which', { tag: ['@phone', '@long'] }, async ({ page, agent }) => {
  await page.goto(await waitingRequest(agent))
  await declineButton(page).click()
  await expect(outcome(page, consentText.declined.heading)).toBeVisible()
  await page.clock.setFixedTime(Date.now() + 8 * 24 * 60 * 60_000)
  await page.reload()
  await expect(outcome(page, ALREADY_DECLINED_THEN)).toBeVisible()
})

test.describe('a person who is asked about everything', () => {
  test.use({ personOptions: { card: 'success', approval_rule: 'every_purchase' } })

  test('a rule that is changed in a second tab leaves the request to be approved', {
    tag: ['@phone', '@long'],
  }, async ({ page, agent }) => {
    await page.goto(await waitingRequest(agent))
    await expect(approveButton(page, PRICE)).toBeEnabled()
    await expect(shown(page, NEXT_TIME)).toBeHidden()
    const second = await page.context().newPage()
    await second.goto('/limits')
    await second.getByRole('radio', { name: rule.new_merchants.label, exact: true }).click()
    await second
      .getByRole('alertdialog', { name: rule.less.title })
      .getByRole('button', { name: relaxText.confirm })
      .click()
    await expect(shown(page, NEXT_TIME)).toBeVisible()
    await approveButton(page, PRICE).click()
    await expect(outcome(page, consentText.approved.heading)).toBeVisible()
  })
})

/** Cuts the page off from news, so that it shows what it was loaded with. */
async function hearNothing(page: Page): Promise<void> {
  await page.route('**/api/trpc/**', (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()))
}
