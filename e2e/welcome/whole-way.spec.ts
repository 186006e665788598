import type { Page } from '@playwright/test'
import { agentsText } from '@/components/agents/messages'
import { cardsText } from '@/components/cards/messages'
import { limitsText } from '@/components/limits/messages'
import { securityText } from '@/components/security/messages'
import { welcomeText } from '@/components/welcome/messages'
import { welcomeTextDe } from '@/components/welcome/messages.de'
import { setupText } from '@/components/welcome/setup-messages'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { newcomer } from '../support/newcomer'
import { shown } from '../support/portal'
import { dropSession, signIn } from '../support/sign-in'
import { runShownCommand } from '../support/tool-agent'

/** Looks at each step with axe, in both themes. */
const PATIENCE_MS = 180_000
const { names, ready } = welcomeText
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const goOn = (page: Page) => page.getByRole('link', { name: welcomeText.continue, exact: true })
const addressOf = (page: Page) => page.url().replace(/^https?:\/\/[^/]+/, '')

test('a newcomer is led from signing in to an agent that can buy, and never again', async ({ page, target, home }) => {
  test.setTimeout(PATIENCE_MS)
  const { email } = await newcomer(target)
  await page.context().credentials.install()
  await page.context().addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)
  })
  await signIn(page, target, email)
  await expect(page).toHaveURL('/welcome?step=1')

  await test.step('a passkey', async () => {
    await expect(heading(page, welcomeText.step(1, names.passkey))).toBeVisible()
    await expectNoViolations(page, 'step 1')
    await page.getByRole('button', { name: securityText.add.button }).click()
    await expect(shown(page, welcomeText.done.passkey)).toBeVisible()
    await expect(heading(page, welcomeText.step(1, names.passkey))).toBeFocused()
    await goOn(page).click()
  })

  await test.step('a card', async () => {
    await expect(page).toHaveURL('/welcome?step=2')
    await expect(heading(page, welcomeText.step(2, names.card))).toBeVisible()
    await expectNoViolations(page, 'step 2')
    await page.getByRole('button', { name: cardsText.test.addName(cardsText.test.cards.success.label) }).click()
    await expect(shown(page, welcomeText.done.card)).toBeVisible()
    await goOn(page).click()
  })

  await test.step('limits, as they are', async () => {
    await expect(heading(page, welcomeText.step(3, names.limits))).toBeVisible()
    await expect(page.getByLabel(limitsText.form.daily)).toHaveValue('50.00')
    await expect(page.getByLabel(limitsText.form.single)).toHaveValue('20.00')
    await expectNoViolations(page, 'step 3')
    await page.getByRole('button', { name: welcomeText.continue }).click()
  })

  await test.step('an agent, where it runs', async () => {
    await expect(heading(page, welcomeText.step(4, names.agent))).toBeVisible()
    await expectNoViolations(page, 'step 4')
    await page.getByRole('link', { name: 'Cursor' }).click()
    await expect(page).toHaveURL('/welcome?step=4&host=cursor')
    await expect(page.getByLabel(agentsText.new.name, { exact: true })).toHaveValue('Cursor')
    await expectNoViolations(page, 'step 4, with a host')
    await page.getByRole('button', { name: agentsText.new.submit }).click()
    await expect(page.getByRole('tab', { selected: true })).toHaveText('Cursor')
    const command = (await shown(page, 'register --setup-token').textContent()) ?? ''
    await runShownCommand(command, home)
    await expect(shown(page, welcomeText.done.agent)).toBeVisible()
    await goOn(page).click()
  })

  await expect(heading(page, ready.title)).toBeVisible()
  await expect(page.getByRole('region', { name: ready.next })).toContainText(ready.steps[0])
  await expect(page.getByRole('region', { name: ready.try })).toContainText('/sandbox/merchants/')
  await expectNoViolations(page, 'ready')
  await page.getByRole('link', { name: ready.home }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: setupText.continue })).toHaveCount(0)
  await dropSession(page)
  await signIn(page, target, email)
  await expect(page).toHaveURL('/')
})

test('every step fits, with its buttons, on a phone and has its own address', async ({ page, target }) => {
  const { email } = await newcomer(target)
  await signIn(page, target, email)
  await page.setViewportSize({ width: 360, height: 740 })
  for (const [index, name] of Object.values(names).entries()) {
    await page.goto(`/welcome?step=${index + 1}`)
    await expect(heading(page, welcomeText.step(index + 1, name))).toBeVisible()
    const next = goOn(page).or(page.getByRole('button', { name: welcomeText.continue, exact: true }))
    await expect(next).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('button', { name: welcomeText.notNow })).toBeInViewport({ ratio: 1 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    await expect(page).toHaveTitle(new RegExp(welcomeText.step(index + 1, name)))
  }
  await page.goto('/welcome?step=1')
  await goOn(page).click()
  await expect(heading(page, welcomeText.step(2, names.card))).toBeVisible()
  await page.reload()
  await expect(heading(page, welcomeText.step(2, names.card))).toBeVisible()
  await page.goBack()
  await expect(heading(page, welcomeText.step(1, names.passkey))).toBeVisible()
  await page.goForward()
  await page.getByRole('link', { name: welcomeText.back, exact: true }).click()
  await expect(heading(page, welcomeText.step(1, names.passkey))).toBeVisible()
  await page.goto('/welcome?step=5')
  await expect(page).toHaveURL('/welcome?step=1')
})

test('a link that led to signing in keeps its address', async ({ page, target }) => {
  const { email } = await newcomer(target)
  await signIn(page, target, email, '/payments')
  expect(addressOf(page)).toBe('/payments')
})

test('limits that allow more are confirmed by pressing once more', async ({ page, target }) => {
  const { email } = await newcomer(target)
  await signIn(page, target, email)
  await page.goto('/welcome?step=3')
  await expect(page.getByRole('button', { name: welcomeText.continue })).toBeEnabled()
  await page.getByLabel(limitsText.form.daily).fill('sixty')
  await page.getByRole('button', { name: welcomeText.continue }).click()
  await expect(shown(page, limitsText.form.badAmount('20.00'))).toBeVisible()
  await page.getByLabel(limitsText.form.daily).fill('60')
  await page.getByRole('button', { name: welcomeText.continue }).click()
  await expect(shown(page, welcomeText.limits.raises)).toBeVisible()
  await page.getByRole('button', { name: welcomeText.continue }).click()
  await expect(page).toHaveURL('/welcome?step=4')
  await page.goto('/welcome?step=3')
  await expect(page.getByLabel(limitsText.form.daily)).toHaveValue('60.00')
})

test('the first day is told in German', async ({ page, target }) => {
  const { email } = await newcomer(target)
  await signIn(page, target, email)
  await page.context().addCookies([{ name: 'locale', value: 'de', url: target.baseUrl }])
  for (const [index, name] of Object.values(welcomeTextDe.names).entries()) {
    await page.goto(`/welcome?step=${index + 1}`)
    await expect(heading(page, welcomeTextDe.step(index + 1, name))).toBeVisible()
  }
  await expect(shown(page, welcomeTextDe.agent.where)).toBeVisible()
})
