import { decisionText } from '@/components/approvals/decision-messages'
import { consentText } from '@/components/approvals/messages'
import { cardsText } from '@/components/cards/messages'
import { homeText } from '@/components/home/messages'
import { layoutText } from '@/components/layout/messages'
import { operate, type Target } from '@/test/support/actors'
import { expect, test } from '../support/own-server'
import { approveButton, declineButton, outcome, shown } from '../support/portal'
import { LEFT_HAND, orderBook } from '../support/shop'
import { readQuestion } from '../support/tool-agent'

const PRICE = '€12.00'

/** The words are the same on every screen, and each screen would start another server. */
const oneScreen = { tag: ['@desktop', '@long'] }

async function turn(target: Target, name: string, enabled: boolean): Promise<void> {
  expect((await operate(target, 'PUT', `/switches/${name}`, { enabled })).status).toBe(200)
}

test('approvals that are switched off say so in plain words', oneScreen, async ({ page, target, agent }) => {
  const order = { ...(await orderBook(agent)), consent_poll_timeout_seconds: 1 }
  const { url } = readQuestion((await agent.pay(order)).text) ?? { url: '' }
  const unwanted = { ...(await orderBook(agent, LEFT_HAND, 2)), consent_poll_timeout_seconds: 1 }
  const declined = readQuestion((await agent.pay(unwanted)).text) ?? { url: '' }
  await turn(target, 'consent_scan', false)
  const { title, body } = layoutText.switchedOff.consent_scan
  for (const address of ['/', '/approvals', url]) {
    await page.goto(address)
    await expect(shown(page, title, { exact: true })).toBeVisible()
    await expect(shown(page, body)).toBeVisible()
  }
  await expect(approveButton(page, PRICE)).toBeDisabled()
  await page.goto(declined.url)
  await declineButton(page).click()
  await expect(outcome(page, consentText.declined.heading)).toBeVisible()
  const refused = await agent.pay(await orderBook(agent, 'Kindred'))
  expect(refused.data).toEqual({ status: 'declined', error: { code: 'access_denied' } })

  await turn(target, 'consent_scan', true)
  await page.goto(url)
  await approveButton(page, PRICE).click()
  await expect(outcome(page, consentText.approved.heading)).toBeVisible()
  expect((await agent.pay(order)).data).toMatchObject({ status: 'paid' })
  await page.goto('/')
  await expect(shown(page, homeText.nothingWaiting.title)).toBeVisible()
  await expect(shown(page, title, { exact: true })).toBeHidden()
})

test(
  'the approve button decides nothing after approvals were switched off, and says so',
  oneScreen,
  async ({ page, target, agent }) => {
    const { question, result } = agent.startPaying(await orderBook(agent))
    await page.goto((await question).url)
    await expect(approveButton(page, PRICE)).toBeEnabled()
    await turn(target, 'consent_scan', false)
    await approveButton(page, PRICE).click()
    await expect(page.getByRole('alert').filter({ hasText: decisionText.switchedOff.body })).toBeVisible()
    await turn(target, 'consent_scan', true)
    await page.reload()
    await approveButton(page, PRICE).click()
    await expect(outcome(page, consentText.paid.heading)).toBeVisible()
    expect((await result).data).toMatchObject({ status: 'paid' })
  },
)

test(
  'a payment that waits while payments are switched off is made once they are back on',
  oneScreen,
  async ({ page, target, agent }) => {
    const order = await orderBook(agent)
    await turn(target, 'settlement', false)
    const { title, body } = layoutText.switchedOff.settlement
    for (const address of ['/', '/payments']) {
      await page.goto(address)
      await expect(shown(page, title, { exact: true })).toBeVisible()
      await expect(shown(page, body)).toBeVisible()
    }
    const { question, result } = agent.startPaying(order)
    await page.goto((await question).url)
    await expect(shown(page, title, { exact: true })).toBeVisible()
    await approveButton(page, PRICE).click()
    await expect(shown(page, consentText.approved.waiting)).toBeVisible()
    const { isError, text } = await result
    expect(isError).toBe(true)
    expect(text).toContain('503')

    await turn(target, 'settlement', true)
    expect((await agent.pay(order)).data).toMatchObject({ status: 'paid' })
    await expect(outcome(page, consentText.paid.heading)).toBeVisible()
  },
)

test(
  'the page of cards says when no card can be added for now, and keeps the saved ones',
  oneScreen,
  async ({ page, target, agent }) => {
    await turn(target, 'card_enrolment', false)
    const { title, body } = layoutText.switchedOff.card_enrolment
    await page.goto('/cards')
    await expect(shown(page, title, { exact: true })).toBeVisible()
    await expect(shown(page, body)).toBeVisible()
    await expect(page.getByRole('list', { name: cardsText.title }).getByRole('listitem')).toHaveCount(1)
    await expect(
      page.getByRole('button', { name: cardsText.test.addName(cardsText.test.cards.success.label) }),
    ).toBeHidden()
    expect((await agent.pay({ ...(await orderBook(agent)), consent_poll_timeout_seconds: 1 })).isError).toBe(false)
    await turn(target, 'card_enrolment', true)
  },
)

test(
  'no page mentions a switched-off feature that the portal does not need',
  oneScreen,
  async ({ page, target, person }) => {
    expect(person.email).not.toBe('')
    const hidden = ['federation', 'processor_webhook', 'presentation_verify', 'presentation_request', 'status_list']
    for (const name of hidden) await turn(target, name, false)
    for (const path of ['/', '/approvals', '/agents', '/limits', '/merchants', '/payments', '/cards', '/activity']) {
      const answer = await page.goto(path)
      expect(answer?.status(), path).toBe(200)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByText(/switched off/)).toBeHidden()
    }
    for (const name of hidden) await turn(target, name, true)
  },
)
