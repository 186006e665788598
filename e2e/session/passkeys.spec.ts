import type { BrowserContext, Page } from '@playwright/test'
import { agentsText } from '@/components/agents/messages'
import { securityText } from '@/components/security/messages'
import { stepUpText } from '@/components/security/step-up-messages'
import { signInText } from '@/components/sign-in/messages'
import { newPrincipal } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { demandSignIn } from '../support/calls'
import { expect, test } from '../support/fixtures'
import { losePasskeys } from '../support/passkey-holder'
import { shown } from '../support/portal'
import {
  dropSession,
  linkToSignInAgain,
  openSession,
  readOutbox,
  signIn,
  signInAgainElsewhere,
} from '../support/sign-in'

const { passkeys, add, removal, required, sessions, recovery } = securityText
const NAME = 'Claude Code on ada-mbp'

/** The browser has an authenticator, and offers passkeys only where it is asked to. */
async function withAuthenticator(context: BrowserContext): Promise<void> {
  await context.credentials.install()
  // The virtual one answers an offer in the autofill at once, before anybody could press a button.
  await context.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)
  })
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.goto('/settings/security')
  await page.getByLabel(add.name).fill(name)
  await page.getByRole('button', { name: add.button }).click()
  await expect(shown(page, add.done(name))).toBeVisible()
  await expect(row(page, name)).toBeVisible()
}

/**
 * Adds a passkey of another device: the first one confirms it, and the device that makes the new one does not hold it.
 */
async function addOnAnotherDevice(page: Page, context: BrowserContext, name: string): Promise<void> {
  const held: Awaited<ReturnType<typeof context.credentials.get>> = []
  await page.route(/security\.startRegistration/, async (route) => {
    held.push(...(await context.credentials.get()))
    for (const { id } of held) await context.credentials.delete(id)
    await route.continue()
  })
  await addPasskey(page, name)
  await page.unroute(/security\.startRegistration/)
  for (const { rpId, ...credential } of held) await context.credentials.create(rpId, credential)
}

const row = (page: Page, name: string) =>
  page.getByRole('region', { name: passkeys.title }).getByRole('listitem').filter({ hasText: name })

async function signInWithPasskey(page: Page, next: string): Promise<void> {
  await page.goto(`/sign-in?next=${encodeURIComponent(next)}`)
  await page.getByRole('button', { name: signInText.passkey.button }).click()
  await expect(page).toHaveURL(next)
}

test('a passkey is added, signs in, and the person is told by mail', async ({ page, context, person, target }) => {
  await withAuthenticator(context)
  await addPasskey(page, 'Phone')
  await expect(shown(page, passkeys.second)).toBeVisible()
  await expectNoViolations(page, 'security')
  const [mail] = await readOutbox(target, person.email)
  expect(mail?.subject).toBe('A passkey was added to your wallet')

  await dropSession(page)
  await signInWithPasskey(page, '/settings/security')
  await expect(row(page, 'Phone')).toContainText(passkeys.used)
  const here = page
    .getByRole('region', { name: sessions.title })
    .getByRole('listitem')
    .filter({ hasText: sessions.current })
  await expect(here).toContainText(sessions.method.passkey)
})

test('a passkey that is chosen in the autofill signs in', { tag: '@phone' }, async ({ page, context, person }) => {
  expect(person.email).not.toBe('')
  await context.credentials.install()
  await addPasskey(page, 'Phone')
  await dropSession(page)
  await page.goto('/sign-in?next=%2Flimits')
  await expect(page).toHaveURL('/limits')
})

test('a second passkey is added with the first, and either can be renamed and removed', async ({
  page,
  context,
  person,
}) => {
  expect(person.email).not.toBe('')
  await withAuthenticator(context)
  await addPasskey(page, 'Phone')
  // One device holds one of them.
  await page.getByRole('button', { name: add.button }).click()
  await expect(shown(page, add.known)).toBeVisible()

  await addOnAnotherDevice(page, context, 'Key')

  await row(page, 'Key')
    .getByRole('button', { name: passkeys.renameOf('Key') })
    .click()
  await expect(page.getByLabel(passkeys.renameOf('Key'))).toBeFocused()
  await page.getByLabel(passkeys.renameOf('Key')).fill('Blue key')
  await page.keyboard.press('Enter')
  await expect(row(page, 'Blue key')).toBeVisible()
  await expect(page.getByRole('button', { name: passkeys.renameOf('Blue key') })).toBeFocused()

  await page.getByRole('button', { name: passkeys.removeOf('Phone') }).click()
  const dialog = page.getByRole('alertdialog', { name: removal.title('Phone') })
  await expect(dialog.getByRole('button', { name: passkeys.cancel })).toBeFocused()
  await expectNoViolations(page, 'removing a passkey')
  await dialog.getByRole('button', { name: removal.confirm }).click()
  await expect(dialog).toBeHidden()
  await expect(row(page, 'Phone')).toBeHidden()
  await expect(row(page, 'Blue key')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: removal.done('Phone') })).toBeVisible()
  await expect(page.getByRole('heading', { name: passkeys.title })).toBeFocused()
})

