import type { Page } from '@playwright/test'
import { agentsText } from '@/components/agents/messages'
import { decisionText } from '@/components/approvals/decision-messages'
import { consentText } from '@/components/approvals/messages'
import { layoutText } from '@/components/layout/messages'
import { merchantsText } from '@/components/merchants/messages'
import { relaxText } from '@/components/security/relax-messages'
import { failureText } from '@/components/ui/failure-messages'
import { Agent, type Target } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { approveButton, openAccount, outcome, reviewLink, shown } from '../support/portal'

const { form, gate, block, directory, relaxed, who, unasked } = merchantsText
const NAME = 'Test agent'
const SHOP = 'https://shop.example'

test.use({ personOptions: { card: 'success', approval_rule: 'above_limits' } })

const tallow = (target: Target) => `${target.baseUrl}/sandbox/merchants/tallow-books`
const rules = (page: Page, name: string) => page.getByRole('list', { name, exact: true }).getByRole('listitem')
const onlyListed = (page: Page) => page.getByRole('radio', { name: who.listed })
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** A page that streams may hold it a second time, hidden, for a moment. */
const addressField = (page: Page) => page.getByLabel(form.address).filter({ visible: true })

/** What authorize says about a purchase that the agent asks for now. */
async function tryToBuy(agent: Agent, merchant: string): Promise<string> {
  const pushed = await agent.push((await agent.purchase({ merchant })).form)
  expect(pushed.status).toBe(201)
  const { result } = await agent.authorize(pushed.json.request_uri)
  return result['error'] ?? 'code'
}

/** Confirms an allow, a lifted block or the end of "only my list". */
async function confirmRelaxed(page: Page, title: string = relaxed.title): Promise<void> {
  const dialog = page.getByRole('alertdialog', { name: title })
  await expect(dialog).toContainText(relaxText.how)
  await dialog.getByRole('button', { name: relaxText.confirm }).click()
  await expect(dialog).toBeHidden()
}

async function addRule(
  page: Page,
  address: string,
  verdict: 'allow' | 'deny',
  agent: string = merchantsText.allAgents,
) {
  await addressField(page).fill(address)
  await page.getByLabel(form.who, { exact: true }).filter({ visible: true }).selectOption({ label: agent })
  await page.getByRole('radio', { name: form[verdict].label, exact: true }).check()
  await page.getByRole('button', { name: form.save }).click()
  if (verdict === 'allow') await confirmRelaxed(page)
  await expect(shown(page, form.saved)).toBeVisible()
}

