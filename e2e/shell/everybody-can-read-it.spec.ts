import { expect } from '@playwright/test'
import { agentsText } from '@/components/agents/messages'
import { layoutText } from '@/components/layout/messages'
import { limitsText } from '@/components/limits/messages'
import { merchantsText } from '@/components/merchants/messages'
import { Agent, must, newPrincipal, operate, Person, type Target } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { test } from '../support/fixtures'
import { openAccount, pressUntil, shown, visit, WALLET_PAGES } from '../support/portal'
import { mailedLink, requestLink, signIn } from '../support/sign-in'

const NARROWEST = { width: 320, height: 640 }
const LONG_NAME = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen-Einkaufsassistent'
/** A look at every page takes its time, twice. */
const PATIENCE_MS = 240_000

interface Wallet {
  readonly email: string
  readonly paths: readonly string[]
}

/** Somebody whose wallet holds one of everything that a page can show. */
async function fullWallet(target: Target): Promise<Wallet> {
  const limits = { currency: 'EUR', daily_cap_minor: 5000, single_txn_cap_minor: 3000, velocity_count: 9 }
  const { principalId, email } = await newPrincipal(target, {
    approval_rule: 'above_limits',
    limits: { ...limits, velocity_window_seconds: 3600 },
  })
  const [agent, revoked] = await Promise.all([
    Agent.register(target, principalId, { client_name: LONG_NAME, purpose: LONG_NAME.repeat(3) }),
    Agent.register(target, principalId, { client_name: 'Old assistant' }),
  ])
  const wallet = await Person.signIn(target, principalId)
  expect((await wallet.call('POST', `/wallet/agents/${revoked.clientId}/revoke`)).status).toBe(200)
  const { access_token: token, mandate_jwt: mandate } = await agent.buy()
  const settled = await agent.settle<{ payment_intent_id: string }>(token, mandate, crypto.randomUUID())
  expect(settled.status).toBe(200)
  const rule = { merchant_audience: 'https://shop.example', agent_client_id: agent.clientId, verdict: 'deny' }
  expect((await wallet.call('POST', '/wallet/merchant-rules', rule)).status).toBe(200)
  const declined = await ask(agent, wallet, 3100)
  await wallet.decide(declined, 'decline')
  const approved = await ask(agent, wallet, 3200)
  await wallet.decide(approved, 'approve')
  const waiting = await ask(agent, wallet, 3300)
  const access = await askAccess(agent, wallet)
  return {
    email,
    paths: [
      ...WALLET_PAGES,
      ...[waiting, access, approved, declined, crypto.randomUUID()].map((id) => `/approve/${id}`),
      ...[agent, revoked].map(({ clientId }) => `/agents/${clientId}`),
      '/payments?status=disputed_lost',
      `/payments/${settled.json.payment_intent_id}`,
    ],
  }
}

/** Somebody who has just been given a wallet: no card, no agent, no limits. */
async function emptyWallet(target: Target): Promise<string> {
  const email = `${crypto.randomUUID()}@example.com`
  must(await operate(target, 'POST', '/principals', { wallet_client_id: 'portal', email }), 201)
  return email
}

async function ask(agent: Agent, wallet: Person, amount: number): Promise<string> {
  const { form } = await agent.purchase({ amount_minor: amount })
  return pushAndFind(agent, wallet, form)
}

async function askAccess(agent: Agent, wallet: Person): Promise<string> {
  const { form } = await agent.walletAccess('wallet:read wallet:write')
  return pushAndFind(agent, wallet, form)
}

async function pushAndFind(agent: Agent, wallet: Person, form: Parameters<Agent['push']>[0]): Promise<string> {
  const before = new Set((await wallet.pending()).map(({ authorization_id: id }) => id))
  expect((await agent.push(form)).status).toBe(201)
  const added = (await wallet.pending()).find(({ authorization_id: id }) => !before.has(id))
  return String(added?.['authorization_id'])
}

test('no page of the wallet breaks a rule of WCAG 2.2 AA', async ({ page, target }) => {
  test.setTimeout(PATIENCE_MS)
  const { email, paths } = await fullWallet(target)
  await signIn(page, target, email)
  for (const path of paths) {
    await visit(page, path)
    await expectNoViolations(page, path)
  }
})

test('no page of an empty wallet breaks a rule of WCAG 2.2 AA', async ({ page, target }) => {
  test.setTimeout(PATIENCE_MS)
  await signIn(page, target, await emptyWallet(target))
  for (const path of WALLET_PAGES) {
    await visit(page, path)
    await expectNoViolations(page, `${path}, empty`)
  }
})

test('no page outside the wallet and no dialog breaks a rule of WCAG 2.2 AA', async ({ page, target }) => {
  test.setTimeout(PATIENCE_MS)
  const { email, paths } = await fullWallet(target)
  await visit(page, '/sign-in')
  await expectNoViolations(page, 'sign-in')
  await visit(page, '/magic-link?token=unknown')
  await expectNoViolations(page, 'a mailed link that is too old')
  await visit(page, '/mailed-link')
  await expectNoViolations(page, 'a link that confirms or undoes nothing')
  await visit(page, '/verify')
  await expectNoViolations(page, 'where evidence is checked')
  await visit(page, '/accessibility')
  await expectNoViolations(page, 'the statement on accessibility')
  await visit(page, '/sign-in/confirm')
  await expectNoViolations(page, 'an incomplete link')
  const link = await mailedLink(target, email, () => requestLink(page, email))
  await expectNoViolations(page, 'a link was sent')
  await visit(page, link)
  await expectNoViolations(page, 'a link')

  await signIn(page, target, email)
  await openAccount(page)
  await expectNoViolations(page, 'account')
  await visit(page, paths.find((path) => path.startsWith('/agents/') && path !== '/agents/new') ?? '')
  await page.getByRole('button', { name: agentsText.revoke.confirm, exact: true }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await expectNoViolations(page, 'revoke')
  await visit(page, '/limits')
  await page.getByLabel(limitsText.form.single).fill('31')
  await page.getByRole('button', { name: limitsText.form.save }).click()
  await expect(page.getByRole('alertdialog', { name: limitsText.raise.title })).toBeVisible()
  await expectNoViolations(page, 'raising a limit')
  await visit(page, '/merchants')
  await page.getByRole('radio', { name: merchantsText.who.listed }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await expectNoViolations(page, 'only listed merchants')
  await visit(page, '/')
  await pressUntil(page, ['Control+k'], () => expect(page.getByRole('dialog')).toBeVisible({ timeout: 1_000 }))
  await expectNoViolations(page, 'the palette')
  await visit(page, '/agents/new')
  await page.getByRole('button', { name: agentsText.new.submit }).click()
  await expect(shown(page, agentsText.new.nameMissing)).toBeVisible()
  await expectNoViolations(page, 'a plan without a name')
  await page.getByLabel(agentsText.new.name).fill(LONG_NAME)
  await page.getByRole('button', { name: agentsText.new.submit }).click()
  await expect(shown(page, agentsText.handOver.waiting)).toBeVisible()
  await expectNoViolations(page, 'the code')
})

test('no page scrolls sideways on the narrowest phone', { tag: '@phone' }, async ({ page, target }) => {
  const { email, paths } = await fullWallet(target)
  await signIn(page, target, email)
  await page.setViewportSize(NARROWEST)
  for (const path of paths) {
    await visit(page, path)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect.soft(width, path).toBeLessThanOrEqual(NARROWEST.width)
  }
  await expect(shown(page, layoutText.sandbox.local)).toBeVisible()
})
