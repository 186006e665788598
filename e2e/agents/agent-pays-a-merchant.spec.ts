import { agentsText } from '@/components/agents/messages'
import { consentText } from '@/components/approvals/messages'
import { scopeText } from '@/components/approvals/scope-messages'
import { homeText } from '@/components/home/messages'
import { paymentsText } from '@/components/payments/messages'
import { paymentText } from '@/components/payments/payment-messages'
import { paymentStatusText } from '@/components/payments/status-messages'
import { expect, test } from '../support/fixtures'
import { approveButton, countLoads, expectSameQuestion, outcome, reviewLink, shown } from '../support/portal'
import { LEFT_HAND, orderBook } from '../support/shop'
import { readOutbox } from '../support/sign-in'
import { runShownCommand, ToolAgent } from '../support/tool-agent'

const NAME = 'Claude Code on ada-mbp'
const PURPOSE = 'Buys second-hand books'
const PRICE = '€12.00'

test('a person connects an agent, and approves the book that it buys', async ({ page, target, person, home }) => {
  await test.step('the portal makes a code, and sees that the agent has used it', async () => {
    await page.goto('/agents')
    await page.getByRole('link', { name: agentsText.connect }).first().click()
    await page.getByLabel(agentsText.new.name).fill(NAME)
    await page.getByLabel(agentsText.new.purpose).fill(PURPOSE)
    await expect(page.getByRole('checkbox', { name: agentsText.new.pay.label })).toBeChecked()
    await expect(page.getByRole('checkbox', { name: agentsText.new.change.label })).not.toBeChecked()
    await page.getByRole('button', { name: agentsText.new.submit }).click()
    const command = shown(page, 'register --setup-token')
    await expect(command).toBeVisible()
    await expect(page.getByRole('img', { name: agentsText.handOver.qr })).toBeVisible()

    const loads = countLoads(page)
    const output = await runShownCommand((await command.textContent()) ?? '', home)
    expect(output).toContain(`Registered at ${target.baseUrl}`)
    await expect(shown(page, agentsText.handOver.connected.title, { exact: true })).toBeVisible()
    await expect(shown(page, agentsText.handOver.connected.body(NAME))).toBeVisible()
    await expect(command).toBeHidden()
    expect(loads()).toBe(0)
  })

  await test.step('the agent is what the person said it would be', async () => {
    await page.getByRole('link', { name: agentsText.handOver.connected.see }).click()
    await expect(page.getByRole('heading', { level: 1, name: NAME })).toBeVisible()
    await expect(shown(page, PURPOSE)).toBeVisible()
    await page.getByText(agentsText.one.technical).click()
    await expect(shown(page, scopeText['oid4ac:payment']?.title ?? '', { exact: true })).toBeVisible()
    await expect(shown(page, scopeText['wallet:write']?.title ?? '', { exact: true })).toBeHidden()
  })

  const agent = await ToolAgent.start(target, home)
  try {
    await page.goto('/')
    await expect(shown(page, homeText.nothingWaiting.title)).toBeVisible()
    const loads = countLoads(page)
    const { question, result } = agent.startPaying(await orderBook(agent))
    let approvePage = ''

    await test.step('the request appears by itself, and asks what the agent asks', async () => {
      await expect(reviewLink(page, PRICE)).toBeVisible()
      await expect(page).toHaveTitle(/^\(1\) /)
      await page.setViewportSize({ width: 360, height: 800 })
      await reviewLink(page, PRICE).click()
      await expect(page).toHaveURL(/\/approve\//)
      await expectSameQuestion(page, await question, PRICE)
      approvePage = page.url()
      await expect(shown(page, consentText.verified)).toBeVisible()
      await expect(page.getByRole('article').getByText(NAME)).toBeVisible()
      await expect(shown(page, consentText.newMerchant)).toBeVisible()
      await expect(shown(page, 'Visa •••• 4242')).toBeVisible()
    })

    await test.step('the approval turns into a payment by itself', async () => {
      await approveButton(page, PRICE).click()
      await expect(outcome(page, consentText.paid.heading)).toBeVisible()
      expect(loads()).toBe(0)
      expect((await result).data).toMatchObject({ status: 'paid', settlement: { status: 'succeeded' } })
    })

    await test.step('the payment is listed, with everything about it', async () => {
      await page.goto('/payments')
      const row = page.getByRole('list', { name: paymentsText.title }).getByRole('listitem')
      await expect(row).toHaveCount(1)
      await expect(row).toContainText(PRICE)
      await expect(row).toContainText(NAME)
      await expect(row).toContainText(paymentStatusText.succeeded)
      await row.getByRole('link').click()
      const { title, timeline, steps, rule, method } = paymentText
      await expect(page.getByRole('heading', { level: 1, name: title(PRICE, 'Tallow Books') })).toBeVisible()
      for (const step of [steps.asked, `${steps.approved} ${method.magic_link}`, steps.paid]) {
        await expect(page.getByRole('region', { name: timeline }).getByText(step, { exact: true })).toBeVisible()
      }
      await expect(shown(page, rule.approved_over_limit)).toBeVisible()
      await expect(shown(page, 'Visa •••• 4242')).toBeVisible()
      const { settlement } = (await result).data as { settlement: { payment_intent_id: string } }
      await expect(shown(page, settlement.payment_intent_id)).toBeVisible()
    })

    await test.step('both e-mails are in the outbox', async () => {
      await expect
        .poll(async () => (await readOutbox(target, person.email)).map(({ subject }) => subject))
        .toEqual(['You paid 12.00 EUR to Tallow Books', 'An agent wants to buy something', 'Sign in to Countersign'])
      const asking = (await readOutbox(target, person.email))[1]
      expect(asking?.links).toEqual([approvePage])
      await page.goto('/sandbox/outbox')
      const mail = page.getByRole('listitem').filter({ hasText: person.email })
      await expect(mail.getByRole('heading', { name: 'You paid 12.00 EUR to Tallow Books' })).toBeVisible()
    })
  } finally {
    await agent.stop()
  }
})

test('the approve page lists the items that the agent ordered', async ({ page, person, agent }) => {
  expect(person.email).not.toBe('')
  const { question, result } = agent.startPaying(await orderBook(agent, LEFT_HAND, 2))
  await page.goto((await question).url)
  await expectSameQuestion(page, await question, '€24.00')
  await expect(shown(page, `2 × ${PRICE}`)).toBeVisible()
  await expect(shown(page, consentText.addsUp)).toBeVisible()
  await approveButton(page, '€24.00').click()
  await expect(outcome(page, consentText.paid.heading)).toBeVisible()
  expect((await result).data).toMatchObject({ status: 'paid', settlement: { amount_minor: 2400 } })
})
