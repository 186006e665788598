import type { Locator, Page } from '@playwright/test'
import { agentsText } from '@/components/agents/messages'
import { frozenText } from '@/components/layout/frozen-messages'
import { liveText } from '@/components/layout/live-messages'
import { layoutText } from '@/components/layout/messages'
import { merchantsText } from '@/components/merchants/messages'
import { securityText } from '@/components/security/messages'
import { failureText } from '@/components/ui/failure-messages'
import { expectNoViolations } from '../support/accessible'
import { untilQuiet } from '../support/browser-measures'
import { loseNextCall } from '../support/calls'
import { expect, test } from '../support/fixtures'
import { holdPasskey } from '../support/passkey-holder'
import { shown, useEarly } from '../support/portal'

const { recovery } = securityText

const PHONE = { width: 360, height: 740 }
const NAME = 'Claude Code on ada-mbp'

const notice = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const retryButton = (page: Page) => page.getByRole('button', { name: failureText.retry })
const freeze = (page: Page) => page.getByRole('button', { name: layoutText.freeze })

/** Opens a page, and waits until it works and has loaded what it loads by itself. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(freeze(page)).not.toHaveAttribute('popovertarget')
  await untilQuiet(page)
}

test('without a network a press says so in sight, and is sent again with "Try again"', { tag: '@phone' }, async ({
  page,
  context,
  person,
}) => {
  expect(person.email).not.toBe('')
  await page.setViewportSize(PHONE)
  await open(page, '/payments')
  await context.setOffline(true)
  await expect(shown(page, liveText.offline)).toBeVisible()
  await expect(page.getByRole('button', { name: liveText.retry })).toBeVisible()
  await freeze(page).click()
  await expect(notice(page, 'You are offline. Nothing was changed.')).toBeInViewport({ ratio: 1 })
  // The same is not said twice, and nothing says that spending is frozen.
  await expect(shown(page, failureText.offline)).toHaveCount(1)
  await expect(freeze(page)).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await expect(notice(page, failureText.offline)).toBeInViewport({ ratio: 1 })
  await expectNoViolations(page, 'offline')
  await context.setOffline(false)
  await notice(page, failureText.title).or(notice(page, failureText.offline)).getByRole('button').click()
  await expect(shown(page, frozenText.title, { exact: true })).toBeVisible()
  await expect(notice(page, failureText.offline)).toBeHidden()
})

test('a press whose answer was lost with the network is not said to have changed nothing', {
  tag: ['@phone', '@long'],
}, async ({ page, context, person }) => {
  expect(person.email).not.toBe('')
  await open(page, '/payments')
  await page.route('**/api/trpc/limits.freeze**', async (route) => {
    expect((await route.fetch()).status()).toBe(200)
    await context.setOffline(true)
    await route.abort('internetdisconnected')
  })
  await freeze(page).click()
  await expect(notice(page, failureText.lost)).toBeVisible()
  await expect(notice(page, failureText.offline)).toHaveCount(0)
})

test('a failure says that nothing was changed, with its identifier under "Details"', { tag: '@phone' }, async ({
  page,
  person,
}) => {
  expect(person.email).not.toBe('')
  await page.setViewportSize(PHONE)
  await page.route('**/api/trpc/limits.freeze**', (route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/json',
      body: JSON.stringify([
        {
          error: {
            message: 'An internal error occurred.',
            code: -32603,
            data: {
              code: 'INTERNAL_SERVER_ERROR',
              httpStatus: 500,
              error: 'server_error',
              request_id: 'request-17',
              members: {},
            },
          },
        },
      ]),
    }),
  )
  await open(page, '/payments')
  await freeze(page).click()
  const failed = notice(page, 'That did not work. Nothing was changed.')
  await expect(failed).toBeInViewport({ ratio: 1 })
  await expect(shown(page, 'request-17')).toHaveCount(0)
  await failed.getByText(failureText.details).click()
  await expect(shown(page, 'request-17')).toBeVisible()
  // Nothing says that spending is frozen, since it is not.
  await expect(freeze(page)).toBeVisible()
  await page.unrouteAll()
  await failed.getByRole('button', { name: failureText.retry }).click()
  await expect(shown(page, frozenText.title, { exact: true })).toBeVisible()
  await expect(failed).toBeHidden()
})