test('the last passkey stays while approvals need one, and turning that off needs it', { tag: '@phone' }, async ({
  page,
  context,
  person,
}) => {
  expect(person.email).not.toBe('')
  await withAuthenticator(context)
  await page.goto('/settings/security')
  const choice = page.getByRole('checkbox', { name: required.label })
  await expect(choice).toBeDisabled()
  await addPasskey(page, 'Phone')
  await choice.click()
  await expect(choice).toBeChecked()
  await page.getByRole('button', { name: passkeys.removeOf('Phone') }).click()
  await expect(shown(page, removal.keepRequired)).toBeVisible()
  await expect(row(page, 'Phone')).toBeVisible()

  const [held] = await context.credentials.get()
  await context.credentials.delete(held?.id ?? '')
  await choice.click()
  await expect(shown(page, stepUpText.failure.cancelled)).toBeVisible()
  await expect(choice).toBeChecked()
  await page.reload()
  await expect(choice).toBeChecked()

  const { rpId = '', ...credential } = held ?? {}
  await context.credentials.create(rpId, credential)
  await choice.click()
  await expect(choice).not.toBeChecked()
  await page.getByRole('button', { name: passkeys.removeOf('Phone') }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: removal.confirm }).click()
  await expect(shown(page, passkeys.none.title)).toBeVisible()
})

test('a recovery code adds a passkey where the only one was lost', async ({ page, context, person, target }) => {
  await withAuthenticator(context)
  await addPasskey(page, 'Phone')
  await page.getByRole('button', { name: recovery.make }).click()
  await expect(page.getByRole('heading', { name: recovery.keep })).toBeFocused()
  await expectNoViolations(page, 'recovery codes')
  const codes = page.getByRole('list', { name: recovery.codes }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const code = await codes.first().innerText()
  await page.getByRole('button', { name: recovery.kept }).click()
  await expect(codes).toHaveCount(0)
  await expect(page.getByRole('button', { name: recovery.makeNew })).toBeFocused()

  await test.step('a prompt that ends without a passkey costs no code', async () => {
    await page.getByLabel(recovery.code, { exact: true }).fill(code)
    await page.getByRole('button', { name: recovery.use }).click()
    await expect(shown(page, add.known)).toBeVisible()
    await page.reload()
    await expect(shown(page, recovery.left(10))).toBeVisible()
  })

  await losePasskeys(page)
  await dropSession(page)
  await signIn(page, target, person.email, '/settings/security')
  await page.getByLabel(recovery.code, { exact: true }).fill('0000-0000-0000-0000')
  await page.getByRole('button', { name: recovery.use }).click()
  const refusal = page.getByRole('alert').filter({ hasText: 'recovery codes' })
  await expect(refusal).toContainText('This is not one of your recovery codes')
  await page.getByLabel(recovery.code, { exact: true }).fill(code)
  await page.getByRole('button', { name: recovery.use }).click()
  await expect(shown(page, add.done(add.suggestion(2)))).toBeVisible()
  await expect(shown(page, recovery.left(9))).toBeVisible()

  await page.getByRole('button', { name: passkeys.removeOf('Phone') }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: removal.confirm }).click()
  // While the question is open, nothing else on the page has a role.
  await expect(page.getByRole('status').filter({ hasText: removal.done('Phone') })).toBeVisible()
  await expect(row(page, 'Phone')).toBeHidden()
})

test('a closed passkey prompt signs nobody in, and a mailed link still does', { tag: ['@phone', '@long'] }, async ({
  page,
  context,
  target,
}) => {
  await withAuthenticator(context)
  await page.goto('/sign-in?next=%2Flimits')
  await page.getByRole('button', { name: signInText.passkey.button }).click()
  await expect(shown(page, signInText.passkey.cancelled)).toBeVisible()
  await expectNoViolations(page, 'sign-in')
  const { email } = await newPrincipal(target)
  await signIn(page, target, email, '/limits')
  await expect(page).toHaveURL('/limits')
})

