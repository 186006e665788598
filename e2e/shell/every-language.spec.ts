import type { Page } from '@playwright/test'
import { PRODUCT } from '@/components/layout/product'
import { limitsText } from '@/components/limits/messages'
import { limitsTextDe } from '@/components/limits/messages.de'
import { signInText } from '@/components/sign-in/messages'
import { signInTextDe } from '@/components/sign-in/messages.de'
import { Agent, newPrincipal, Person, type Target } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { measureFit } from '../support/fit'
import { expect, test } from '../support/fixtures'
import { openAccount, visit, WALLET_PAGES } from '../support/portal'
import { dropSession, signIn } from '../support/sign-in'

/** A look at every page takes its time. */
const PATIENCE_MS = 240_000
const AGENT = 'Research helper'
const LIMITS = { currency: 'EUR', daily_cap_minor: 5000, single_txn_cap_minor: 3000, velocity_count: 9 }
const WALLET = {
  card: 'success',
  approval_rule: 'above_limits',
  limits: { ...LIMITS, velocity_window_seconds: 3600 },
} as const

/** Every page of the wallet, with something to see on each. */
async function pagesOf(target: Target, principalId: string): Promise<string[]> {
  const agent = await Agent.register(target, principalId, { client_name: AGENT, purpose: 'Buys what I read' })
  const { access_token: token, mandate_jwt: mandate } = await agent.buy()
  const settled = await agent.settle<{ payment_intent_id: string }>(token, mandate, crypto.randomUUID())
  expect(settled.status).toBe(200)
  const wallet = await Person.signIn(target, principalId)
  const rule = { merchant_audience: 'https://shop.example', agent_client_id: agent.clientId, verdict: 'deny' }
  expect((await wallet.call('POST', '/wallet/merchant-rules', rule)).status).toBe(200)
  const { form } = await agent.purchase({ amount_minor: 3100 })
  expect((await agent.push(form)).status).toBe(201)
  const [asked] = await wallet.pending()
  return [
    ...WALLET_PAGES,
    `/approve/${String(asked?.['authorization_id'])}`,
    `/approve/${crypto.randomUUID()}`,
    `/agents/${agent.clientId}`,
    `/payments/${settled.json.payment_intent_id}`,
  ]
}

const OUTSIDE = [
  '/sign-in',
  '/sign-in/confirm',
  '/magic-link?token=unknown',
  '/mailed-link',
  '/erased',
  '/verify',
  '/accessibility',
]

const WIDTHS = [360, 320] as const

async function expectToFit(page: Page, where: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    expect.soft(await measureFit(page), `${where} at ${width} px`).toMatchObject({ beyond: 0, clipped: [] })
  }
}

/** Texts of the page that are in plain English although the made-up language brackets all that is ours. */
function plainWords(page: Page): Promise<string[]> {
  return page.evaluate(
    (names) => {
      // Names, codes, amounts and times are not ours to translate; each language is written in itself.
      const foreign = 'bdi, code, kbd, time, pre, svg, option, input, .tabular-nums, [lang]:not(html), [data-foreign]'
      const walker = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT)
      const found: string[] = []
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const element = node.parentElement
        const text = (node.textContent ?? '').trim()
        if (element === null || !/\p{L}{2}/u.test(text) || element.closest(foreign) !== null) continue
        if (!element.checkVisibility({ visibilityProperty: true })) continue
        if (!text.includes('[') && !text.includes(']')) found.push(text)
      }
      // Nor are a currency's code, a card's number, and what the agent (with the tail of its key) and this product are called.
      const isName = (text: string) => names.includes(text.replace(/ …[\w-]{4}$/, ''))
      return found.filter((text) => !/^[A-Z]{3}(?:, [A-Z]{3})*$|••••/.test(text) && !isName(text))
    },
    [AGENT, PRODUCT],
  )
}

interface Tongue {
  readonly locale: 'de' | 'en-XA' | 'ar-XB'
  readonly tag: readonly string[]
  /** What a page in this language must hold beside having room. */
  readonly alsoExpect: (page: Page, path: string) => Promise<void>
}

