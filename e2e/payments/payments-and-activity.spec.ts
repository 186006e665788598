import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { activityText } from '@/components/activity/messages'
import { agentsText } from '@/components/agents/messages'
import { decisionText } from '@/components/approvals/decision-messages'
import { developersText } from '@/components/developers/messages'
import { homeText } from '@/components/home/messages'
import { merchantsText } from '@/components/merchants/messages'
import { filterText } from '@/components/payments/filter-messages'
import { paymentsText } from '@/components/payments/messages'
import { paymentText } from '@/components/payments/payment-messages'
import { privacyText } from '@/components/privacy/messages'
import { securityActivityText } from '@/components/security/activity-messages'
import { uiText } from '@/components/ui/messages'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { shown, useEarly } from '../support/portal'
import { buy } from './buy'

const TARGET_MIN_PX = 44

test.use({ personOptions: { card: 'success', approval_rule: 'above_limits' } })

const rowsOf = (page: Page) => page.getByRole('list', { name: paymentsText.title }).getByRole('listitem')

async function download(page: Page, name: string): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()])
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

test('the download holds the payments that the filters select', async ({ page, target, person }) => {
  const { agent, paymentId } = await buy(target, person.principalId)
  const other = await buy(target, person.principalId)
  await page.goto('/payments')
  await expect(rowsOf(page)).toHaveCount(2)
  await page.goto(`/payments?status=succeeded&agent=${agent.clientId}`)
  await expect(rowsOf(page)).toHaveCount(1)
  const file = await download(page, paymentsText.csv.get)
  expect(file.name).toMatch(/^payments-\d{4}-\d\d-\d\d\.csv$/)
  const [header, ...rows] = file.text.trimEnd().split('\r\n')
  expect(header).toContain('payment_id,paid_at_utc,status,amount,amount_minor,currency')
  expect(rows).toHaveLength(1)
  expect(rows[0]).toContain(paymentId)
  expect(file.text).not.toContain(other.paymentId)

  await page.getByRole('link', { name: filterText.clear }).click()
  await expect(rowsOf(page)).toHaveCount(2)
  await page.goto('/payments?status=disputed_lost')
  await expect(shown(page, paymentsText.noneMatch.title)).toBeVisible()
})

test('payments are found by shop, item and amount, and the words are part of the address', async ({
  page,
  target,
  person,
}) => {
  await buy(target, person.principalId, undefined, 'Fountain pen')
  await page.goto('/payments')
  const search = page.getByRole('searchbox', { name: filterText.search.label })
  await search.fill('no such shop')
  await expect(shown(page, paymentsText.noneMatch.title)).toBeVisible()
  await expect(page).toHaveURL('/payments?q=no+such+shop')
  await expect(search).toBeFocused()
  for (const words of ['tallow', 'fountain', '12.', '12,0']) {
    await search.fill('no such shop')
    await expect(shown(page, paymentsText.noneMatch.title)).toBeVisible()
    await search.fill(words)
    await expect(rowsOf(page)).toHaveCount(1)
  }
  // The sandbox's shops are at a port of any digits, which is part of what is searched.
  await search.fill('13,0')
  await expect(rowsOf(page)).toHaveCount(0)
  await page.reload()
  await expect(search).toHaveValue('13,0')
  await expectNoViolations(page, 'payments that nothing matches')
  await page.getByRole('link', { name: filterText.remove('“13,0”') }).click()
  await expect(page).toHaveURL('/payments')
  await expect(search).toHaveValue('')
  await expect(rowsOf(page)).toHaveCount(1)
})

test('what is typed or chosen before the page works counts once it does', { tag: '@desktop' }, async ({
  page,
  target,
  person,
}) => {
  await buy(target, person.principalId)
  const openEarly = (use: () => Promise<unknown>) =>
    useEarly(page, '/payments', use, () => expect(shown(page, paymentsText.noneMatch.title)).toBeVisible())
  await openEarly(() => page.getByRole('searchbox', { name: filterText.search.label }).fill('no such shop'))
  await expect(page).toHaveURL('/payments?q=no+such+shop')
  await openEarly(() => page.getByLabel(filterText.status, { exact: true }).selectOption('disputed_pending'))
  await expect(page).toHaveURL('/payments?status=disputed_pending')
})

