import { agentsText } from '@/components/agents/messages'
import { consentText } from '@/components/approvals/messages'
import { limitsText } from '@/components/limits/messages'
import { limitsTextDe } from '@/components/limits/messages.de'
import { paymentsText } from '@/components/payments/messages'
import { Agent } from '@/test/support/actors'
import { buy } from '../payments/buy'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { approveButton, outcome, reviewLink, shown } from '../support/portal'
import { orderBook } from '../support/shop'

const { form, meters, asked } = limitsText

test.use({ personOptions: { card: 'success', approval_rule: 'above_limits' } })

test('limits under the rule to be asked about every purchase do not say that they ask', async ({
  page,
  target,
  person,
}) => {
  await buy(target, person.principalId)
  await page.goto('/limits')
  await expect(shown(page, asked.sentence(0, 1))).toBeVisible()
  await page.getByRole('radio', { name: limitsText.rule.new_merchants.label, exact: true }).click()
  await expect(shown(page, asked.newMerchants(asked.sentence(0, 1)))).toBeVisible()
  await page.getByRole('radio', { name: limitsText.rule.every_purchase.label, exact: true }).click()
  await expect(shown(page, asked.everyPurchase(0, 1))).toBeVisible()
  await expect(shown(page, asked.sentence(0, 1))).toBeHidden()
})

test('limits are saved and shown', async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await page.goto('/limits')
  await expect(shown(page, limitsText.none.title)).toBeVisible()
  await page.getByRole('button', { name: form.takeSuggestion }).click()
  await expect(page.getByLabel(form.daily)).toHaveValue('50.00')
  await expect(shown(page, limitsText.none.title)).toBeVisible()
  await page.getByLabel(form.single).fill('twenty')
  await page.getByRole('button', { name: form.save }).click()
  await expect(shown(page, form.badAmount('20.00'))).toBeVisible()
  await expect(page.getByLabel(form.single)).toBeFocused()
  await page.getByLabel(form.single).fill('20')
  await page.getByRole('button', { name: form.save }).click()
  await expect(shown(page, form.saved)).toBeVisible()
  await expect(page.getByRole('meter', { name: `${meters.today}, EUR` })).toHaveAttribute(
    'aria-valuetext',
    meters.used('€0.00', '€50.00'),
  )
  await expect(shown(page, meters.upTo('€20.00'))).toBeVisible()
  await expect(page.getByRole('meter', { name: meters.count })).toHaveAttribute(
    'aria-valuetext',
    meters.countUsed(0, 5),
  )

  await test.step('currencies in use come first, and none that nobody pays in', async () => {
    const groups = page.getByLabel(form.currency).locator('optgroup')
    await expect(groups.first().locator('option')).toHaveText([/^EUR/])
    await expect(groups.last().locator('option[value="USD"]')).toHaveCount(1)
    for (const code of ['BOV', 'XAD', 'XAU', 'XTS', 'XXX']) {
      await expect(groups.locator(`option[value="${code}"]`)).toHaveCount(0)
    }
  })

  await page.reload()
  await expect(page.getByLabel(form.daily)).toHaveValue('50.00')
  await expect(page.getByLabel(form.single)).toHaveValue('20.00')
  await expect(page.getByRole('textbox', { name: form.count })).toHaveValue('5')
})

test('a German reader sees and types amounts as German writes them', async ({ page, target, person }) => {
  expect(person.email).not.toBe('')
  await page.context().addCookies([{ name: 'locale', value: 'de', url: target.baseUrl }])
  await page.goto('/limits')
  // German texts are loaded when the page wakes up, so a press right after the first paint may come too early.
  await expect(async () => {
    await page.getByRole('button', { name: limitsTextDe.form.takeSuggestion }).click()
    await expect(page.getByLabel(limitsTextDe.form.daily)).toHaveValue('50,00', { timeout: 500 })
  }).toPass()
  await page.getByLabel(limitsTextDe.form.single).fill('zwanzig')
  await page.getByRole('button', { name: limitsTextDe.form.save }).click()
  await expect(shown(page, limitsTextDe.form.badAmount('20,00'))).toBeVisible()
  await page.getByLabel(limitsTextDe.form.daily).fill('1.234,5')
  await page.getByLabel(limitsTextDe.form.single).fill('20.50')
  await page.getByRole('button', { name: limitsTextDe.form.save }).click()
  await expect(shown(page, limitsTextDe.form.saved)).toBeVisible()
  await page.reload()
  await expect(page.getByLabel(limitsTextDe.form.daily)).toHaveValue('1234,50')
  await expect(page.getByLabel(limitsTextDe.form.single)).toHaveValue('20,50')
})

