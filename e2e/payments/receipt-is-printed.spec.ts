import { paymentText } from '@/components/payments/payment-messages'
import { Agent } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'

test.use({ personOptions: { card: 'success', approval_rule: 'above_limits' } })

const text = paymentText

/** How many pages a PDF has. */
const pagesOf = (file: Buffer): number => file.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0

test('a receipt prints on one page, without the page around it', async ({ page, target, person }) => {
  const agent = await Agent.register(target, person.principalId)
  const { access_token: token, mandate_jwt: mandate } = await agent.buy()
  const settled = await agent.settle<{ payment_intent_id: string }>(token, mandate, crypto.randomUUID())
  const id = settled.json.payment_intent_id
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '')
  })
  await page.goto(`/payments/${id}`)
  const receipt = page.locator('[data-receipt]')
  await expect(receipt).toBeHidden()
  const heading = page.getByRole('heading', { level: 1, name: text.title('€12.00', 'Tallow Books') })
  await expect(heading).toBeVisible()
  // A press before the page has woken up does nothing.
  await expect(async () => {
    await page.getByRole('button', { name: text.print }).click()
    await expect(page.locator('html[data-printed]')).toHaveCount(1, { timeout: 500 })
  }).toPass()

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ media: 'print', colorScheme })
    await expect(receipt).toBeVisible()
    for (const role of ['navigation', 'banner', 'button', 'link'] as const) {
      await expect(page.getByRole(role)).toHaveCount(0)
    }
    await expect(heading).toHaveCount(0)
    await expect(receipt).toContainText('Tallow Books')
    await expect(receipt).toContainText('€12.00')
    await expect(receipt).toContainText('•••• 4242')
    await expect(receipt).toContainText(id)
    await expect(receipt).toContainText(/GMT|UTC/)
    await expect(receipt.getByRole('img', { name: text.printed.proof })).toBeVisible()
    expect(await receipt.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(18, 22, 29)')
  }
  await expectNoViolations(page, 'a receipt on paper')
  for (const format of ['A4', 'Letter']) expect(pagesOf(await page.pdf({ format }))).toBe(1)
})
