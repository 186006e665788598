import { agentsText } from '@/components/agents/messages'
import { decisionText } from '@/components/approvals/decision-messages'
import { consentText } from '@/components/approvals/messages'
import { merchantsText } from '@/components/merchants/messages'
import { paymentsText } from '@/components/payments/messages'
import { failureText } from '@/components/ui/failure-messages'
import { expect, test } from '../support/fixtures'
import { declineButton, expectSameQuestion, outcome, reviewLink, shown } from '../support/portal'
import { orderBook } from '../support/shop'
import { readOutbox } from '../support/sign-in'

const PRICE = '€12.00'

test('a declined purchase ends for the agent, and nothing is charged', async ({ page, target, person, agent }) => {
  await page.goto('/approvals')
  const { question, result } = agent.startPaying(await orderBook(agent))
  await reviewLink(page, PRICE).click()
  await expectSameQuestion(page, await question, PRICE)
  await declineButton(page).click()
  await expect(outcome(page, consentText.declined.heading)).toBeVisible()

  // What a person may want to do who did not expect it, in view.
  const { precautions, unexpected } = decisionText
  await expect(page.getByRole('heading', { level: 3, name: unexpected })).toBeInViewport()
  for (const name of [precautions.pause, merchantsText.block.button, precautions.revoke]) {
    await expect(page.getByRole('button', { name })).toBeInViewport()
  }
  await page.getByRole('button', { name: precautions.pause }).click()
  await expect(shown(page, agentsText.pause.body)).toBeVisible()

  const { data, isError, text } = await result
  expect(data).toEqual({ status: 'declined', error: { code: 'consent_denied' } })
  expect(isError).toBe(false)
  expect(text).toContain('declined')

  const refused = await agent.pay(await orderBook(agent))
  expect(refused.data).toEqual({ status: 'declined', error: { code: 'access_denied' } })
  await page.getByRole('button', { name: agentsText.pause.resume }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: agentsText.pause.resume }).click()
  await expect(page.getByRole('button', { name: precautions.pause })).toBeVisible()

  await page.goto('/payments')
  await expect(shown(page, paymentsText.empty.title)).toBeVisible()
  await page.goto('/approvals?tab=decided')
  const decided = page.getByRole('tabpanel').getByRole('listitem')
  await expect(decided).toHaveCount(1)
  await expect(decided).toContainText(consentText.decided.declined)
  const subjects = (await readOutbox(target, person.email)).map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject?.startsWith('You paid'))).toEqual([])
})

test('a decision that the service cannot take for a moment is not called switched off', async ({
  page,
  person,
  agent,
}) => {
  expect(person.email).not.toBe('')
  const { question } = agent.startPaying(await orderBook(agent))
  await page.goto((await question).url)
  const data = { code: 'SERVICE_UNAVAILABLE', httpStatus: 503, error: 'service_unavailable', members: {} }
  const error = { message: 'The service is temporarily unavailable.', code: -32603, data }
  await page.route('**/api/trpc/approvals.decide**', (route) => route.fulfill({ status: 503, json: [{ error }] }), {
    times: 1,
  })
  await declineButton(page).click()
  const failed = page.getByRole('alert').filter({ hasText: failureText.title })
  await expect(failed).toContainText('The service is temporarily unavailable.')
  await failed.getByRole('button', { name: failureText.retry }).click()
  await expect(outcome(page, consentText.declined.heading)).toBeVisible()
})
