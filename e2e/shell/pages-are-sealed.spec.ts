import type { APIRequestContext, Page } from '@playwright/test'
import { layoutText } from '@/components/layout/messages'
import { layoutTextDe } from '@/components/layout/messages.de'
import { staleText } from '@/components/layout/stale-messages'
import { staleTextDe } from '@/components/layout/stale-messages.de'
import { failureText } from '@/components/ui/failure-messages'
import { Agent, Person } from '@/test/support/actors'
import { expect, test } from '../support/fixtures'
import { loseLaterScripts } from '../support/lost-scripts'
import { WALLET_PAGES } from '../support/portal'

/** Headers are the same on every screen. */
const once = { tag: '@desktop' }

const DIRECTIVES = [
  "default-src 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "object-src 'none'",
  "form-action 'self'",
]

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': expect.stringContaining('no-store'),
  'permissions-policy': expect.stringContaining('camera=()'),
}

async function read(request: APIRequestContext, path: string) {
  const answer = await request.get(path, { headers: { accept: 'text/html' }, maxRedirects: 0 })
  const policy = answer.headers()['content-security-policy'] ?? ''
  return { status: answer.status(), headers: answer.headers(), policy, html: await answer.text() }
}

/** Inline scripts, and whether each may run under the policy. */
function scriptsOf(html: string, nonce: string) {
  const tags = html.match(/<script\b[^>]*>/g) ?? []
  return { count: tags.length, sealed: tags.every((tag) => tag.includes(`nonce="${nonce}"`)) }
}

interface Sealed {
  readonly status: number
  /** Every page of the portal has them; the one for an unknown address has none. */
  readonly hasScripts?: boolean
}

