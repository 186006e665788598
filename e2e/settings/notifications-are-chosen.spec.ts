import type { Page } from '@playwright/test'
import { consentText } from '@/components/approvals/messages'
import { layoutText } from '@/components/layout/messages'
import { mailedLinkText } from '@/components/mailed-link/messages'
import { notificationsText } from '@/components/notifications/messages'
import { relaxText } from '@/components/security/relax-messages'
import { failureText } from '@/components/ui/failure-messages'
import { Agent, type Target } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { openAccount, shown } from '../support/portal'
import { readOutbox } from '../support/sign-in'

const text = notificationsText.notifications

test.use({ personOptions: { card: 'success', approval_rule: 'every_purchase' } })

const field = (page: Page) => page.getByLabel(text.phone, { exact: true })
const rowOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const turnOn = (page: Page, name: string) => page.getByRole('button', { name: text.turnOnOf(name), exact: true })
const turnOff = (page: Page, name: string) => page.getByRole('button', { name: text.turnOffOf(name), exact: true })
const [mail, phone] = [text.email.label, text.rcs.label]

/** A number that no other test's person has. */
function newNumber(): string {
  const digits = crypto.getRandomValues(new Uint32Array(1)).join('').padStart(10, '0')
  return `+35386${digits.slice(-9)}`
}

/** Another phone, or no mail any more, is confirmed; the session of the test is new enough. */
async function confirmChange(page: Page): Promise<void> {
  const dialog = page.getByRole('alertdialog', { name: text.relax.title })
  await dialog.getByRole('button', { name: relaxText.confirm }).click()
  await expect(dialog).toBeHidden()
}

/** The code in the newest message to a phone. */
async function codeOf(target: Target, number: string): Promise<string> {
  const [message] = await readOutbox(target, number)
  return /\b\d{6}\b/.exec(message?.text ?? '')?.[0] ?? ''
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
    await expect(rowOf(page, mail).getByText(text.email.hint(person.email), { exact: true })).toBeVisible()
    await expect(turnOff(page, mail)).toBeVisible()
    await expect(turnOn(page, phone)).toBeVisible()
    await expectNoViolations(page, 'notifications')
  })

  await test.step('a number that is missing or malformed is told in words, at the field', async () => {
    await turnOn(page, phone).click()
    await expect(field(page)).toHaveAccessibleDescription(new RegExp(text.phoneMissing))
    await expect(field(page)).toBeFocused()
    await field(page).fill('086 123 4567')
    await expect(shown(page, text.phoneMissing)).toBeHidden()
    await field(page).press('Enter')
    await expect(shown(page, text.phoneBad)).toBeVisible()
    await expect(field(page)).toHaveAttribute('aria-invalid', 'true')
    await expectNoViolations(page, 'notifications with a bad number')
  })

  await test.step('each row is saved at once, and still there later', async () => {
    await field(page).fill(`${number.slice(0, 4)} (${number.slice(4, 6)}) ${number.slice(6, 9)}-${number.slice(9)}`)
    await turnOn(page, phone).click()
    await confirmChange(page)
    await expect(turnOff(page, phone)).toBeVisible()
    await expect(field(page)).toHaveValue(number)
    await turnOff(page, mail).click()
    await confirmChange(page)
    await expect(turnOn(page, mail)).toBeVisible()
    await page.reload()
    await expect(field(page)).toHaveValue(number)
    await expect(turnOn(page, mail)).toBeVisible()
    await expect(turnOff(page, phone)).toBeVisible()
  })

  await test.step('the number is used once its code was typed; until then mail goes on', async () => {
    await expect(shown(page, text.code.sent(number))).toBeVisible()
    await expect(shown(page, text.inUse.email(person.email))).toBeVisible()
    const code = page.getByLabel(text.code.label, { exact: true })
    await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
    await expect(code).toHaveAttribute('inputmode', 'numeric')
    await expectNoViolations(page, 'notifications with a number that waits')
    await code.fill('12 34')
    await code.press('Enter')
    await expect(code).toHaveAccessibleDescription(new RegExp(text.code.malformed))
    const first = await codeOf(target, number)
    await code.fill(first === '000000' ? '000001' : '000000')
    await code.press('Enter')
    await expect(code).toHaveAccessibleDescription(new RegExp(text.code.wrong))
    await page.getByRole('button', { name: text.code.resend }).click()
    await expect(shown(page, text.code.resent)).toBeVisible()
    await code.fill(await codeOf(target, number))
    await page.getByRole('button', { name: text.code.submit }).click()
    await expect(page.getByRole('status').filter({ hasText: text.code.done })).toBeVisible()
    await expect(shown(page, text.inUse.phone(number))).toBeVisible()
  })

  await test.step('a test says what arrived where', async () => {
    await rowOf(page, phone)
      .getByRole('button', { name: text.test.of(phone) })
      .click()
    await expect(
      rowOf(page, phone)
        .getByRole('status')
        .filter({ hasText: `for ${number} at ` }),
    ).toBeVisible()
    expect((await readOutbox(target, number))[0]).toMatchObject({ text: expect.stringContaining('test message') })
  })

  const mailsBefore = await readOutbox(target, person.email)
  await askForPurchase(target, person.principalId)
  const [told] = await readOutbox(target, number)
  expect(told).toMatchObject({ channel: 'rcs', text: expect.stringContaining('12.00') })
  expect(await readOutbox(target, person.email)).toEqual(mailsBefore)
})

