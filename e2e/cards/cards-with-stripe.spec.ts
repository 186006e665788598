import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'
import { consentText } from '@/components/approvals/messages'
import { cardsText } from '@/components/cards/messages'
import { confirmText } from '@/components/payments/confirm-messages'
import { READY_WITHIN_MS, withPortalServer } from '@/scripts/portal/server'
import { demoPerson } from '@/server/surfaces/seed/demo-person'
import type { Target } from '@/test/support/actors'
import { openTestDatabase } from '@/test/support/database'
import { FAKE_PUBLISHABLE_KEY, FAKE_SECRET_KEY, type ServedFake, serveStripeFake } from '@/test/support/stripe-fake'
import { expectNoViolations } from '../support/accessible'
import { approveButton, outcome, reviewLink, shown } from '../support/portal'
import { orderBook } from '../support/shop'
import { signInAsDemo } from '../support/sign-in'
import { CARD_FIELD, ON_BANK_PAGE, standInForStripe } from '../support/stripe-stand-in'
import { ToolAgent } from '../support/tool-agent'

const PRICE = '€12.00'
const PHONE = { width: 360, height: 800 }
const GOOD = { method: 'pm_card_visa', name: 'Visa •••• 4242' }
const ASKS = { method: 'pm_card_authenticationRequired', name: 'Visa •••• 3155' }
const text = cardsText.add

/** A server whose card processor is Stripe, as far as it can tell. */
const test = base.extend<{ stripe: ServedFake; target: Target }>({
  stripe: async ({}, use) => {
    const db = await openTestDatabase()
    const fake = await serveStripeFake({ db })
    await use(fake)
    await fake.close()
    await db.close()
  },
  target: [
    async ({ stripe }, use) => {
      const settings = {
        STRIPE_SECRET_KEY: FAKE_SECRET_KEY,
        STRIPE_PUBLISHABLE_KEY: FAKE_PUBLISHABLE_KEY,
        STRIPE_API_BASE: stripe.url,
      }
      await withPortalServer({ env: settings }, use)
    },
    { timeout: READY_WITHIN_MS * 2 },
  ],
  baseURL: async ({ target }, use) => use(target.baseUrl),
})

const cards = (page: Page) => page.getByRole('list', { name: cardsText.title, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function enter(page: Page, card: string): Promise<void> {
  await page.getByLabel(CARD_FIELD, { exact: true }).fill(card)
  await button(page, text.save).click()
}

test("a card is added in Stripe's form, and the bank's question is answered there", {
  tag: ['@desktop', '@long'],
}, async ({ page, target, stripe }) => {
  test.setTimeout(180_000)
  const blocked: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) blocked.push(message.text())
  })
  await standInForStripe(page, stripe.url)
  await signInAsDemo(page)

  await test.step('the form opens once it is asked for, and says what Stripe says', async () => {
    await page.getByRole('navigation').getByRole('link', { name: cardsText.title }).click()
    await expect(shown(page, text.safe)).toBeVisible()
    expect(await page.locator('script[src*="stripe.com"]').count()).toBe(0)
    await button(page, text.open).click()
    await expect(page.getByRole('heading', { name: text.form })).toBeFocused()
    await expectNoViolations(page, 'the card form')
    await page.setViewportSize(PHONE)
    await expectNoViolations(page, 'the card form on a phone')
    await enter(page, 'no-such-card')
    await expect(page.getByRole('alert').filter({ hasText: text.failed })).toContainText('No such PaymentMethod')
    await button(page, text.cancel).click()
    await expect(button(page, text.open)).toBeFocused()
  })

  await test.step('a card that is confirmed at once is there at once', async () => {
    await button(page, text.open).click()
    await enter(page, GOOD.method)
    await expect(shown(page, text.added)).toBeVisible()
    await expect(cards(page)).toContainText(GOOD.name)
    await expect(button(page, text.open)).toBeVisible()
  })

  await test.step('a card whose bank asks on its own page is there on return, under a clean address', async () => {
    await button(page, text.open).click()
    await enter(page, ON_BANK_PAGE + ASKS.method)
    await expect(shown(page, text.added)).toBeVisible()
    await expect(page).toHaveURL('/cards')
    await expect(cards(page)).toContainText(ASKS.name)
    await page.reload()
    await expect(cards(page).getByRole('listitem')).toHaveCount(2)
    await expect(shown(page, text.added)).toBeHidden()
  })

  await test.step('an enrolment of nobody adds no card, whatever its id looks like', async () => {
    for (const id of ['seti_-_unknown-', '../v1/customers']) {
      await page.goto(`/cards?setup_intent=${encodeURIComponent(id)}`)
      await expect(page.getByRole('alert').filter({ hasText: 'There is no such setup intent.' })).toBeVisible()
      await expect(page).toHaveURL('/cards')
    }
    await page.reload()
    await expect(cards(page).getByRole('listitem')).toHaveCount(2)
  })

  await test.step('a payment that the bank asks about is confirmed through Stripe', async () => {
    await button(page, cardsText.makeDefaultName(ASKS.name)).click()
    await expect(shown(page, cardsText.madeDefault(ASKS.name))).toBeVisible()
    await page.goto('/')
    expect(await buy(page, target)).toBe('step_up_required')
    await page.getByRole('link', { name: consentText.approved.answerBank }).click()
    await expect(button(page, confirmText.bank.confirm)).toBeEnabled()
    await expectNoViolations(page, 'a payment to confirm with the bank')
    await button(page, confirmText.bank.confirm).click()
    await expect(outcome(page, confirmText.confirmed.title)).toBeFocused()
  })
  expect(blocked).toEqual([])
})

/** An agent asks, and the person approves; answers what the agent is told the payment's status is. */
async function buy(page: Page, target: Target): Promise<unknown> {
  const home = await mkdtemp(path.join(tmpdir(), 'countersign-agent-'))
  const agent = await ToolAgent.start(target, home)
  try {
    await agent.register(target, demoPerson.id)
    const { result } = agent.startPaying(await orderBook(agent))
    await reviewLink(page, PRICE).click()
    await approveButton(page, PRICE).click()
    return (await result).data['status']
  } finally {
    await agent.stop()
    await rm(home, { recursive: true, force: true })
  }
}