/** So many pages are also judged by axe, since a direction changes little else. */
const JUDGED = ['/', '/limits']

const tongues: readonly Tongue[] = [
  { locale: 'de', tag: ['@phone', '@long'], alsoExpect: async () => undefined },
  {
    locale: 'en-XA',
    tag: ['@phone', '@long'],
    alsoExpect: async (page, path) => expect.soft(await plainWords(page), `plain English on ${path}`).toEqual([]),
  },
  {
    locale: 'ar-XB',
    tag: ['@phone', '@long'],
    alsoExpect: async (page, path) => {
      await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
      if (JUDGED.includes(path)) await expectNoViolations(page, path)
    },
  },
]

for (const { locale, tag, alsoExpect } of tongues) {
  test(`every page has room for ${locale}, down to 320 px`, { tag: [...tag] }, async ({ page, target }) => {
    test.setTimeout(PATIENCE_MS)
    const { principalId, email } = await newPrincipal(target, WALLET)
    const paths = await pagesOf(target, principalId)
    await signIn(page, target, email)
    for (const path of [...paths, ...OUTSIDE]) {
      if (OUTSIDE.includes(path)) await dropSession(page)
      await page.context().addCookies([{ name: 'locale', value: locale, url: target.baseUrl }])
      await visit(page, path)
      await expect(page.locator('html')).toHaveAttribute('lang', locale)
      await expectToFit(page, `${locale} ${path}`)
      await alsoExpect(page, path)
    }
  })
}

test('the sidebar is on the right in a language that is written from right to left', { tag: '@desktop' }, async ({
  page,
  target,
  person,
}) => {
  expect(person.email).not.toBe('')
  await page.goto('/')
  const sidebar = page.getByRole('complementary')
  expect((await sidebar.boundingBox())?.x).toBe(0)
  await page.context().addCookies([{ name: 'locale', value: 'ar-XB', url: target.baseUrl }])
  await page.reload()
  const box = await sidebar.boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBe(page.viewportSize()?.width)
  await sidebar.getByRole('button').click()
  const menu = await page.getByRole('menu').boundingBox()
  expect(menu?.x ?? 0).toBeGreaterThanOrEqual(box?.x ?? 0)
})

test('a language is chosen on the sign-in page and in the account, and typed text stays', async ({ page, target }) => {
  const limits = { currency: 'EUR', daily_cap_minor: 5_000, single_txn_cap_minor: 2_000 }
  const { email } = await newPrincipal(target, { limits })
  await page.goto('/sign-in')
  await page.getByLabel(signInText.email).fill(email)
  await page.getByRole('radio', { name: 'Deutsch' }).check({ force: true })
  await expect(page.getByRole('button', { name: signInTextDe.submit })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect(page).toHaveTitle(new RegExp(`^${signInTextDe.title}`))
  await expect(page.getByLabel(signInTextDe.email)).toHaveValue(email)

  await page.context().clearCookies({ name: 'locale' })
  await signIn(page, target, email)
  await page.goto('/limits')
  await page.getByLabel(limitsText.form.daily).fill('33.50')
  await openAccount(page)
  const phone = page.getByRole('radio', { name: 'Deutsch' })
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).or(phone).click({ force: true })
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { level: 1, name: limitsTextDe.title })).toBeVisible()
  await expect(page.getByLabel(limitsTextDe.form.daily)).toHaveValue('33.50')
  await expect(page.getByLabel(limitsTextDe.form.single)).toHaveValue('20,00')
  await expect(page).toHaveURL('/limits')
  await page.goto('/payments')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
})

test('a browser that prefers German gets pages in German', { tag: '@desktop' }, async ({ browser, target }) => {
  const context = await browser.newContext({ locale: 'de-AT', baseURL: target.baseUrl })
  const page = await context.newPage()
  await page.goto('/sign-in')
  await expect(page.getByRole('button', { name: signInTextDe.submit })).toBeVisible()
  await context.close()
})