test('notifications are chosen by event, and those about requests are always sent', async ({
  page,
  target,
  person,
}) => {
  const { events } = text
  await page.goto('/settings/notifications')
  const about = (row: keyof typeof events.rows) =>
    page.getByRole('checkbox', { name: events.name(events.rows[row].label, events.channels.email) })
  for (const row of ['approvals', 'security'] as const) {
    await expect(about(row)).toBeChecked()
    await expect(about(row)).toBeDisabled()
  }
  await about('payments').click()
  await page
    .getByRole('alertdialog', { name: events.relax.title })
    .getByRole('button', { name: relaxText.confirm })
    .click()
  await expect(shown(page, events.saved, { exact: true })).toBeVisible()
  await page.reload()
  await expect(about('payments')).not.toBeChecked()
  await expect(about('disputes')).toBeChecked()

  const before = (await readOutbox(target, person.email)).length
  await askForPurchase(target, person.principalId)
  expect(await readOutbox(target, person.email)).toHaveLength(before + 1)
  await page.getByRole('button', { name: text.test.of(mail) }).click()
  await expect(
    rowOf(page, mail)
      .getByRole('status')
      .filter({ hasText: `for ${person.email} at ` }),
  ).toBeVisible()
  expect(await readOutbox(target, person.email)).toHaveLength(before + 2)
})

test('a choice of notifications that does not reach the server is not shown as saved', {
  tag: ['@phone', '@long'],
}, async ({ page, person }) => {
  await page.route('**/api/trpc/notifications.save**', (route) => route.abort())
  await page.goto('/settings/notifications')
  await expect(shown(page, text.email.hint(person.email), { exact: true })).toBeVisible()
  await turnOff(page, mail).press('Enter')
  const dialog = page.getByRole('alertdialog', { name: text.relax.title })
  await dialog.getByRole('button', { name: relaxText.confirm }).press('Enter')
  await expect(dialog.getByRole('alert').filter({ hasText: failureText.lost })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(shown(page, text.saved)).toBeHidden()
  await page.reload()
  await expect(turnOff(page, mail)).toBeVisible()
})

test('the empty list of approvals says how its person hears of a request', { tag: '@phone' }, async ({
  page,
  person,
}) => {
  const { told, change } = consentText.list.emptyWaiting
  await page.goto('/approvals')
  await expect(shown(page, told.email)).toBeVisible()
  await page.getByRole('link', { name: change }).click()
  await expect(shown(page, text.email.hint(person.email), { exact: true })).toBeVisible()
  await turnOff(page, mail).click()
  await confirmChange(page)
  await expect(turnOn(page, mail)).toBeVisible()
  await expect(shown(page, text.nobodyTold)).toBeVisible()
  await page.goto('/approvals')
  await expect(shown(page, told.nothing)).toBeVisible()
})

test('an address that waits is dropped with one press, and the keyboard goes on from there', {
  tag: ['@phone', '@long'],
}, async ({ page, person }) => {
  const { address } = text
  await page.goto('/settings/notifications')
  await page.getByLabel(address.label, { exact: true }).fill(`new-${crypto.randomUUID()}@sandbox.test`)
  await page.getByRole('button', { name: address.submit }).click()
  await page
    .getByRole('alertdialog', { name: address.confirm.title })
    .getByRole('button', { name: relaxText.confirm })
    .click()
  await page.getByRole('button', { name: address.cancel }).press('Enter')
  await expect(page.getByRole('button', { name: address.cancel })).toHaveCount(0)
  await expect(shown(page, address.inUse(person.email))).toBeVisible()
  await expect(page.getByRole('heading', { name: address.title, exact: true })).toBeFocused()
})

test('another e-mail address is used once it was confirmed from there, and the one before undoes it', async ({
  page,
  target,
  person,
}) => {
  const to = `new-${crypto.randomUUID()}@sandbox.test`
  const { address } = text
  await page.goto('/settings/notifications')
  await expect(shown(page, address.inUse(person.email))).toBeVisible()
  const wanted = page.getByLabel(address.label, { exact: true })
  await wanted.fill('nobody')
  await wanted.press('Enter')
  await expect(wanted).toHaveAccessibleDescription(new RegExp(address.bad))
  await wanted.fill(to)
  await page.getByRole('button', { name: address.submit }).click()
  const dialog = page.getByRole('alertdialog', { name: address.confirm.title })
  await dialog.getByRole('button', { name: relaxText.confirm }).click()
  await expect(shown(page, address.sent)).toBeVisible()
  await expect(page.getByRole('button', { name: address.cancel })).toBeVisible()
  // The dialog gives the focus back when it has closed, and the page scrolls there.
  await expect(page.getByRole('button', { name: address.submit })).toBeFocused()
  // Where nothing has scrolled half beneath the header, which would count as too small a target.
  await page.evaluate(() => window.scrollTo(0, 0))
  await expectNoViolations(page, 'notifications with an address that waits')

  const [[confirm], [undo]] = [await readOutbox(target, to), await readOutbox(target, person.email)]
  const { confirm_email: confirming, undo_email: undoing } = mailedLinkText
  await page.goto(confirm?.links[0] ?? '')
  await expect(page.getByRole('heading', { level: 1, name: confirming.title })).toBeVisible()
  await expect(shown(page, to)).toBeVisible()
  await expectNoViolations(page, 'a link that confirms an address')
  await page.getByRole('button', { name: confirming.submit }).click()
  await expect(page.getByRole('status').filter({ hasText: confirming.done.title })).toBeVisible()
  await page.goto('/settings/notifications')
  await expect(shown(page, address.inUse(to))).toBeVisible()

  await page.goto(undo?.links[0] ?? '')
  await page.getByRole('button', { name: undoing.submit }).press('Enter')
  await expect(page.getByRole('status').filter({ hasText: undoing.done.title })).toBeVisible()
  await page.goto('/settings/notifications')
  await expect(page).toHaveURL(/\/sign-in/)
})
