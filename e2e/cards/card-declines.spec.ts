import { consentText } from '@/components/approvals/messages'
import { cardsText } from '@/components/cards/messages'
import { paymentsText } from '@/components/payments/messages'
import { expect, test } from '../support/fixtures'
import { approveButton, outcome, reviewLink, shown } from '../support/portal'
import { LEFT_HAND, orderBook } from '../support/shop'
import { readOutbox } from '../support/sign-in'

const GOOD = 'Visa •••• 4242'
const BAD = 'Visa •••• 0002'

test('a card that declines fails the payment, and can be removed', async ({ page, target, person, agent }) => {
  await page.goto('/cards')
  const cards = page.getByRole('list', { name: cardsText.title, exact: true }).getByRole('listitem')
  await test.step('a test card is added and made the default', async () => {
    await expect(cards).toHaveCount(1)
    await page.getByRole('button', { name: cardsText.test.addName('Decline') }).click()
    await expect(cards).toHaveCount(2)
    await expect(cards.filter({ hasText: GOOD })).toContainText(cardsText.default)
    await page.getByRole('button', { name: cardsText.makeDefaultName(BAD) }).click()
    await expect(shown(page, cardsText.madeDefault(BAD))).toBeVisible()
    await expect(page.getByRole('button', { name: cardsText.makeDefaultName(GOOD) })).toBeVisible()
    await expect(page.getByRole('button', { name: cardsText.makeDefaultName(BAD) })).toBeHidden()
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  })

  await test.step('the purchase is approved and fails', async () => {
    await page.goto('/')
    const { result } = agent.startPaying(await orderBook(agent))
    await reviewLink(page, '€12.00').click()
    await expect(shown(page, BAD)).toBeVisible()
    await approveButton(page, '€12.00').click()
    await expect(outcome(page, consentText.failed.heading)).toBeVisible()
    await expect(shown(page, consentText.failed.body)).toBeVisible()
    const { isError, text } = await result
    expect(isError).toBe(true)
    expect(text).toMatch(/^agent_payment_initiate failed: settle failed: 402\b/)
    await page.goto('/payments')
    await expect(shown(page, paymentsText.empty.title)).toBeVisible()
    await expect
      .poll(async () => (await readOutbox(target, person.email))[0]?.subject)
      .toBe('A payment of 12.00 EUR to Tallow Books did not go through')
  })

  await test.step('once it is removed, the other card pays when the person chooses it', async () => {
    await page.goto('/cards')
    await page.getByRole('button', { name: cardsText.removeName(BAD) }).click()
    const dialog = page.getByRole('alertdialog', { name: cardsText.removeTitle(BAD) })
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await expect(dialog).toContainText(cardsText.removeDefault)
    await dialog.getByRole('button', { name: cardsText.remove }).click()
    await expect(shown(page, cardsText.removed(BAD))).toBeVisible()
    await expect(cards).toHaveCount(1)
    await expect(cards).toContainText(GOOD)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await expect(shown(page, cardsText.noDefault)).toBeVisible()
    await page.getByRole('button', { name: cardsText.makeDefaultName(GOOD) }).click()
    await expect(shown(page, cardsText.noDefault)).toBeHidden()
    await expect(cards).toContainText(cardsText.default)
    // What was approved was approved for the other card.
    const { result } = agent.startPaying(await orderBook(agent, LEFT_HAND, 2))
    await page.goto('/')
    await reviewLink(page, '€24.00').click()
    await approveButton(page, '€24.00').click()
    expect((await result).data).toMatchObject({ status: 'paid', settlement: { amount_minor: 2400 } })
  })
})

test('a purchase without a card leads to the portal, where one can be added', async ({ page, target, agent }) => {
  await page.goto('/cards')
  await page.getByRole('button', { name: cardsText.removeName(GOOD) }).click()
  const dialog = page.getByRole('alertdialog', { name: cardsText.removeTitle(GOOD) })
  await expect(dialog).toContainText(cardsText.removeLast)
  await dialog.getByRole('button', { name: cardsText.remove }).click()
  await expect(shown(page, cardsText.empty.title)).toBeVisible()
  const refused = await agent.pay(await orderBook(agent))
  expect(refused.data).toEqual({ status: 'setup_required' })
  expect(refused.text).toContain(`${target.baseUrl}/cards`)
})
