import { agentsText } from '@/components/agents/messages'
import { layoutText } from '@/components/layout/messages'
import { limitsText } from '@/components/limits/messages'
import { welcomeText } from '@/components/welcome/messages'
import { Agent } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { continueFromHome, newcomer } from '../support/newcomer'
import { holdPasskey } from '../support/passkey-holder'
import { tabTo } from '../support/portal'
import { dropSession, signIn, signInAsDemo } from '../support/sign-in'

test('the set-up is left at each step, and goes on at the first that is open', { tag: '@phone' }, async ({
  page,
  target,
}) => {
  const { email, principalId } = await newcomer(target)
  await signIn(page, target, email)
  const leave = () => page.getByRole('button', { name: welcomeText.notNow }).click()
  await leave()
  await continueFromHome(page, 0, '/welcome?step=1')
  await page.goto('/welcome?step=2')
  await leave()
  await continueFromHome(page, 0, '/welcome?step=1')
  await page.goto('/welcome?step=3')
  await page.getByRole('button', { name: welcomeText.continue }).click()
  await expect(page).toHaveURL('/welcome?step=4')
  await leave()
  await continueFromHome(page, 1, '/welcome?step=1')
  await Agent.register(target, principalId)
  await page.goto('/welcome?step=3')
  await leave()
  await continueFromHome(page, 2, '/welcome?step=1')
  await holdPasskey(page)
  await page.goto('/welcome?step=4')
  await leave()
  await continueFromHome(page, 3, '/welcome?step=2')
})

test('who left is not led to the set-up again by signing in', { tag: ['@phone', '@long'] }, async ({
  page,
  target,
}) => {
  const { email } = await newcomer(target)
  await signIn(page, target, email)
  await expect(page).toHaveURL('/welcome?step=1')
  await page.goto('/settings/security')
  await dropSession(page)
  await signIn(page, target, email)
  await expect(page).toHaveURL('/welcome?step=1')
  // A press before the page works leads home as well, and is not stored.
  await page.waitForLoadState('networkidle')
  const stored = page.waitForResponse((response) => response.url().includes('welcome.leave') && response.ok())
  await page.getByRole('button', { name: welcomeText.notNow }).click()
  await expect(page).toHaveURL('/')
  await stored
  await expectNoViolations(page, 'home with nothing set up')
  await dropSession(page)
  await signIn(page, target, email)
  await expect(page).toHaveURL('/')
})

test('the steps are gone through, and left, with the keyboard alone', async ({ page, target }) => {
  const { email } = await newcomer(target)
  await signIn(page, target, email)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: layoutText.skip })).toBeFocused()
  await page.keyboard.press('Enter')
  const next = page.getByRole('link', { name: welcomeText.continue, exact: true })
  await tabTo(page, next)
  await page.keyboard.press('Enter')
  const { step, names, agent } = welcomeText
  await expect(page.getByRole('heading', { level: 1, name: step(2, names.card) })).toBeFocused()
  await tabTo(page, next)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: step(3, names.limits) })).toBeFocused()
  await tabTo(page, page.getByRole('button', { name: welcomeText.continue }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: step(4, names.agent) })).toBeFocused()
  await tabTo(page, page.getByRole('link', { name: 'Claude Code' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: agent.change })).toBeVisible()
  await expect(page.getByRole('button', { name: agentsText.new.submit })).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: welcomeText.notNow }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/')
})

test('the demo signs in with one press and leads home', { tag: '@phone' }, async ({ page }) => {
  await signInAsDemo(page)
  await expect(page).toHaveURL('/')
})

test.describe('in Berlin', () => {
  test.use({ timezoneId: 'Europe/Berlin' })

  test('the time zone of the browser is stored with the first limits', { tag: ['@phone', '@long'] }, async ({
    page,
    target,
  }) => {
    const { email } = await newcomer(target)
    await signIn(page, target, email)
    await page.goto('/welcome?step=3')
    await page.getByRole('button', { name: welcomeText.continue }).click()
    await expect(page).toHaveURL('/welcome?step=4')
    await page.goto('/limits')
    await expect(page.getByLabel(limitsText.form.timeZone)).toHaveValue('Europe/Berlin')
  })
})
