import type { Page } from '@playwright/test'
import { pushText } from '@/components/push/messages'
import { relaxText } from '@/components/security/relax-messages'
import { Agent } from '@/test/support/actors'
import { type PushBrowser, startPushService } from '@/test/support/push-service'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { shown, visit } from '../support/portal'
import { readOutbox } from '../support/sign-in'

const PATH = '/settings/notifications'

/** One screen is enough: what differs is the browser, which is replaced here. */
test.use({ personOptions: { card: 'success', approval_rule: 'every_purchase' } })

/** A headless browser has no push service, so the page gets a subscription of one on this machine. */
async function lendSubscription(page: Page, { endpoint, p256dh, auth }: PushBrowser): Promise<void> {
  await page.addInitScript(
    ({ address, keys }) => {
      const KEY = 'lent-subscription'
      const subscription = {
        endpoint: address,
        options: { applicationServerKey: null },
        toJSON: () => ({ endpoint: address, keys }),
        unsubscribe: () => {
          sessionStorage.removeItem(KEY)
          return Promise.resolve(true)
        },
      }
      const pushManager = {
        getSubscription: () => Promise.resolve(sessionStorage.getItem(KEY) === null ? null : subscription),
        subscribe: () => {
          sessionStorage.setItem(KEY, 'yes')
          return Promise.resolve(subscription)
        },
      }
      const registration = { pushManager }
      Object.defineProperty(navigator, 'serviceWorker', {
        value: {
          register: () => Promise.resolve(registration),
          ready: Promise.resolve(registration),
          getRegistration: () => Promise.resolve(registration),
        },
      })
      Object.defineProperty(window, 'Notification', {
        value: { permission: 'granted', requestPermission: () => Promise.resolve('granted') },
      })
      Object.defineProperty(window, 'PushManager', { value: Object })
    },
    { address: endpoint, keys: { p256dh, auth } },
  )
}

test('a person turns messages on in a browser, tries them, hides amounts and turns them off', {
  tag: ['@desktop', '@long'],
}, async ({ page, target, person }) => {
  const pushes = await startPushService()
  await lendSubscription(page, pushes.subscribe())
  const section = page.getByRole('region', { name: pushText.title })

  await test.step('a new device is confirmed', async () => {
    await visit(page, PATH)
    await expect(section.getByText(pushText.states.off)).toBeVisible()
    await expectNoViolations(page, 'messages on this device, off')
    await section.getByRole('button', { name: pushText.turnOn, exact: true }).click()
    const dialog = page.getByRole('alertdialog', { name: pushText.ask.title })
    await dialog.getByRole('button', { name: relaxText.confirm }).click()
    await expect(dialog).toBeHidden()
    await expect(section.getByText(pushText.states.on)).toBeVisible()
    await expect(section.getByRole('listitem')).toHaveCount(1)
    await expectNoViolations(page, 'messages on this device, on')
  })

  await test.step('it is still on after the page was loaded again, and a test message arrives', async () => {
    await visit(page, PATH)
    await expect(section.getByText(pushText.states.on)).toBeVisible()
    await section.getByRole('button', { name: pushText.test.button }).click()
    await expect(section.getByRole('status').filter({ hasText: /Accepted by the push service at/ })).toBeVisible()
    expect(pushes.received.at(-1)?.message).toMatchObject({ title: 'Test message' })
  })

  await test.step('a request arrives, without amount and shop once they are hidden', async () => {
    const agent = await Agent.register(target, person.principalId)
    expect((await agent.push((await agent.purchase()).form)).status).toBe(201)
    await expect
      .poll(() => pushes.received.at(-1)?.message)
      .toMatchObject({ title: '€12.00 to Tallow Books?', url: expect.stringMatching(/^\/approve\//) })
    await section.getByRole('checkbox', { name: pushText.hide.label }).click()
    await expect(section.getByRole('checkbox', { name: pushText.hide.label })).toBeChecked()
    expect((await agent.push((await agent.purchase()).form)).status).toBe(201)
    await expect.poll(() => pushes.received.at(-1)?.message).toMatchObject({ title: 'Something waits for you' })
  })

  await test.step('it is turned off at once, and the person is told', async () => {
    await section.getByRole('button', { name: /^Turn off / }).click()
    await expect(shown(page, pushText.states.off)).toBeVisible()
    await expect(section.getByRole('listitem')).toHaveCount(0)
    await expect(section.getByRole('heading', { level: 2 })).toBeFocused()
    await expect
      .poll(async () => (await readOutbox(target, person.email)).map(({ subject }) => subject))
      .toContain('Messages of your wallet were turned off in a browser')
  })
  await pushes.close()
})

test('the service worker answers no request, and the manifest has what phones need', {
  tag: '@desktop',
}, async ({ page }) => {
  const worker = await page.request.get('/sw.js')
  expect(worker.headers()).toMatchObject({
    'content-type': expect.stringContaining('javascript'),
    'cache-control': 'no-cache',
    'content-security-policy': "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
  })
  expect(await worker.text()).not.toMatch(/addEventListener\('fetch'|caches\./)
  const manifest = (await (await page.request.get('/manifest.webmanifest')).json()) as {
    icons: { src: string; sizes: string; purpose?: string }[]
  }
  expect(manifest).toMatchObject({ id: '/', start_url: '/', scope: '/', display: 'standalone' })
  expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']))
  expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true)
  for (const { src } of manifest.icons) expect((await page.request.get(src)).status(), src).toBe(200)
})
