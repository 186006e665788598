import { consentText } from '@/components/consent/messages'
import { paymentsText } from '@/components/payments/messages'
import { expect, test } from './fixtures'
import { declineButton, expectSameQuestion, outcome, reviewLink, shown } from './portal'
import { orderBook } from './shop'
import { readOutbox } from './sign-in'

const PRICE = '€12.00'

test('a declined purchase ends for the agent, and nothing is charged', async ({ page, target, person, agent }) => {
  await page.goto('/approvals')
  const { question, result } = agent.startPaying(await orderBook(agent))
  await reviewLink(page, PRICE).click()
  await expectSameQuestion(page, await question, PRICE)
  await declineButton(page).click()
  await expect(outcome(page, consentText.declined.heading)).toBeVisible()
  await expect(shown(page, consentText.declined.body)).toBeVisible()

  const { data, isError, text } = await result
  expect(data).toEqual({ status: 'declined', error: { code: 'consent_denied' } })
  expect(isError).toBe(false)
  expect(text).toContain('declined')

  await page.goto('/payments')
  await expect(shown(page, paymentsText.empty.title)).toBeVisible()
  await page.goto('/approvals?tab=decided')
  const decided = page.getByRole('tabpanel').getByRole('listitem')
  await expect(decided).toHaveCount(1)
  await expect(decided).toContainText(consentText.status.declined)
  const subjects = (await readOutbox(target, person.email)).map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject?.startsWith('You paid'))).toEqual([])
})
