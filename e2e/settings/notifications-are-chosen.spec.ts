import type { Page } from '@playwright/test'
import { consentText } from '@/components/approvals/messages'
import { layoutText } from '@/components/layout/messages'
import { notificationsText } from '@/components/notifications/messages'
import { failureText } from '@/components/ui/failure-messages'
import { Agent, type Target } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { openAccount, shown } from '../support/portal'
import { readOutbox } from '../support/sign-in'

const text = notificationsText.notifications

test.use({ personOptions: { card: 'success', approval_rule: 'every_purchase' } })

const field = (page: Page) => page.getByLabel(text.phone, { exact: true })
const channel = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })
const save = (page: Page) => page.getByRole('button', { name: text.save })

/** A number that no other test's person has. */
function newNumber(): string {
  const digits = crypto.getRandomValues(new Uint32Array(1)).join('').padStart(10, '0')
  return `+35386${digits.slice(-9)}`
}

async function askForPurchase(target: Target, principalId: string): Promise<void> {
  const agent = await Agent.register(target, principalId)
  const { form } = await agent.purchase()
  expect((await agent.push(form)).status).toBe(201)
}

test('a person who chooses phone messages is asked by phone, and no longer by mail', async ({
  page,
  target,
  person,
}) => {
  const number = newNumber()
  await test.step('the page is found in the account menu', async () => {
    await page.goto('/')
    await openAccount(page)
    const name = layoutText.nav.notifications
    await page.getByRole('menuitem', { name }).or(page.getByRole('link', { name })).click()
    await expect(page).toHaveURL('/settings/notifications')
    await expect(page).toHaveTitle(new RegExp(`^${text.title}`))
    await expect(page.getByRole('heading', { level: 1, name: text.title })).toBeVisible()
    await expect(shown(page, text.email.hint(person.email))).toBeVisible()
    await expect(channel(page, text.email.label)).toBeChecked()
    await expect(channel(page, text.rcs.label)).not.toBeChecked()
    await expectNoViolations(page, 'notifications')
  })

  await test.step('a number that is missing or malformed is told in words, at the field', async () => {
    await channel(page, text.email.label).uncheck()
    await expect(shown(page, text.nobodyTold)).toBeVisible()
    await channel(page, text.rcs.label).check()
    await expect(shown(page, text.nobodyTold)).toBeHidden()
    await save(page).click()
    await expect(field(page)).toHaveAccessibleDescription(new RegExp(text.phoneMissing))
    await expect(field(page)).toBeFocused()
    await field(page).fill('086 123 4567')
    await expect(shown(page, text.phoneMissing)).toBeHidden()
    await field(page).press('Enter')
    await expect(shown(page, text.phoneBad)).toBeVisible()
    await expect(field(page)).toHaveAttribute('aria-invalid', 'true')
    await expectNoViolations(page, 'notifications with a bad number')
  })

  await test.step('the choice is saved, and still there later', async () => {
    await field(page).fill(`${number.slice(0, 4)} (${number.slice(4, 6)}) ${number.slice(6, 9)}-${number.slice(9)}`)
    await save(page).click()
    await expect(shown(page, text.saved)).toBeVisible()
    await expect(field(page)).toHaveValue(number)
    await page.reload()
    await expect(field(page)).toHaveValue(number)
    await expect(channel(page, text.email.label)).not.toBeChecked()
    await expect(channel(page, text.rcs.label)).toBeChecked()
  })

  const mailsBefore = await readOutbox(target, person.email)
  await askForPurchase(target, person.principalId)
  expect(await readOutbox(target, number)).toMatchObject([{ channel: 'rcs', text: expect.stringContaining('12.00') }])
  expect(await readOutbox(target, person.email)).toEqual(mailsBefore)
})

test('notifications are chosen by event, and those about requests are always sent', async ({
  page,
  target,
  person,
}) => {
  const { events, test: trial } = text
  await page.goto('/settings/notifications')
  const about = (row: keyof typeof events.rows) =>
    page.getByRole('checkbox', { name: events.name(events.rows[row].label, events.channels.email) })
  for (const row of ['approvals', 'security'] as const) {
    await expect(about(row)).toBeChecked()
    await expect(about(row)).toBeDisabled()
  }
  await about('payments').click()
  await page.getByRole('button', { name: events.save }).click()
  await expect(shown(page, events.saved, { exact: true })).toBeVisible()
  await page.reload()
  await expect(about('payments')).not.toBeChecked()
  await expect(about('disputes')).toBeChecked()

  const before = (await readOutbox(target, person.email)).length
  await askForPurchase(target, person.principalId)
  expect(await readOutbox(target, person.email)).toHaveLength(before + 1)
  await page.getByRole('button', { name: trial.button }).click()
  await expect(shown(page, trial.sent(trial.channels.email))).toBeVisible()
  expect(await readOutbox(target, person.email)).toHaveLength(before + 2)
})

test('a choice of notifications that does not reach the server is not shown as saved', async ({ page, person }) => {
  await page.route('**/api/trpc/notifications.save**', (route) => route.abort())
  await page.goto('/settings/notifications')
  await expect(shown(page, text.email.hint(person.email))).toBeVisible()
  await channel(page, text.email.label).press('Space')
  await save(page).press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: failureText.title })).toBeVisible()
  await expect(shown(page, text.saved)).toBeHidden()
  await page.reload()
  await expect(channel(page, text.email.label)).toBeChecked()
})

test('the empty list of approvals says how its person hears of a request', async ({ page, person }) => {
  const { told, change } = consentText.list.emptyWaiting
  await page.goto('/approvals')
  await expect(shown(page, told.email)).toBeVisible()
  await page.getByRole('link', { name: change }).click()
  await expect(shown(page, text.email.hint(person.email))).toBeVisible()
  await channel(page, text.email.label).uncheck()
  await save(page).click()
  await expect(shown(page, text.saved)).toBeVisible()
  await page.goto('/approvals')
  await expect(shown(page, told.nothing)).toBeVisible()
})