test('signing in again keeps the page, the address and the way back', async ({ page, person, target }) => {
  const here = '/settings/security?from=test'
  const again = `/sign-in?again=1&next=${encodeURIComponent(here)}`
  await page.goto(again)
  await expect(page.getByRole('heading', { name: signInText.again.title })).toBeVisible()
  await expect(page.getByLabel(signInText.email)).toHaveValue(person.email)
  // People without a passkey are not offered to use one.
  await expect(page.getByRole('button', { name: signInText.passkey.button })).toBeHidden()
  await page.getByRole('link', { name: signInText.again.back }).click()
  await expect(page).toHaveURL(here)

  await page.goto(again)
  await page.goto(await linkToSignInAgain(page, target, person.email))
  await page.getByRole('button', { name: signInText.confirm.submit }).click()
  await expect(page).toHaveURL(here)
  await page.goto('/sign-in?again=1&next=https%3A%2F%2Fevil.example')
  await expect(page.getByRole('link', { name: signInText.again.back })).toHaveAttribute('href', '/')
})

test('signing in again for a step-up keeps what was typed, and no code', { tag: ['@phone', '@long'] }, async ({
  page,
  person,
  target,
}) => {
  await page.goto('/agents/new#own-limits')
  const name = page.getByLabel(agentsText.new.name, { exact: true })
  await demandSignIn(page)
  const press = () => page.getByRole('button', { name: agentsText.new.submit }).click()
  const kept = () => page.evaluate(() => JSON.stringify(window.sessionStorage))

  await test.step('also for somebody who goes back without signing in', async () => {
    await name.fill(NAME)
    await press()
    await expect(page).toHaveURL('/sign-in?again=1&next=%2Fagents%2Fnew%23own-limits')
    await page.getByRole('link', { name: signInText.again.back }).click()
    await expect(page).toHaveURL('/agents/new#own-limits')
    await expect(name).toHaveValue(NAME)
    expect(await kept()).not.toContain(NAME)
  })

  await test.step('where the link is opened in another tab', async () => {
    await press()
    const elsewhere = await signInAgainElsewhere(page, target, { email: person.email, next: '/agents/new#own-limits' })
    await expect(page).toHaveURL('/agents/new#own-limits')
    await expect(name).toHaveValue(NAME)
    await elsewhere.close()
  })
})

test('a recovery code is not kept over signing in again', { tag: ['@phone', '@long'] }, async ({
  page,
  context,
  person,
}) => {
  expect(person.email).not.toBe('')
  await withAuthenticator(context)
  await addPasskey(page, 'Phone')
  await page.getByRole('button', { name: recovery.make }).click()
  await page.getByRole('button', { name: recovery.kept }).click()
  await page.getByLabel(recovery.code, { exact: true }).fill('SECR-ETCO-DE00')
  await page.getByLabel(add.name).fill('Blue key')
  await demandSignIn(page)
  await page.getByRole('button', { name: recovery.makeNew }).click()
  await expect(page.getByRole('heading', { name: signInText.again.title })).toBeVisible()
  const kept = await page.evaluate(() => JSON.stringify(window.sessionStorage))
  expect(kept).toContain('Blue key')
  expect(kept).not.toContain('SECR')
})

test('one other session is ended, and the page says which', { tag: '@phone' }, async ({
  page,
  browser,
  person,
  target,
}) => {
  const elsewhere = await browser.newContext()
  try {
    await openSession(await elsewhere.newPage(), target, person.email)
    await page.goto('/settings/security')
    const list = page.getByRole('region', { name: sessions.title })
    await expect(list.getByRole('listitem')).toHaveCount(2)
    const end = list.getByRole('listitem').getByRole('button')
    const device = (await end.getAttribute('aria-label'))?.slice(sessions.endOf('').length) ?? ''
    await end.click()
    await expect(list.getByRole('listitem')).toHaveCount(1)
    await expect(list.getByRole('status')).toHaveText(sessions.ended(device))
    await expect(page.getByRole('heading', { name: sessions.title })).toBeFocused()
  } finally {
    await elsewhere.close()
  }
})

test('the sessions are listed, and others can be ended', async ({ page, browser, person, target }) => {
  const elsewhere = await browser.newContext()
  try {
    const other = await elsewhere.newPage()
    await signIn(other, target, person.email, '/agents')
    await page.goto('/settings/security')
    const list = page.getByRole('region', { name: sessions.title })
    await expect(list.getByRole('listitem')).toHaveCount(2)
    await expect(list.getByRole('listitem').first()).toContainText(sessions.current)
    await list.getByRole('button', { name: sessions.endOthers }).click()
    await expect(shown(page, sessions.others(1))).toBeVisible()
    await expect(list.getByRole('listitem')).toHaveCount(1)
    await expect(other).toHaveURL(/\/sign-in\?next=%2Fagents&ended=everywhere$/)
  } finally {
    await elsewhere.close()
  }
})
