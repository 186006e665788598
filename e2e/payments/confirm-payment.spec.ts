import type { Locator, Page } from '@playwright/test'
import { consentText } from '@/components/approvals/messages'
import { cardsText } from '@/components/cards/messages'
import { homeText } from '@/components/home/messages'
import { layoutText } from '@/components/layout/messages'
import { PRODUCT } from '@/components/layout/product'
import { confirmText } from '@/components/payments/confirm-messages'
import { paymentsText } from '@/components/payments/messages'
import { paymentText } from '@/components/payments/payment-messages'
import { Agent, type Answer, newPrincipal, type Target } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { approveButton, countLoads, outcome, reviewLink, shown, tabTo } from '../support/portal'
import { orderBook } from '../support/shop'

const PRICE = '€12.00'
const PAYEE = 'Tallow Books'
const TEST_CARD = 'Authentication required'
const TEST_CARD_NAME = 'Visa •••• 3155'

/** Nobody is asked by us, so that only the bank asks. */
test.use({ personOptions: { approval_rule: 'above_limits' } })

interface Attempt {
  /** The same request, each time. */
  readonly settle: () => Promise<Answer>
  readonly address: string
}

/** An agent buys, and the bank wants the cardholder. */
async function buyWithStepUp(target: Target, principalId: string): Promise<Attempt> {
  const agent = await Agent.register(target, principalId)
  const { access_token: token, mandate_jwt: mandate } = await agent.buy()
  const key = crypto.randomUUID()
  const settle = (): Promise<Answer> => agent.settle(token, mandate, key)
  const { status, json } = await settle()
  expect([status, json['error'], json['status']]).toEqual([403, 'step_up_required', 'requires_action'])
  return { settle, address: `/payments/confirm/${String(json['settlement_id'])}` }
}

async function addTestCard(page: Page): Promise<void> {
  await page.goto('/cards')
  await page.getByRole('button', { name: cardsText.test.addName(TEST_CARD) }).click()
  await page.getByRole('button', { name: cardsText.makeDefaultName(TEST_CARD_NAME) }).click()
  await expect(shown(page, cardsText.madeDefault(TEST_CARD_NAME))).toBeVisible()
}

const answerLink = (page: Page) => reviewLink(page, PRICE, PAYEE)
const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })

test('a payment that the bank asks about is confirmed, and the agent gets its receipt', async ({
  page,
  target,
  person,
}) => {
  await addTestCard(page)
  await page.goto('/')
  const loads = countLoads(page)
  const { settle, address } = await buyWithStepUp(target, person.principalId)

  await test.step('it shows where things wait, without a reload', async () => {
    await expect(shown(page, consentText.list.confirmAtBank)).toBeVisible()
    await expect(answerLink(page)).toBeVisible()
    await expect(page).toHaveTitle(/^\(1\) /)
    expect(loads()).toBe(0)
    await expectNoViolations(page, 'home with a payment to confirm')
    await page.goto('/approvals')
    await answerLink(page).click()
    await expect(page).toHaveURL(address)
  })

  await test.step('the page says what it is about', async () => {
    await expect(page).toHaveTitle(`(1) ${confirmText.title(PRICE, PAYEE)} · ${PRODUCT}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${confirmText.lead} ${PRICE}`)
    for (const text of [PAYEE, target.baseUrl, 'Test agent', TEST_CARD_NAME, confirmText.onExpiry]) {
      await expect(page.getByRole('article')).toContainText(text)
    }
    await expect(page.getByRole('article')).toContainText(/1[45] min/)
    await expectNoViolations(page, 'a payment to confirm')
    expect((await settle()).status).toBe(403)
  })

  await test.step('the bank gets its answer', async () => {
    await button(page, confirmText.testBank.confirm).click()
    await expect(outcome(page, confirmText.confirmed.title)).toBeFocused()
    await expectNoViolations(page, 'a payment that was confirmed')
    const { status, json } = await settle()
    expect([status, json['status'], json['amount_minor']]).toEqual([200, 'succeeded', 1200])
    await page.getByRole('link', { name: confirmText.confirmed.payment }).click()
    await expect(page.getByRole('heading', { level: 1, name: paymentText.title(PRICE, PAYEE) })).toBeVisible()
    await page.goto('/')
    await expect(shown(page, homeText.nothingWaiting.title)).toBeVisible()
    await expect(answerLink(page)).toBeHidden()
  })
})

