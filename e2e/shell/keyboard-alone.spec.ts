import type { Page } from '@playwright/test'
import { agentsText } from '@/components/agents/messages'
import { consentText } from '@/components/approvals/messages'
import { frozenText } from '@/components/layout/frozen-messages'
import { layoutText } from '@/components/layout/messages'
import { Agent } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { approveButton, outcome, reviewLink, tabTo } from '../support/portal'
import { orderBook } from '../support/shop'

const PRICE = '€12.00'

test('a purchase is approved with Tab and Enter alone', async ({ page, agent }) => {
  await page.goto('/')
  const { result } = agent.startPaying(await orderBook(agent))
  await expect(reviewLink(page, PRICE)).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: layoutText.skip })).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, reviewLink(page, PRICE))
  await page.keyboard.press('Enter')
  await tabTo(page, approveButton(page, PRICE))
  await expect(approveButton(page, PRICE)).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Enter')
  await expect(outcome(page, consentText.paid.heading)).toBeVisible()
  expect((await result).data).toMatchObject({ status: 'paid' })
  await expect(outcome(page, consentText.paid.heading)).toBeFocused()
  const receipt = page.getByRole('link', { name: consentText.paid.receipt })
  await tabTo(page, receipt)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/payments\//)
})

test('all that one agent asks is declined with the keyboard alone', async ({ page, target, person }) => {
  const agent = await Agent.register(target, person.principalId, { client_name: 'Cook' })
  for (const amount of [4100, 4200, 4300]) {
    expect((await agent.push((await agent.purchase({ amount_minor: amount })).form)).status).toBe(201)
  }
  const { order, declineAll } = consentText.list
  await page.goto('/approvals')
  await tabTo(page, page.getByRole('radio', { name: order.time }))
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL('/approvals?by=agent')
  await tabTo(page, page.getByRole('button', { name: declineAll.name(3, 'Cook') }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('alertdialog', { name: declineAll.question(3) })
  await expect(dialog.getByRole('button', { name: declineAll.keep(3) })).toBeFocused()
  await tabTo(page, dialog.getByRole('button', { name: declineAll.confirm(3) }))
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('heading', { level: 2, name: 'Cook' })).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('spending is frozen and unfrozen with the keyboard alone', async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await page.goto('/')
  await tabTo(page, page.getByRole('button', { name: layoutText.freeze }))
  await page.keyboard.press('Enter')
  const unfreeze = page.getByRole('status').getByRole('button', { name: frozenText.unfreeze })
  await expect(unfreeze).toBeFocused()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('alertdialog', { name: frozenText.question })
  await expect(dialog.getByRole('button', { name: frozenText.keep })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(unfreeze).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: frozenText.keep })).toBeFocused()
  await tabTo(page, dialog.getByRole('button', { name: frozenText.unfreeze }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: layoutText.freeze })).toBeFocused()
})

test('a focus that strays below an open dialog does not stay there afterwards', async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await page.goto('/')
  await page.getByRole('button', { name: layoutText.freeze }).press('Enter')
  await page.getByRole('status').getByRole('button', { name: frozenText.unfreeze }).press('Enter')
  const dialog = page.getByRole('alertdialog', { name: frozenText.question })
  await expect(dialog.getByRole('button', { name: frozenText.keep })).toBeFocused()
  await page.locator('main a:visible').first().focus()
  await dialog.getByRole('button', { name: frozenText.unfreeze }).press('Enter')
  await expect(page.getByRole('button', { name: layoutText.freeze })).toBeFocused()
})

test('a freeze in another tab leaves the focus with who types', async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await page.goto('/agents/new')
  const freeze = (tab: Page) => tab.getByRole('button', { name: layoutText.freeze })
  const unfreeze = (tab: Page) => tab.getByRole('status').getByRole('button', { name: frozenText.unfreeze })
  const lift = async (tab: Page) => {
    await unfreeze(tab).press('Enter')
    const dialog = tab.getByRole('alertdialog', { name: frozenText.question })
    await dialog.getByRole('button', { name: frozenText.unfreeze }).press('Enter')
  }
  await freeze(page).press('Enter')
  await expect(unfreeze(page)).toBeFocused()
  await lift(page)
  await expect(freeze(page)).toBeFocused()
  const name = page.getByLabel(agentsText.new.name, { exact: true })
  await name.fill('Cook')
  const elsewhere = await page.context().newPage()
  await elsewhere.goto('/')
  await freeze(elsewhere).click()
  await expect(unfreeze(page)).toBeVisible()
  await expect(name).toBeFocused()
})

test('an agent is paused and resumed with the keyboard alone', async ({ page, target, person }) => {
  const { pause } = agentsText
  const agent = await Agent.register(target, person.principalId)
  await page.goto(`/agents/${agent.clientId}`)
  await tabTo(page, page.getByRole('button', { name: pause.button, exact: true }))
  await page.keyboard.press('Enter')
  const resume = page.getByRole('button', { name: pause.resume, exact: true })
  await expect(resume).toBeFocused()
  await expectNoViolations(page, 'a paused agent')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByRole('button', { name: pause.keep })).toBeFocused()
  await tabTo(page, dialog.getByRole('button', { name: pause.resume }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: pause.button, exact: true })).toBeVisible()
})