test('who did not expect a payment can pause its agent, block its merchant and revoke the agent', async ({
  page,
  target,
  person,
}) => {
  const { paymentId } = await buy(target, person.principalId)
  const { unexpected, precautions } = decisionText
  await page.goto(`/payments/${paymentId}`)
  const opens = page.getByRole('button', { name: unexpected })
  await expect(opens).toBeInViewport()
  await opens.click()
  await page.getByRole('button', { name: precautions.pause }).click()
  await expect(shown(page, agentsText.pause.body)).toBeVisible()
  await page.getByRole('button', { name: merchantsText.block.button }).click()
  await expect(shown(page, merchantsText.block.paymentStays)).toBeVisible()
  await expectNoViolations(page, 'payment that was not expected')

  await page.getByRole('button', { name: precautions.revoke }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: agentsText.revoke.confirm }).click()
  await page.reload()
  await opens.click()
  await expect(shown(page, merchantsText.block.paymentStays)).toBeVisible()
  for (const name of [precautions.pause, precautions.revoke]) {
    await expect(page.getByRole('button', { name })).toBeHidden()
  }
})

test('a payment shows what was agreed and proves its receipt', async ({ page, target, person }) => {
  const { paymentId } = await buy(target, person.principalId)
  const text = paymentText
  await page.goto(`/payments/${paymentId}`)
  await expect(shown(page, text.rule.within_limits)).toBeVisible()
  const steps = page.getByRole('region', { name: text.timeline }).getByRole('listitem')
  await expect(steps).toContainText([text.steps.paid, text.steps.receipt])
  await expect(page.getByRole('definition').filter({ hasText: text.same })).toBeVisible()
  await page.getByText(text.help.title).click()
  await expect(shown(page, text.help.bank)).toBeVisible()
  await page.getByText(text.proof, { exact: true }).click()
  await page.getByRole('button', { name: text.verify }).click()
  await expect(shown(page, text.verdict.valid.title)).toBeVisible()
  await page.getByRole('button', { name: text.tree.show }).click()
  await expect(page.locator('pre').filter({ hasText: '"leaf_index"' })).toContainText('"tree_size"')
  await expectNoViolations(page, 'payment with proof')
  await page.getByRole('link', { name: /^Entry \d+$/ }).click()
  await expect(page).toHaveURL(/\/activity\?before=\d+#seq-\d+$/)
  const linked = page.locator('li[aria-current]')
  await expect(linked).toContainText('Tallow Books')
  await expect(linked).toContainText('"entry_hash"')
  await page.reload()
  await expect(linked).toContainText('Tallow Books')
})

test('links on lines of their own are large enough for a finger', { tag: ['@phone', '@long'] }, async ({
  page,
  target,
  person,
}) => {
  const { paymentId } = await buy(target, person.principalId)
  const expectLarge = async (link: Locator) => {
    const box = await link.boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0), String(link)).toBeGreaterThanOrEqual(TARGET_MIN_PX)
  }
  await page.goto('/payments')
  await expectLarge(page.getByRole('tab', { name: paymentsText.tabs.list }))
  await page.goto('/payments?tab=spending&per=merchant')
  await expectLarge(page.getByRole('table').getByRole('link', { name: 'Tallow Books' }))
  await page.goto(`/payments/${paymentId}`)
  await expectLarge(page.getByRole('link', { name: paymentText.others }))
  await expectLarge(page.getByRole('definition').getByRole('link', { name: 'Test agent' }))
  await page.getByText(paymentText.proof, { exact: true }).click()
  for (const entry of await page.getByRole('link', { name: /^Entry \d+$/ }).all()) await expectLarge(entry)
  await page.goto('/settings/security/activity')
  await expectLarge(page.getByRole('link', { name: new RegExp(`^${securityActivityText.whole} `) }).first())
})

