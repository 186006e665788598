import type { Route } from '@playwright/test'
import { restrictedText } from '@/components/layout/restricted-messages'
import { keptText } from '@/components/privacy/kept-messages'
import { privacyText } from '@/components/privacy/messages'
import { relaxText } from '@/components/security/relax-messages'
import { signInText } from '@/components/sign-in/messages'
import { failureText } from '@/components/ui/failure-messages'
import { newPrincipal } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { demandSignIn } from '../support/calls'
import { expect, test } from '../support/fixtures'
import { holdPasskey, waysToConfirm } from '../support/passkey-holder'
import { shown, signOut, visit } from '../support/portal'
import { readOutbox, signIn } from '../support/sign-in'

const PATH = '/settings/privacy'
const ERASE_PATH = '/settings/privacy/erase'
const { access, take, correct, restrict, object, requests } = privacyText

for (const { way, tag } of waysToConfirm) {
  test(`a person has their data mailed and takes it along, confirmed by ${way}`, { tag }, async ({
    page,
    target,
    person,
  }) => {
    if (way === 'a passkey') await holdPasskey(page)
    await visit(page, PATH)
    await page.getByRole('button', { name: access.button }).click()
    await expect(page.getByRole('status').filter({ hasText: access.done('').slice(0, 8) })).toBeVisible()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: take.button }).click()
    expect((await download).suggestedFilename()).toBe('countersign-portability.json')
    const rows = page.getByRole('list', { name: requests.title }).getByRole('listitem')
    await expect(rows).toHaveCount(2)
    await expect(rows.filter({ hasText: requests.results.mailed })).toHaveCount(1)
    await expect
      .poll(async () =>
        (await readOutbox(target, person.email)).some((mail) => JSON.stringify(mail).includes('"dump"')),
      )
      .toBe(true)
    await expectNoViolations(page, 'privacy with requests')
  })

  test(`a restriction begins without confirming, shows on every page, and is lifted, confirmed by ${way}`, {
    tag,
  }, async ({ page, person }) => {
    expect(person.email).not.toBe('')
    if (way === 'a passkey') await holdPasskey(page)
    await visit(page, PATH)
    await page.getByRole('button', { name: restrict.button }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: restrict.button }).click()
    await expect(shown(page, restrictedText.body)).toBeVisible()
    await visit(page, '/payments')
    await expectNoViolations(page, 'payments while processing is restricted')
    await page.getByRole('link', { name: restrictedText.lift }).click()
    await page.getByRole('button', { name: restrict.lift }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: restrict.lift }).click()
    await expect(page.getByRole('button', { name: restrict.button })).toBeVisible()
    await expect(shown(page, restrictedText.body)).toHaveCount(0)
  })

  test(`a person is erased after reading, typing and confirming by ${way}`, { tag }, async ({ page, person }) => {
    if (way === 'a passkey') await holdPasskey(page)
    await visit(page, ERASE_PATH)
    await expect(page.getByRole('heading', { name: keptText.erase.stays })).toBeVisible()
    await expectNoViolations(page, 'erase')
    const field = page.getByLabel(keptText.erase.field.email(person.email))
    await field.fill('somebody@else.test')
    await page.getByRole('button', { name: keptText.erase.button }).click()
    await expect(shown(page, keptText.erase.wrong)).toBeVisible()
    await field.fill(person.email)
    await page.getByRole('button', { name: keptText.erase.button }).click()
    await expect(page).toHaveURL(/\/erased$/)
    await expect(page.getByRole('heading', { level: 1, name: keptText.erased.title })).toBeVisible()
    await expectNoViolations(page, 'erased')
    await page.goto('/')
    await expect(page).toHaveURL(/\/sign-in/)
  })
}

test('an erasure that needs another sign-in leads to it, and what was typed is there afterwards', {
  tag: ['@phone', '@long'],
}, async ({ page, person }) => {
  await visit(page, ERASE_PATH)
  const field = page.getByLabel(keptText.erase.field.email(person.email))
  await field.fill(person.email)
  await demandSignIn(page)
  await page.getByRole('button', { name: keptText.erase.button }).click()
  await expect(page).toHaveURL('/sign-in?again=1&next=%2Fsettings%2Fprivacy%2Ferase')
  await page.getByRole('link', { name: signInText.again.back }).click()
  await expect(page).toHaveURL(ERASE_PATH)
  await expect(field).toHaveValue(person.email)
})

test('the page on which a person would be erased erases nobody else who has signed in since', {
  tag: ['@phone', '@long'],
}, async ({ page, target, person }) => {
  const { email } = await newPrincipal(target)
  await visit(page, ERASE_PATH)
  await page.getByLabel(keptText.erase.field.email(person.email)).fill(person.email)
  const elsewhere = await page.context().newPage()
  await elsewhere.goto('/')
  await signOut(elsewhere)
  await expect(elsewhere).toHaveURL(/\/sign-in$/)
  await signIn(elsewhere, target, email)
  await page.getByRole('button', { name: keptText.erase.button }).click()
  await expect(page.getByRole('alert').filter({ hasText: failureText.signedOut })).toBeVisible()
  await elsewhere.goto(ERASE_PATH)
  await expect(elsewhere.getByLabel(keptText.erase.field.email(email))).toHaveValue('')
})

test('an erasure cannot be pressed again before its page is left', { tag: ['@phone', '@long'] }, async ({
  page,
  person,
}) => {
  await visit(page, ERASE_PATH)
  await page.getByLabel(keptText.erase.field.email(person.email)).fill(person.email)
  const leaving = new Promise<Route>((resolve, reject) => {
    page.route('**/api/auth/signout', resolve).catch(reject)
  })
  const button = page.getByRole('button', { name: keptText.erase.button })
  await button.click()
  const held = await leaving
  await expect(button).toHaveAttribute('aria-busy', 'true')
  await held.continue()
  await expect(page).toHaveURL(/\/erased$/)
})

test('a person corrects their name and objects without confirming, and changes their address by its mailbox', async ({
  page,
  person,
}) => {
  await visit(page, PATH)
  await page.getByLabel(correct.name, { exact: true }).fill('Grace Hopper')
  await page.getByRole('button', { name: correct.saveName }).click()
  await expect(shown(page, correct.savedName)).toBeVisible()
  const to = `moved-${person.email}`
  await page.getByLabel(correct.email, { exact: true }).fill(to)
  await page.getByRole('button', { name: correct.saveEmail }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: relaxText.confirm }).click()
  await expect(shown(page, correct.pending(to))).toBeVisible()
  await page.getByRole('button', { name: object.button }).click()
  await expect(shown(page, object.done)).toBeVisible()
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await expectNoViolations(page, 'privacy on a phone')
})
