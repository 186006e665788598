import { layoutText } from '@/components/layout/messages'
import { signInText } from '@/components/sign-in/messages'
import { newPrincipal } from '@/test/support/actors'
import { expect, test } from '../support/fixtures'
import { shown, signOutEverywhere } from '../support/portal'
import { dropSession, mailedLink, readOutbox, requestLink, signIn, signInAsDemo } from '../support/sign-in'

const confirmation = { name: signInText.confirm.title }

test('a mailed link signs in once, and not before it is confirmed', async ({ page, target }) => {
  const { email } = await newPrincipal(target)
  await mailedLink(target, email, () => requestLink(page, email, '/limits'))
  await page.getByRole('link', { name: signInText.demo.outbox }).click()
  const mail = page.getByRole('listitem').filter({ hasText: email })
  const link = mail.getByRole('link', { name: '/sign-in/confirm' })
  const address = (await link.getAttribute('href')) ?? ''

  await link.click()
  await expect(page.getByRole('heading', confirmation)).toBeVisible()
  await expect(page).not.toHaveURL(/token/)
  // Looking at the page, again and from the start, uses nothing up.
  await page.goto('/sandbox/outbox')
  await page.goto(address)
  await expect(page.getByRole('heading', confirmation)).toBeVisible()
  await page.getByRole('button', { name: signInText.confirm.submit }).click()
  await expect(page).toHaveURL('/limits')

  await page.goto('/sandbox/outbox')
  await dropSession(page)
  await page.goto(address)
  await expect(page.getByRole('alert').filter({ hasText: signInText.confirm.used.title })).toBeVisible()
  await page.goto('/')
  await expect(page).toHaveURL(/\/sign-in/)
})

test('what takes the place of a pressed button has the focus', { tag: '@phone' }, async ({ page, target }) => {
  const { email } = await newPrincipal(target)
  await requestLink(page, email)
  await expect(page.getByRole('heading', { level: 1, name: signInText.sent.title })).toBeFocused()
  await page.getByRole('button', { name: signInText.sent.other }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: signInText.title })).toBeFocused()
})

test('the page of a link works after a reload', { tag: '@phone' }, async ({ page, target }) => {
  const { email } = await newPrincipal(target)
  await page.goto(await mailedLink(target, email, () => requestLink(page, email)))
  await expect(page.getByRole('heading', confirmation)).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: signInText.confirm.submit }).click()
  await expect(page).toHaveURL('/')
})

test('a link that is opened in another browser names the wallet and asks for the code of the first one', async ({
  page,
  browser,
  target,
}) => {
  const { email } = await newPrincipal(target)
  const link = await mailedLink(target, email, () => requestLink(page, email))
  const code = (await page.getByText(/^\d{6}$/).textContent()) ?? ''
  const elsewhere = await browser.newContext()
  try {
    const other = await elsewhere.newPage()
    await other.goto(link)
    await expect(shown(other, signInText.confirm.elsewhere.title)).toBeVisible()
    await expect(
      shown(other, signInText.confirm.whose(`${email.slice(0, 1)}•••${email.slice(email.indexOf('@'))}`)),
    ).toBeVisible()
    await other.getByLabel(signInText.confirm.elsewhere.code).fill(code === '000000' ? '111111' : '000000')
    await other.getByRole('button', { name: signInText.confirm.submit }).click()
    await expect(shown(other, signInText.confirm.elsewhere.wrong)).toBeVisible()
    await other.getByLabel(signInText.confirm.elsewhere.code).fill(code)
    await other.getByRole('button', { name: signInText.confirm.submit }).click()
    await other.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
  } finally {
    await elsewhere.close()
  }
})

test('an unknown e-mail address is answered like a known one, and gets no mail', { tag: '@phone' }, async ({
  page,
  target,
}) => {
  const email = `nobody-${crypto.randomUUID()}@example.test`
  await requestLink(page, email)
  await expect(shown(page, signInText.sent.body(email))).toBeVisible()
  // Links are mailed after the answer, in the order in which they were asked for.
  const known = await newPrincipal(target)
  await mailedLink(target, known.email, () => requestLink(page, known.email))
  expect(await readOutbox(target, email)).toEqual([])
})

test('a text that is no e-mail address is refused with an explanation', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/sign-in')
  await page.getByLabel(signInText.email).fill('ada')
  await page.getByRole('button', { name: signInText.submit }).click()
  await expect(shown(page, signInText.badEmail)).toBeVisible()
  await expect(page.getByLabel(signInText.email)).toHaveAttribute('aria-invalid', 'true')
})

test('the sandbox signs in as Ada with one press', async ({ page }) => {
  await signInAsDemo(page)
  await expect(page.getByRole('heading', { level: 1, name: /Ada/ })).toBeVisible()
  await expect(shown(page, layoutText.sandbox.local)).toBeVisible()
})

test('signing out everywhere ends the session of another browser', async ({ page, browser, target, person }) => {
  const elsewhere = await browser.newContext()
  try {
    const other = await elsewhere.newPage()
    await signIn(other, target, person.email, '/agents')
    await expect(other).toHaveURL(/\/agents$/)

    await page.goto('/')
    await signOutEverywhere(page)
    await expect(page).toHaveURL(/\/sign-in/)
    await expect(other).toHaveURL(/\/sign-in\?next=%2Fagents&ended=everywhere$/)
    await expect(other.getByRole('heading', { name: signInText.title })).toBeVisible()
  } finally {
    await elsewhere.close()
  }
})

test('signing in leads back to the requested page', { tag: '@phone' }, async ({ page, target }) => {
  const { email } = await newPrincipal(target)
  await page.goto('/payments?status=succeeded')
  await expect(page).toHaveURL(/\/sign-in\?next=/)
  await signIn(page, target, email, '/payments?status=succeeded')
  await expect(page).toHaveURL('/payments?status=succeeded')
})