test('a merchant is blocked and allowed by its address, and a rule is removed', async ({ page, target, person }) => {
  const agent = await Agent.register(target, person.principalId, { client_name: NAME })
  await test.step('the page is found in the navigation and says who can ask, and that nothing is blocked', async () => {
    await page.goto('/')
    const link = page.getByRole('link', { name: layoutText.nav.merchants, exact: true })
    if (!(await link.isVisible())) await openAccount(page)
    await link.click()
    await expect(page).toHaveURL('/merchants')
    await expect(page).toHaveTitle(new RegExp(`^${merchantsText.title}`))
    const asking = section(page, who.title)
    // The sandbox lets shops outside its directory ask.
    await expect(asking.getByRole('radio', { name: who.any })).toBeChecked()
    await expect(asking).toContainText(who.outside.allow)
    await expect(asking).toContainText(who.listedHint(0))
    await expect(section(page, unasked.title)).toContainText(unasked.above_limits)
    await expect(section(page, merchantsText.blocked)).toContainText(merchantsText.noneBlocked)
    await expectNoViolations(page, 'merchants without rules')
  })

  await test.step('the page of the agent says the same of what it pays without asking', async () => {
    await page.goto(`/agents/${agent.clientId}`)
    await expect(section(page, agentsText.one.remembered)).toContainText(agentsText.one.above_limits)
    await page.goto('/merchants')
  })

  await test.step('what is no address is told in words, at the field', async () => {
    const field = addressField(page)
    await page.getByRole('button', { name: form.save }).click()
    await expect(field).toHaveAccessibleDescription(new RegExp(form.addressMissing))
    await expect(field).toBeFocused()
    await field.fill('http://shop.example')
    await field.press('Enter')
    await expect(shown(page, form.addressBad)).toBeVisible()
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expectNoViolations(page, 'merchants with a bad address')
  })

  await test.step('blocked for one agent and allowed for all, each is shown with its full address', async () => {
    expect(await tryToBuy(agent, SHOP)).toBe('code')
    await addRule(page, 'SHOP.example:443', 'deny', NAME)
    await expect(addressField(page)).toHaveValue('')
    const blocked = rules(page, merchantsText.blocked)
    await expect(blocked).toHaveCount(1)
    await expect(blocked).toContainText(SHOP)
    await expect(blocked).toContainText(NAME)
    expect(await tryToBuy(agent, SHOP)).toBe('access_denied')
    await addRule(page, tallow(target), 'allow')
    await expect(rules(page, merchantsText.allowed)).toContainText(tallow(target))
    await expectNoViolations(page, 'merchants with rules')
  })

  await test.step('removed and confirmed, it no longer holds', async () => {
    const name = merchantsText.removeName(merchantsText.blocked, new URL(SHOP).host, NAME)
    await page.getByRole('button', { name }).click()
    const dialog = page.getByRole('alertdialog', { name: relaxed.title })
    await expect(dialog).toContainText(SHOP)
    await expect(dialog).toContainText(NAME)
    await expectNoViolations(page, 'lifting a block')
    expect(await tryToBuy(agent, SHOP)).toBe('access_denied')
    await confirmRelaxed(page)
    await expect(page.getByRole('list', { name: merchantsText.blocked, exact: true })).toBeHidden()
    await expect(page.getByRole('heading', { name: merchantsText.blocked })).toBeFocused()
    expect(await tryToBuy(agent, SHOP)).toBe('code')
    await page.reload()
    await expect(rules(page, merchantsText.allowed)).toHaveCount(1)
  })
})

test.describe('a person who approved a merchant before', () => {
  test.use({ personOptions: { card: 'success', approval_rule: 'new_merchants' } })

  test('is told what "only my list" stops, and can put it on the list', { tag: ['@phone', '@long'] }, async ({
    page,
    target,
    person,
  }) => {
    const agent = await Agent.register(target, person.principalId, { client_name: NAME })
    const merchant = tallow(target)
    await test.step('the merchant is approved and remembered', async () => {
      await agent.push((await agent.purchase({ merchant })).form)
      await page.goto('/approvals')
      await reviewLink(page, '€12.00').click()
      await approveButton(page, '€12.00').click()
      await expect(outcome(page, consentText.approved.heading)).toBeVisible()
      expect(await tryToBuy(agent, merchant)).toBe('code')
    })

    await page.goto('/merchants')
    const dialog = page.getByRole('alertdialog', { name: gate.confirm.title })
    await test.step('Enter alone turns nothing on, because the focus is on Cancel', async () => {
      await onlyListed(page).press('Space')
      await expect(dialog).toContainText(gate.emptyList)
      await expect(dialog).toContainText(merchant)
      await expectNoViolations(page, 'what only my list stops')
      await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(dialog).toBeHidden()
      await expect(onlyListed(page)).not.toBeChecked()
    })

    await test.step('turned on, it refuses what is not on the list', async () => {
      await onlyListed(page).press('Space')
      await dialog.getByRole('button', { name: gate.confirm.button }).click()
      await expect(onlyListed(page)).toBeChecked()
      await expect(shown(page, merchantsText.emptyList.title)).toBeVisible()
      await expect(section(page, who.title)).toContainText(who.outsideOfList.allow)
      await expect(rules(page, unasked.title)).toContainText(unasked.suspended.rule)
      await expect(rules(page, gate.stopped)).toContainText(merchant)
      expect(await tryToBuy(agent, merchant)).toBe('access_denied')
      await expectNoViolations(page, 'only my list')
    })

    await test.step('allowed, it can ask again, and nothing else is left out', async () => {
      await page.getByRole('button', { name: gate.allowName('Tallow Books', NAME) }).click()
      await confirmRelaxed(page)
      await expect(page.getByRole('list', { name: gate.stopped })).toBeHidden()
      await expect(page.getByRole('heading', { name: who.title })).toBeFocused()
      await expect(rules(page, merchantsText.allowed)).toHaveCount(1)
      expect(await tryToBuy(agent, merchant)).toBe('code')
      expect(await tryToBuy(agent, SHOP)).toBe('access_denied')
    })

    await test.step('turned off once that is confirmed', async () => {
      await page.getByRole('radio', { name: who.any }).press('Space')
      await confirmRelaxed(page, gate.off.title)
      await expect(onlyListed(page)).not.toBeChecked()
      await expect(dialog).toBeHidden()
    })

    await test.step('paid without asking up to an amount, until it is forgotten', async () => {
      const paid = rules(page, unasked.title)
      await expect(paid).toHaveCount(1)
      await expect(paid).toContainText(merchant)
      await expect(paid).toContainText(gate.upTo('€24.00'))
      await expectNoViolations(page, 'paid without asking')
      await page.getByRole('button', { name: unasked.forgetName('Tallow Books', NAME) }).click()
      await expect(paid).toHaveCount(0)
      await expect(section(page, unasked.title)).toContainText(unasked.none)
      await expect(page.getByRole('heading', { name: unasked.title })).toBeFocused()
      expect(await tryToBuy(agent, merchant)).not.toBe('code')
    })
  })
})