test('a payment that the cardholder refuses at the bank is not made', { tag: '@phone' }, async ({
  page,
  target,
  person,
}) => {
  await addTestCard(page)
  const { settle, address } = await buyWithStepUp(target, person.principalId)
  await page.goto(address)
  await button(page, confirmText.testBank.refuse).click()
  await expect(outcome(page, confirmText.failed.title)).toBeFocused()
  await expect(shown(page, confirmText.failed.body)).toBeVisible()
  await expectNoViolations(page, 'a payment that was not confirmed')
  const { status, json } = await settle()
  expect([status, json['error']]).toEqual([402, 'payment_declined'])
  await page.goto('/payments')
  await expect(shown(page, paymentsText.empty.title)).toBeVisible()
})

test('a payment is declined with Tab and Enter alone, and another tab sees it', async ({
  page,
  context,
  target,
  person,
}) => {
  await addTestCard(page)
  const { settle, address } = await buyWithStepUp(target, person.principalId)
  const other = await context.newPage()
  await other.goto(address)
  await expect(button(other, confirmText.decline)).toBeVisible()
  await page.goto('/')
  await tabTo(page, answerLink(page))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(address)
  await tabTo(page, button(page, confirmText.decline))
  await page.keyboard.press('Enter')
  await expect(outcome(page, confirmText.failed.title)).toBeFocused()
  await expect(outcome(other, confirmText.failed.title)).toBeVisible()
  expect((await settle()).status).toBe(402)
})

test('a payment whose time is over is not called unpaid before the server knows', { tag: ['@phone', '@long'] }, async ({
  page,
  context,
  browser,
  target,
  person,
}) => {
  await addTestCard(page)
  const { settle, address } = await buyWithStepUp(target, person.principalId)
  // The clock of a context is that of all its pages.
  const elsewhere = await browser.newContext({ baseURL: target.baseUrl, storageState: await context.storageState() })
  const other = await elsewhere.newPage()
  await other.goto(address)
  await page.clock.install()
  await page.goto(address)
  await expect(button(page, confirmText.decline)).toBeVisible()
  await page.clock.fastForward('16:00')
  await expect(outcome(page, confirmText.checking.title)).toBeVisible()
  await expect(shown(page, 'Nothing was charged')).toBeHidden()
  await button(other, confirmText.testBank.confirm).click()
  await expect(outcome(page, confirmText.confirmed.title)).toBeVisible()
  expect((await settle()).status).toBe(200)
  await elsewhere.close()
})

test('opening the page of a payment that waits for the bank changes nothing', { tag: ['@phone', '@long'] }, async ({
  page,
  target,
  person,
}) => {
  await addTestCard(page)
  const { settle, address } = await buyWithStepUp(target, person.principalId)
  for (const path of [address, `${address}?answer=confirm`, `${address}?redirect_status=succeeded`]) {
    await page.goto(path)
    await expect(button(page, confirmText.testBank.confirm)).toBeEnabled()
  }
  expect((await settle()).status).toBe(403)
})

test("another person's payment is answered like an unknown one", { tag: '@phone' }, async ({
  page,
  target,
  person,
}) => {
  const other = await newPrincipal(target, { approval_rule: 'above_limits', card: 'authentication_required' })
  expect(other.email).not.toBe(person.email)
  const { address } = await buyWithStepUp(target, other.principalId)
  const visits = []
  for (const path of [`/payments/confirm/${crypto.randomUUID()}`, address, '/payments/confirm/%E2%80%AE']) {
    const answer = await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: layoutText.notFound.title })).toBeVisible()
    visits.push([answer?.status(), await page.title(), await page.getByRole('main').innerText()])
  }
  expect(visits[0]?.[0]).toBe(404)
  expect(visits).toEqual([visits[0], visits[0], visits[0]])
})

test.describe('a purchase that needs an approval', () => {
  test.use({ personOptions: { card: 'authentication_required' } })

  test('leads on from the approve page to the bank', { tag: ['@phone', '@long'] }, async ({ page, agent }) => {
    await page.goto('/')
    const order = await orderBook(agent)
    const { result } = agent.startPaying(order)
    await reviewLink(page, PRICE).click()
    await approveButton(page, PRICE).click()
    await expect(shown(page, consentText.approved.progress.requires_action)).toBeVisible()
    expect((await result).data).toMatchObject({ status: 'step_up_required' })
    await expectNoViolations(page, 'approved, and the bank asks')
    await page.getByRole('link', { name: consentText.approved.answerBank }).click()
    await button(page, confirmText.testBank.confirm).click()
    await expect(outcome(page, confirmText.confirmed.title)).toBeVisible()
    expect((await agent.pay(order)).data).toMatchObject({ status: 'paid' })
  })
})
