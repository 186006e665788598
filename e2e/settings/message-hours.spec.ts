import type { Page } from '@playwright/test'
import { hoursText } from '@/components/notifications/hours-messages'
import { hoursTextDe } from '@/components/notifications/hours-messages.de'
import { relaxText } from '@/components/security/relax-messages'
import { failureText } from '@/components/ui/failure-messages'
import { uiText } from '@/components/ui/messages'
import { relaxedHours } from '@/server/identity/contacts/input'
import { Agent } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { loseNextCall } from '../support/calls'
import { expect, test } from '../support/fixtures'
import { readOutbox } from '../support/sign-in'

const PATH = '/settings/notifications'
const { quiet, summary } = hoursText
const HOUR_MILLISECONDS = 3_600_000

test.use({ personOptions: { card: 'success', approval_rule: 'every_purchase' } })

const row = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** A time of the day by the clock of people without limits, some hours from now. */
const timeIn = (hours: number) => new Date(Date.now() + hours * HOUR_MILLISECONDS).toISOString().slice(11, 16)

const time = (page: Page, label: string) => row(page, quiet.title).getByLabel(label, { exact: true })
const requestsCome = (page: Page) => row(page, quiet.title).getByRole('checkbox', { name: quiet.requests })

const confirmHours = (page: Page) =>
  page.getByRole('alertdialog', { name: quiet.relax.title }).getByRole('button', { name: relaxText.confirm }).click()

/** Fills a time, and confirms it where the hours then keep more from the person. */
async function fillTime(page: Page, label: string, value: string): Promise<void> {
  const hours = async () => ({
    from: await time(page, quiet.from).inputValue(),
    until: await time(page, quiet.until).inputValue(),
    requests: await requestsCome(page).isChecked(),
  })
  const before = await hours()
  await time(page, label).fill(value)
  await time(page, label).blur()
  if (relaxedHours(before, await hours()) !== null) await confirmHours(page)
}

test('quiet hours and the daily summary are saved row by row, and requests still come through or wait', async ({
  page,
  target,
  person,
}) => {
  const agent = await Agent.register(target, person.principalId)
  const requests = async () =>
    (await readOutbox(target, person.email)).filter(({ links }) => links.some((link) => link.includes('/approve/')))
      .length

  await test.step('quiet hours are turned on with one press, and their times are saved when left', async () => {
    await page.goto(PATH)
    await page.getByRole('button', { name: hoursText.turnOnOf(quiet.title) }).click()
    await expect(row(page, quiet.title).getByRole('status')).toHaveText(hoursText.saved)
    await fillTime(page, quiet.until, timeIn(3))
    await fillTime(page, quiet.from, timeIn(-3))
    await expect(row(page, quiet.title).getByRole('status')).toHaveText(hoursText.saved)
    await expectNoViolations(page, 'notifications with quiet hours')
  })

  await test.step('a request comes through, until it shall wait too', async () => {
    expect((await agent.push((await agent.purchase()).form)).status).toBe(201)
    await expect.poll(requests).toBe(1)
    await requestsCome(page).click()
    await expect(page.getByRole('alertdialog', { name: quiet.relax.title })).toBeVisible()
    await expectNoViolations(page, 'notifications with quiet hours to confirm')
    await confirmHours(page)
    await expect(requestsCome(page)).not.toBeChecked()
    await expect(row(page, quiet.title).getByRole('status')).toHaveText(hoursText.saved)
    expect((await agent.push((await agent.purchase()).form)).status).toBe(201)
    expect(await requests()).toBe(1)
    await page.getByRole('button', { name: hoursText.turnOffOf(quiet.title) }).click()
    await expect.poll(requests).toBe(2)
  })

  await test.step('the daily summary has an hour, which is still there later', async () => {
    await page.getByRole('button', { name: hoursText.turnOnOf(summary.title) }).click()
    const hour = row(page, summary.title).getByLabel(summary.hour, { exact: true })
    await hour.selectOption('7')
    await expect(row(page, summary.title).getByRole('status')).toHaveText(hoursText.saved)
    await page.reload()
    await expect(hour).toHaveValue('7')
    await expect(page.getByRole('button', { name: hoursText.turnOnOf(quiet.title) })).toBeVisible()
  })
})

test('hours that the person does not confirm are not saved with the next change', { tag: ['@phone', '@long'] }, async ({
  page,
  person,
}) => {
  expect(person.email).not.toBe('')
  await page.goto(PATH)
  await page.getByRole('button', { name: hoursText.turnOnOf(quiet.title) }).click()
  await expect(row(page, quiet.title).getByRole('status')).toHaveText(hoursText.saved)
  const until = time(page, quiet.until)
  const before = await until.inputValue()
  await until.fill('12:30')
  await until.blur()
  const dialog = page.getByRole('alertdialog', { name: quiet.relax.title })
  await dialog.getByRole('button', { name: uiText.cancel }).click()
  await expect(until).toHaveValue(before)
  await requestsCome(page).tap()
  await expect(dialog).toContainText(quiet.relax.held('22:00', before))
})

test('a typed time stays when saving it fails, and is saved along with what is tapped next', {
  tag: ['@phone', '@long'],
}, async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await page.goto(PATH)
  await page.getByRole('button', { name: hoursText.turnOnOf(quiet.title) }).click()
  const until = time(page, quiet.until)
  const requests = requestsCome(page)
  await expect(row(page, quiet.title).getByRole('status')).toHaveText(hoursText.saved)
  await loseNextCall(page, 'notifications.saveSettings')
  await fillTime(page, quiet.until, '06:15')
  await expect(page.getByRole('alert').filter({ hasText: failureText.lost })).toBeVisible()
  await expect(until).toHaveValue('06:15')
  await until.fill('06:30')
  await requests.tap()
  await confirmHours(page)
  await expect(requests).not.toBeChecked()
  await expect(row(page, quiet.title).getByRole('status')).toHaveText(hoursText.saved)
  await page.reload()
  await expect(until).toHaveValue('06:30')
  await expect(requests).not.toBeChecked()
})

test('messages come in the language that is chosen for them, whatever the pages are in', async ({
  page,
  target,
  person,
}) => {
  await page.context().addCookies([{ name: 'locale', value: 'de', url: target.baseUrl }])
  // What is chosen before the page works is not saved.
  await page.goto(PATH, { waitUntil: 'networkidle' })
  const chosen = row(page, hoursTextDe.language.title)
  await expect(chosen.getByLabel(hoursTextDe.language.title)).toHaveValue('en')
  await chosen.getByLabel(hoursTextDe.language.title).selectOption('de')
  await expect(chosen.getByRole('status')).toHaveText(hoursTextDe.saved)
  await expectNoViolations(page, 'notifications in German')
  const agent = await Agent.register(target, person.principalId)
  expect((await agent.push((await agent.purchase()).form)).status).toBe(201)
  const [told] = await readOutbox(target, person.email)
  expect(told).toMatchObject({
    subject: 'Ein Agent möchte etwas kaufen',
    text: expect.stringMatching(/12,00 EUR an Tallow Books[\s\S]*\(Geprüfter Händler\)/),
  })
  expect(told?.links).toHaveLength(1)
})