test('the activity is verified, filtered by the address, and can be downloaded', async ({ page, target, person }) => {
  const { agent } = await buy(target, person.principalId)
  await page.goto('/activity')
  const entries = page.getByRole('list', { name: activityText.title }).locator(':scope > li')
  // The wallet and its card, the code and the agent that used it, and the payment.
  await expect(entries).toHaveCount(5)
  await expect(entries.first()).toContainText('Tallow Books')
  await expect(shown(page, activityText.description)).toBeVisible()
  // Each entry says for itself whether a signed head vouches for it, and the page for all of them.
  await expect(entries.filter({ hasText: activityText.entry.states.verified })).toHaveCount(5)
  await expect(shown(page, activityText.proof.verified, { exact: true }).first()).toBeVisible()
  await expect(shown(page, activityText.proof.entries(5))).toBeVisible()

  await entries.first().locator('summary').click()
  await expect(entries.first()).toContainText('"entry_hash"')
  await expectNoViolations(page, 'activity')

  await page.getByText(activityText.filters.title).click()
  await page.getByLabel(activityText.filters.event).selectOption('oid4ac.payment.succeeded')
  await page.getByLabel(activityText.filters.agent).selectOption(agent.clientId)
  await page.getByRole('button', { name: activityText.filters.apply }).click()
  await expect(page).toHaveURL(/event=oid4ac\.payment\.succeeded/)
  await expect(entries).toHaveCount(1)
  await page.reload()
  await expect(entries).toHaveCount(1)

  const file = await download(page, activityText.json.get)
  const { entries: taken, checkpoint } = JSON.parse(file.text) as { entries: unknown[]; checkpoint: string }
  expect(taken).toHaveLength(1)
  expect(checkpoint.split('.')).toHaveLength(3)

  // What the person's agents do shows without a load.
  await page.goto('/activity')
  await expect(entries).toHaveCount(5)
  await buy(target, person.principalId, agent)
  await expect(entries).toHaveCount(6)
})

test('downloads need a session', async ({ page, target, person, browser }) => {
  const { paymentId } = await buy(target, person.principalId)
  expect((await page.request.get('/payments.csv')).headers()['cache-control']).toContain('no-store')
  const stranger = await browser.newContext({ baseURL: target.baseUrl })
  for (const [path, back] of [
    ['/payments.csv', '/payments'],
    ['/activity.json', '/activity'],
    [`/evidence.json?id=${paymentId}`, '/payments'],
  ] as const) {
    const answer = await stranger.request.get(path, { maxRedirects: 0 })
    expect([answer.status(), answer.headers()['location']]).toEqual([303, `/sign-in?next=${encodeURIComponent(back)}`])
    expect(await answer.text()).not.toContain(paymentId)
  }
  await stranger.close()
})

test('developers copy what they need and see what their agents asked', async ({ page, target, person, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/developers')
  await expect(shown(page, developersText.requests.none.title)).toBeVisible()
  await page.getByRole('button', { name: uiText.copy.name(developersText.endpoints.openapi) }).click()
  await expect(shown(page, uiText.copy.done, { exact: true })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${target.baseUrl}/openapi.json`)
  await expect(shown(page, '402001', { exact: true })).toBeVisible()
  await buy(target, person.principalId)
  const requests = page.getByRole('list', { name: developersText.requests.title }).getByRole('listitem')
  await expect(requests.filter({ hasText: 'settle' }).first()).toContainText('200')
  await expectNoViolations(page, 'developers')
})

test('the privacy page links to what the portal offers, and says where there is a person to ask', async ({
  page,
  person,
}) => {
  await page.goto('/settings/privacy')
  await expect(page.getByRole('heading', { level: 2, name: privacyText.erase.title })).toBeVisible()
  await expect(shown(page, person.principalId, { exact: true })).toBeVisible()
  await expectNoViolations(page, 'privacy')
  await page.getByText(privacyText.take.more).click()
  const file = await download(page, privacyText.take.json)
  expect(JSON.parse(file.text)).toMatchObject({ principal_id: person.principalId })
  await page.getByText(privacyText.access.pages).click()
  const main = page.getByRole('main')
  await main.getByRole('link', { name: privacyText.access.links.activity, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: activityText.title })).toBeVisible()
})

test.describe('with a card whose payments are disputed', () => {
  test.use({ personOptions: { card: 'dispute', approval_rule: 'above_limits' } })

  test('the home page names a disputed payment, and its page shows the state of the dispute', async ({
    page,
    target,
    person,
  }) => {
    await page.goto('/')
    await buy(target, person.principalId)
    await expect(shown(page, homeText.alerts.dispute.action)).toBeVisible()
    await expectNoViolations(page, 'home with an alert')
    await page.getByRole('link', { name: homeText.alerts.dispute.action }).click()
    await page.getByText(paymentText.help.title).click()
    await expect(shown(page, paymentText.help.open)).toBeVisible()
  })
})
