import type { Page } from '@playwright/test'
import { agentsText } from '@/components/agents/messages'
import { consentText } from '@/components/approvals/messages'
import { layoutText } from '@/components/layout/messages'
import { sessionText } from '@/components/layout/session-messages'
import { currencyText } from '@/components/limits/currency-messages'
import { limitsText } from '@/components/limits/messages'
import { notificationsText } from '@/components/notifications/messages'
import { signInText } from '@/components/sign-in/messages'
import { failureText } from '@/components/ui/failure-messages'
import { Agent, newPrincipal, Person } from '@/test/support/actors'
import { expect, test } from '../support/fixtures'
import {
  approveButton,
  declineButton,
  openAccount,
  outcome,
  shown,
  signOut,
  signOutButton,
  signOutEverywhere,
  useEarly,
} from '../support/portal'
import { signIn } from '../support/sign-in'

const { idle } = sessionText
const NAME = 'Claude Code on ada-mbp'
/** Nobody has touched the page for so long when it warns. */
const IDLE_MS = 14 * 60_000 + 5_000
const EVERYTHING_LIVE = '**/api/trpc/**'
/** The page tries again every five seconds. */
const BACK_MS = 15_000

/** Ends all sessions in another tab, and waits until this one has noticed. Returns that tab. */
async function endSessions(page: Page): Promise<Page> {
  const elsewhere = await page.context().newPage()
  await elsewhere.goto('/')
  await signOutEverywhere(elsewhere)
  await expect(elsewhere).toHaveURL(/\/sign-in/)
  await expect(shown(page, signInText.ended.everywhere)).toBeVisible()
  await expect(shown(page, signInText.ended.goOn)).toBeVisible()
  return elsewhere
}

test('what was typed and where it was outlive the session', { tag: '@phone' }, async ({ page, target, person }) => {
  await page.setViewportSize({ width: 360, height: 400 })
  await page.goto('/agents/new')
  const name = page.getByLabel(agentsText.new.name, { exact: true })
  await name.fill(NAME)
  await page.evaluate(() => window.scrollTo(0, 120))
  await endSessions(page)
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fagents%2Fnew&ended=everywhere$/)
  await signIn(page, target, person.email, '/agents/new')
  await expect(name).toHaveValue(NAME)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(120)
  expect(await page.evaluate(() => JSON.stringify(window.sessionStorage))).not.toContain(NAME)
})

test.describe('with limits in one currency', () => {
  const limits = { currency: 'EUR', daily_cap_minor: 5_000 }
  test.use({ personOptions: { card: 'success', limits } })

  test('what was typed for a currency that is being added outlives the session, too', {
    tag: ['@phone', '@long'],
  }, async ({ page, target, person }) => {
    await page.goto('/limits')
    await page.getByRole('button', { name: limitsText.form.addCurrency }).click()
    const daily = page.getByRole('group', { name: currencyText.newTitle }).getByLabel(limitsText.form.daily)
    await daily.fill('30')
    await endSessions(page)
    await signIn(page, target, person.email, '/limits?add=currency')
    await expect(daily).toHaveValue('30')
  })
})

test('what was typed before the page worked outlives the session, too', { tag: ['@phone', '@long'] }, async ({
  page,
  target,
  person,
}) => {
  const name = page.getByLabel(agentsText.new.name, { exact: true })
  const type = () => name.fill(NAME)
  await useEarly(page, '/agents/new', type, () => endSessions(page))
  await signIn(page, target, person.email, '/agents/new')
  await expect(name).toHaveValue(NAME)
})

test('what was typed is not shown to another person who signs in on the same tab', { tag: '@phone' }, async ({
  page,
  target,
  person,
}) => {
  const { email } = await newPrincipal(target)
  expect(email).not.toBe(person.email)
  await page.goto('/agents/new')
  const name = page.getByLabel(agentsText.new.name, { exact: true })
  await name.fill(NAME)
  await endSessions(page)
  await signIn(page, target, email, '/agents/new')
  await expect(name).toBeVisible()
  await expect(name).toHaveValue('')
  expect(await page.evaluate(() => JSON.stringify(window.sessionStorage))).not.toContain(NAME)
})

test('a tab that slept while another person signed in shows and does nothing as that person', {
  tag: ['@phone', '@long'],
}, async ({ page, target, person }) => {
  const { email } = await newPrincipal(target)
  expect(email).not.toBe(person.email)
  await page.route(EVERYTHING_LIVE, (route) => route.abort())
  const cutOff = page.waitForEvent('requestfailed', (request) => request.url().includes('session.changes'))
  await page.goto('/limits')
  await cutOff
  const elsewhere = await page.context().newPage()
  await elsewhere.goto('/')
  await signOut(elsewhere)
  await expect(elsewhere).toHaveURL(/\/sign-in$/)
  await signIn(elsewhere, target, email)

  let isLeft = false
  const answered: string[] = []
  page.on('framenavigated', () => {
    isLeft = true
  })
  page.on('response', (answer) => {
    const tells = answer.ok() && /api\/trpc\/(?!session\.changes)/.test(answer.url())
    if (!isLeft && tells) answered.push(answer.url())
  })
  await page.unroute(EVERYTHING_LIVE)
  await expect.poll(() => isLeft, { timeout: BACK_MS }).toBe(true)
  expect(answered).toEqual([])
  await expect(page).toHaveURL('/limits')
  await page.goto('/settings/notifications')
  await expect(shown(page, notificationsText.notifications.address.inUse(email))).toBeVisible()
})