test('"Try again" does the whole of it: what was made is shown, and no failure stands beside it', {
  tag: ['@phone', '@long'],
}, async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await holdPasskey(page)
  await page.goto('/settings/security')
  await loseNextCall(page, 'security.makeRecoveryCodes')
  await page.getByRole('button', { name: recovery.make }).click()
  await retryButton(page).click()
  await expect(page.getByRole('list', { name: recovery.codes }).getByRole('listitem')).toHaveCount(10)
  await expect(retryButton(page)).toHaveCount(0)

  await page.goto('/merchants')
  const address = page.getByLabel(merchantsText.form.address).filter({ visible: true })
  await address.fill('https://kumo.example')
  await loseNextCall(page, 'merchants.saveRule')
  await page.getByRole('button', { name: merchantsText.form.save }).click()
  await retryButton(page).click()
  await expect(shown(page, merchantsText.form.saved)).toBeVisible()
  await expect(address).toHaveValue('')
  await expect(retryButton(page)).toHaveCount(0)
})

test('"Try again" goes on to the end where it could not be asked how to confirm', async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await page.goto('/payments')
  await freeze(page).click()
  await page.getByRole('button', { name: frozenText.unfreeze }).click()
  const dialog = page.getByRole('alertdialog', { name: frozenText.question })
  await loseNextCall(page, 'security.stepUpOptions')
  await dialog.getByRole('button', { name: frozenText.unfreeze }).click()
  await expect(dialog.getByRole('alert').filter({ hasText: failureText.title })).toBeVisible()
  await retryButton(page).click()
  await expect(dialog).toBeHidden()
  await expect(freeze(page)).toBeVisible()

  await page.goto('/agents/new')
  await page.getByLabel(agentsText.new.name, { exact: true }).fill(NAME)
  await loseNextCall(page, 'security.stepUpOptions')
  await page.getByRole('button', { name: agentsText.new.submit }).click()
  await retryButton(page).click()
  await expect(page.getByRole('heading', { name: agentsText.handOver.title(NAME) })).toBeVisible()
})

test('a press after the session has ended leads to the sign-in page, and keeps what was typed', async ({
  page,
  context,
  person,
}) => {
  expect(person.email).not.toBe('')
  await open(page, '/agents/new')
  const name = page.getByLabel(agentsText.new.name, { exact: true })
  await name.fill(NAME)
  await context.clearCookies()
  await freeze(page).click()
  await expect(notice(page, 'You are signed out. What you entered is still here.')).toBeVisible()
  await expect(name).toHaveValue(NAME)
  await page.getByRole('button', { name: failureText.signIn }).click()
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fagents%2Fnew/)
})

async function edgesOf(part: Locator) {
  const { y, height } = (await part.boundingBox()) ?? { y: 0, height: 0 }
  return { top: y, bottom: y + height }
}

test('that spending is frozen stands below the header of every page, and covers nothing', {
  tag: ['@phone', '@long'],
}, async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await page.setViewportSize(PHONE)
  await page.goto('/payments')
  await freeze(page).click()
  const frozen = page.getByRole('status').filter({ hasText: frozenText.title })
  for (const path of ['/payments', '/agents', '/limits', '/settings/privacy']) {
    if (path !== '/payments') await page.goto(path)
    await expect(frozen).toBeInViewport({ ratio: 1 })
    const [header, notices, title] = await Promise.all([
      edgesOf(page.getByRole('banner')),
      edgesOf(frozen),
      edgesOf(page.getByRole('heading', { level: 1 })),
    ])
    expect(notices.top).toBeGreaterThanOrEqual(header.bottom)
    expect(title.top).toBeGreaterThanOrEqual(notices.bottom)
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await expect(frozen).toBeInViewport({ ratio: 1 })
  }
})

test('a press on "Freeze spending" before the page works is not lost', async ({ page, person }) => {
  expect(person.email).not.toBe('')
  const press = async () => {
    await freeze(page).click()
    await expect(shown(page, layoutText.freezing)).toBeVisible()
  }
  const isFrozen = () => expect(shown(page, frozenText.title, { exact: true })).toBeVisible()
  await useEarly(page, '/payments', press, isFrozen)
  await expect(shown(page, layoutText.freezing)).toBeHidden()
})

test('a freeze is sent although nothing that shows it arrives', { tag: '@phone' }, async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await page.goto('/payments')
  await expect(freeze(page)).not.toHaveAttribute('popovertarget')
  await page.route('**/_next/static/**', () => undefined)
  const sent = page.waitForResponse((response) => response.url().includes('limits.freeze'))
  await freeze(page).click()
  expect((await sent).status()).toBe(200)
})