async function expectSealed(
  request: APIRequestContext,
  path: string,
  { status, hasScripts = true }: Sealed,
): Promise<string> {
  const { headers, policy, html, ...answer } = await read(request, path)
  expect.soft(answer.status, path).toBe(status)
  expect.soft(headers, path).toMatchObject(HEADERS)
  // Two policies would come as one header with a comma.
  expect.soft(policy, path).not.toContain(',')
  for (const directive of DIRECTIVES) expect.soft(policy, path).toContain(directive)
  const nonce = /script-src 'self' 'nonce-([A-Za-z0-9+/=]{24})' 'strict-dynamic'/.exec(policy)?.[1] ?? 'none'
  expect.soft(nonce, path).not.toBe('none')
  const scripts = scriptsOf(html, nonce)
  expect.soft(scripts.count > 0, `${path}: scripts are found`).toBe(hasScripts)
  expect.soft(scripts.sealed, `${path}: every script has the nonce`).toBe(true)
  expect.soft(html, path).not.toMatch(/\son\w+=["']/)
  // Search engines see the sign-in page only; what is not there says itself that it is not to be listed.
  if (status === 200) expect.soft(html, path).not.toContain('noindex')
  return nonce
}

test('every page of the wallet has its own content security policy', once, async ({ page, target, person }) => {
  const agent = await Agent.register(target, person.principalId)
  expect((await agent.push((await agent.purchase()).form)).status).toBe(201)
  const [asked] = await (await Person.signIn(target, person.principalId)).pending()
  const pages: readonly (readonly [string, number])[] = [
    ...WALLET_PAGES.map((path) => [path, 200] as const),
    [`/approve/${String(asked?.['authorization_id'])}`, 200],
    [`/approve/${crypto.randomUUID()}`, 404],
    [`/agents/${agent.clientId}`, 200],
    ['/agents/unknown', 404],
    ['/payments/unknown', 404],
    ['/payments/confirm/unknown', 404],
  ]
  const nonces = []
  for (const [path, status] of pages) nonces.push(await expectSealed(page.request, path, { status }))
  expect(new Set(nonces).size).toBe(pages.length)
})

test('every page outside the wallet has its own content security policy', once, async ({ request }) => {
  for (const path of ['/sign-in', '/sign-in/confirm', '/mailed-link', '/verify', '/accessibility']) {
    await expectSealed(request, path, { status: 200 })
  }
  await expectSealed(request, '/sign-in/nothing', { status: 404, hasScripts: false })
  const link = await read(request, '/magic-link?token=unknown')
  expect(link.headers).toMatchObject(HEADERS)
  expect(link.policy).toContain("frame-ancestors 'none'")
})

test(
  'built files and what answers below /api/ may not be framed or taken for something else',
  once,
  async ({ request }) => {
    const { html } = await read(request, '/sign-in')
    const built = html.match(/\/_next\/static\/[\w./~-]+\.(?:js|css)/g) ?? []
    expect(built.length).toBeGreaterThan(1)
    for (const path of [...built.slice(0, 2), '/sw.js', '/icon.svg', '/api/auth/csrf']) {
      const { status, headers, policy } = await read(request, path)
      expect.soft(status, path).toBe(200)
      expect.soft(headers, path).toMatchObject({ 'x-content-type-options': 'nosniff' })
      expect.soft(policy, path).toContain("frame-ancestors 'none'")
    }
  },
)

test('an unknown address is answered 404 with a page without scripts', once, async ({ request }) => {
  const { status, policy, html } = await read(request, '/nothing/of/the/kind')
  expect(status).toBe(404)
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(html).not.toContain('<script')
  const headers = { accept: 'text/html', 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' }
  const german = await (await request.get('/nothing', { headers })).text()
  expect(german).toContain('<html lang="de">')
  for (const words of Object.values(layoutText.notFound)) expect(html).toContain(words)
  for (const words of Object.values(layoutTextDe.notFound)) expect(german).toContain(words)
  for (const cookie of ['theme=dark; locale=en', 'theme=dark; __Host-locale=en']) {
    const chosen = { ...headers, cookie }
    const themed = await (await request.get('/nothing', { headers: chosen })).text()
    expect(themed, cookie).toContain('<html lang="en">')
    expect(themed, cookie).toContain('color-scheme: dark;')
  }
})

/** What the server sent does not reach the browser as it was. */
async function changePayments(page: Page, sent: string, received: string): Promise<void> {
  await page.route('**/payments', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replaceAll(sent, received) })
  })
}

test('a page that fails to render says so', once, async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await changePayments(page, '\\"payments\\":[', '\\"payments\\":5,\\"lost\\":[')
  await page.goto('/payments')
  await expect(page.getByRole('alert').filter({ hasText: failureText.page.body })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: failureText.page.title })).toBeFocused()
})

for (const [locale, { stale, reload }] of [
  ['en', staleText],
  ['de', staleTextDe],
] as const) {
  for (const [what, sent, received] of [
    ['page', '\\"payments\\":[', '\\"payments\\":5,\\"lost\\":['],
    ['shell of the wallet', '\\"initialPending\\":{', '\\"initialPending\\":{\\"pending\\":5},\\"lost\\":{'],
    ['root of the portal', '\\"PortalProvider\\"', '\\"Lost\\"'],
  ] as const) {
    test(`a ${what} that fails when no script can be fetched any more offers to reload (${locale})`, {
      tag: ['@desktop', '@long'],
    }, async ({ page, person, target }) => {
      expect(person.email).not.toBe('')
      await page.context().addCookies([{ name: 'locale', value: locale, url: target.baseUrl }])
      await loseLaterScripts(page, '/payments')
      await changePayments(page, sent, received)
      await page.goto('/payments')
      await expect(page.getByRole('alert').filter({ hasText: stale })).toBeVisible()
      await page.unrouteAll()
      await page.getByRole('button', { name: reload }).click()
      await expect(page.getByRole('alert').filter({ hasText: stale })).toBeHidden()
      await expect(page.locator('html')).toHaveAttribute('lang', locale)
    })
  }
}