test('signing in in another tab brings this one back to where it was', { tag: ['@phone', '@long'] }, async ({
  page,
  target,
  person,
}) => {
  await page.goto('/limits')
  const elsewhere = await endSessions(page)
  await expect(page).toHaveURL(/\/sign-in\?next=%2Flimits&ended=everywhere$/)
  await signIn(elsewhere, target, person.email)
  await page.bringToFront()
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(page).toHaveURL('/limits')
})

test('a page says that its person signed out in another window', async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await page.goto('/limits')
  const elsewhere = await page.context().newPage()
  await elsewhere.goto('/')
  await signOut(elsewhere)
  await expect(elsewhere).toHaveURL(/\/sign-in$/)
  await expect(shown(page, signInText.ended.window)).toBeVisible()
})

test('a person who could not be signed out is told, and is signed out with "Try again"', async ({
  page,
  context,
  person,
}) => {
  expect(person.email).not.toBe('')
  await page.goto('/limits')
  await openAccount(page)
  await context.setOffline(true)
  await signOutButton(page, layoutText.signOut).click()
  const told = page.getByRole('alert').filter({ hasText: failureText.offline })
  await expect(told).toBeVisible()
  await expect(page).toHaveURL('/limits')
  await context.setOffline(false)
  await told.getByRole('button', { name: failureText.retry }).click()
  await expect(page).toHaveURL(/\/sign-in$/)
  await page.goto('/limits')
  await expect(page).toHaveURL(/\/sign-in\?next=%2Flimits$/)
})

test('a word that names no end of a session says nothing', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/sign-in?ended=hacked')
  await expect(page.getByRole('heading', { level: 1, name: signInText.title })).toBeVisible()
  const { window, everywhere, security, goOn } = signInText.ended
  for (const words of [window, everywhere, security, goOn]) await expect(shown(page, words)).toHaveCount(0)
})

test('an unused page asks whether the person is there before it signs them out', async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await page.clock.install()
  await page.goto('/')
  await expect(shown(page, idle.title)).toBeHidden()
  // A page is seen a moment before it counts the time.
  await expect(async () => {
    await page.clock.fastForward(IDLE_MS)
    await expect(shown(page, idle.title)).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: 15_000 })
  await page.getByRole('button', { name: idle.stay }).click()
  await page.clock.runFor(2_000)
  await expect(shown(page, idle.title)).toBeHidden()
})

test.describe('an open request', () => {
  test.use({ personOptions: { card: 'success', approval_rule: 'every_purchase' } })

  test('the page of a request that waits keeps the session alive by itself', { tag: '@phone' }, async ({
    page,
    target,
    person,
  }) => {
    const agent = await Agent.register(target, person.principalId)
    expect((await agent.push((await agent.purchase()).form)).status).toBe(201)
    const [pending] = await (await Person.signIn(target, person.principalId)).pending()
    await page.clock.install()
    await page.goto(`/approve/${String(pending?.['authorization_id'])}`)
    await expect(approveButton(page, '€12.00')).toBeEnabled()
    const read = page.waitForRequest((request) => request.url().includes('approvals.one'))
    await page.clock.fastForward(IDLE_MS)
    await read
    await expect(shown(page, idle.title)).toBeHidden()
  })
})

test.describe('without a network', () => {
  test.use({ personOptions: { card: 'success', approval_rule: 'every_purchase' } })

  test('a press on approve decides nothing, says so at once, and is not sent later', { tag: '@phone' }, async ({
    page,
    context,
    target,
    person,
  }) => {
    const agent = await Agent.register(target, person.principalId)
    expect((await agent.push((await agent.purchase()).form)).status).toBe(201)
    const wallet = await Person.signIn(target, person.principalId)
    const [pending] = await wallet.pending()
    await page.goto(`/approve/${String(pending?.['authorization_id'])}`)
    await expect(approveButton(page, '€12.00')).toBeEnabled()
    // The page fetches what it shows when the network is away once it works.
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    await approveButton(page, '€12.00').click()
    await expect(page.getByRole('alert').filter({ hasText: failureText.offline })).toBeVisible()

    await context.setOffline(false)
    // What waited for the network would be sent before this.
    expect(await page.evaluate(async () => (await fetch('/readyz')).status)).toBe(200)
    expect(await wallet.pending()).toHaveLength(1)
    await declineButton(page).click()
    await expect(outcome(page, consentText.declined.heading)).toBeVisible()
    expect(await wallet.pending()).toHaveLength(0)
  })
})
