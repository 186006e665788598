import { consentText } from '@/components/approvals/messages'
import { paymentsText } from '@/components/payments/messages'
import { expect, test } from '../support/fixtures'
import { approveButton, expectSameQuestion, outcome, shown } from '../support/portal'
import { orderBook } from '../support/shop'
import { readOutbox } from '../support/sign-in'
import { readQuestion } from '../support/tool-agent'

const PRICE = '€12.00'

test('a person who approves after the agent stopped waiting is not asked twice', async ({
  page,
  target,
  person,
  agent,
}) => {
  const order = { ...(await orderBook(agent)), consent_poll_timeout_seconds: 1 }
  const first = await agent.pay(order)
  expect(first.isError).toBe(false)
  expect(first.data).toEqual({ status: 'step_up_required', request_uri: expect.any(String) })
  const question = readQuestion(first.text)
  expect(question?.url).toMatch(new RegExp(`^${target.baseUrl}/approve/`))
  if (question === null) return

  await page.goto(question.url)
  await expectSameQuestion(page, question, PRICE)
  await approveButton(page, PRICE).click()
  await expect(outcome(page, consentText.approved.heading)).toBeVisible()
  await expect(shown(page, consentText.approved.canCharge('Tallow Books', PRICE))).toBeVisible()

  const questions: string[] = []
  const second = await agent.pay(order, (message) => questions.push(message))
  expect(second.data).toMatchObject({ status: 'paid' })
  expect(questions).toEqual([])
  await expect(outcome(page, consentText.paid.heading)).toBeVisible()

  await page.goto('/approvals?tab=decided')
  await expect(page.getByRole('tabpanel').getByRole('listitem')).toHaveCount(1)
  await page.goto('/approvals')
  await expect(shown(page, consentText.list.emptyWaiting.title)).toBeVisible()
  await page.goto('/payments')
  await expect(page.getByRole('list', { name: paymentsText.title }).getByRole('listitem')).toHaveCount(1)
  const subjects = (await readOutbox(target, person.email)).map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject?.endsWith('wants to buy something'))).toHaveLength(1)
})