test("an agent's own limit is set on its page, and the person is asked above it", async ({ page, target, person }) => {
  const agent = await Agent.register(target, person.principalId)
  await page.goto(`/agents/${agent.clientId}`)
  const own = page.getByRole('region', { name: agentsText.one.limits })
  // Folded, so that the page is short: its meters stand above.
  await own.getByText(agentsText.one.limits, { exact: true }).click()
  await own.getByLabel(form.single).fill('10')
  await own.getByRole('button', { name: form.save }).click()
  await expect(shown(page, form.savedForAgent)).toBeVisible()
  await page.reload()
  await own.getByText(agentsText.one.limits, { exact: true }).click()
  await expect(own.getByLabel(form.single)).toHaveValue('10.00')
  await agent.push((await agent.purchase({ amount_minor: 1_200 })).form)
  await page.goto('/')
  await reviewLink(page, '€12.00').click()
  await expect(shown(page, consentText.exceeded.limit.agent('€10.00'))).toBeVisible()
})

test.describe('limits of €50 a day and €20 each', () => {
  const limits = { currency: 'EUR', daily_cap_minor: 5000, single_txn_cap_minor: 2000 }
  test.use({ personOptions: { card: 'success', approval_rule: 'above_limits', limits } })

  test('let a purchase above them be approved once', async ({ page, agent }) => {
    await page.goto('/limits')
    const today = page.getByRole('meter', { name: `${meters.today}, EUR` })
    await test.step('within the limits nobody is asked', async () => {
      const questions: string[] = []
      const within = await agent.pay(await orderBook(agent), (message) => questions.push(message))
      expect(within.data).toMatchObject({ status: 'paid' })
      expect(questions).toEqual([])
      await expect(today).toHaveAttribute('aria-valuetext', meters.used('€12.00', '€50.00'))
    })

    await test.step('limits that are only typed say which past payments they would have asked about', async () => {
      await page.goto('/limits')
      const single = page.getByLabel(form.single)
      await single.fill('10')
      await expect(shown(page, asked.sentence(1, 1))).toBeVisible()
      await page.getByText(asked.show, { exact: true }).click()
      const told = page.getByRole('list', { name: asked.list }).getByRole('listitem')
      await expect(told).toHaveCount(1)
      await expect(told.getByRole('link')).toHaveText(asked.payment('€12.00', 'Tallow Books'))
      await expectNoViolations(page, 'the payments that would have been asked about')
      await single.fill('12')
      await expect(shown(page, asked.sentence(0, 1))).toBeVisible()
      await expect(told).toHaveCount(0)
    })

    const order = await orderBook(agent, 'Kindred', 2)
    await test.step('above them the person is asked, and told which limit it is', async () => {
      await page.goto('/')
      const { result } = agent.startPaying(order)
      await reviewLink(page, '€27.00').click()
      await expect(shown(page, consentText.exceeded.heading(1))).toBeVisible()
      await expect(shown(page, consentText.exceeded.limit.wallet('€20.00'))).toBeVisible()
      await expect(shown(page, consentText.exceeded.once)).toBeVisible()
      await expect(shown(page, consentText.leftToday('€38.00'))).toBeVisible()
      await approveButton(page, '€27.00').click()
      await expect(outcome(page, consentText.paid.heading)).toBeVisible()
      expect((await result).data).toMatchObject({ status: 'paid', settlement: { amount_minor: 2700 } })
    })

    await test.step('it is paid once, and the limit stays as it was', async () => {
      await page.goto('/payments')
      const rows = page.getByRole('list', { name: paymentsText.title }).getByRole('listitem')
      await expect(rows).toHaveCount(2)
      await expect(rows.filter({ hasText: '€27.00' })).toHaveCount(1)
      await page.goto('/limits')
      await expect(today).toHaveAttribute('aria-valuetext', meters.used('€39.00', '€50.00'))
      await expect(shown(page, meters.upTo('€20.00'))).toBeVisible()
      const another = await orderBook(agent, 'Kindred', 3)
      const again = await agent.pay({ ...another, consent_poll_timeout_seconds: 1 })
      expect(again.data).toMatchObject({ status: 'step_up_required' })
    })
  })
})