test('a merchant is blocked from a payment that was not expected', async ({ page, target, person }) => {
  const agent = await Agent.register(target, person.principalId, { client_name: NAME })
  const bought = await agent.buy()
  const settled = await agent.settle<{ payment_intent_id: string }>(
    bought.access_token,
    bought.mandate_jwt,
    crypto.randomUUID(),
  )
  expect(settled.status).toBe(200)
  await page.goto(`/payments/${settled.json.payment_intent_id}`)
  const opener = page.getByRole('button', { name: decisionText.unexpected })
  await opener.click()
  const button = page.getByRole('button', { name: block.button })
  await button.click()
  await expect(shown(page, block.done('Tallow Books'))).toBeVisible()
  await expect(button).toBeHidden()
  await expectNoViolations(page, 'a payment to a blocked merchant')
  expect(await tryToBuy(agent, bought.merchant)).toBe('access_denied')
  await page.getByRole('link', { name: block.see }).click()
  await expect(page).toHaveURL('/merchants')
  await expect(rules(page, merchantsText.blocked)).toContainText(bought.merchant)
  await page.goBack()
  await opener.click()
  await expect(shown(page, block.done('Tallow Books'))).toBeVisible()
})

test('a merchant is found in the directory by its name, and a rule is made for one agent', async ({
  page,
  target,
  person,
}) => {
  const agent = await Agent.register(target, person.principalId, { client_name: NAME })
  await page.goto('/merchants')
  const search = page.getByLabel(directory.label)
  const found = rules(page, directory.results)
  await search.fill('no such merchant')
  await expect(shown(page, directory.none)).toBeVisible()
  await search.fill('tallow')
  await expect(found).toHaveCount(1)
  await expect(found).toContainText(tallow(target))
  await expect(found).toContainText(directory.verified)
  await expectNoViolations(page, 'the directory')
  await page.getByRole('button', { name: directory.chooseName('Tallow Books') }).click()
  const address = addressField(page)
  await expect(address).toHaveValue(tallow(target))
  await expect(address).toBeFocused()
  await page.getByLabel(form.who, { exact: true }).filter({ visible: true }).selectOption({ label: NAME })
  await page.getByRole('button', { name: form.save }).click()
  const blocked = rules(page, merchantsText.blocked)
  await expect(blocked).toContainText(tallow(target))
  await expect(blocked).toContainText(NAME)
  expect(await tryToBuy(agent, tallow(target))).toBe('access_denied')
})

test('a merchant rule that does not reach the server is not shown as saved', { tag: ['@phone', '@long'] }, async ({
  page,
  person,
}) => {
  expect(person.email).not.toBe('')
  await page.route('**/api/trpc/merchants.saveRule**', (route) => route.abort())
  await page.goto('/merchants')
  await addressField(page).fill(SHOP)
  await addressField(page).press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: failureText.lost })).toBeVisible()
  await expect(shown(page, form.saved)).toBeHidden()
  await page.reload()
  await expect(shown(page, merchantsText.noneBlocked)).toBeVisible()
})
