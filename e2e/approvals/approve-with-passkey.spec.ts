import { decisionText } from '@/components/approvals/decision-messages'
import { consentText } from '@/components/approvals/messages'
import { stepUpText } from '@/components/security/step-up-messages'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { holdPasskey, losePasskeys } from '../support/passkey-holder'
import { approveButton, declineButton, expectSameQuestion, outcome, shown } from '../support/portal'
import { LEFT_HAND, orderBook } from '../support/shop'

const PRICE = '€12.00'

test('a purchase is approved with a passkey', async ({ page, agent }) => {
  await holdPasskey(page)
  const { question, result } = agent.startPaying(await orderBook(agent))
  await page.goto((await question).url)
  await expectSameQuestion(page, await question, PRICE)
  await expect(approveButton(page, PRICE)).toContainText(decisionText.withPasskey)
  await expectNoViolations(page, 'approve with a passkey')
  const [approve, decline] = [await approveButton(page, PRICE).boundingBox(), await declineButton(page).boundingBox()]
  expect([approve?.width, approve?.height]).toEqual([decline?.width, decline?.height])
  expect(approve?.height).toBeGreaterThanOrEqual(48)

  await approveButton(page, PRICE).click()
  await expect(outcome(page, consentText.paid.heading)).toBeVisible()
  expect((await result).data).toMatchObject({ status: 'paid', settlement: { status: 'succeeded' } })
  await expect(shown(page, stepUpText.hint.title)).toBeHidden()
})

test('a closed passkey prompt approves nothing, says so, and can be opened again', {
  tag: ['@phone', '@long'],
}, async ({ page, agent }) => {
  await holdPasskey(page)
  const { question, result } = agent.startPaying(await orderBook(agent))
  await page.goto((await question).url)
  const returnPasskeys = await losePasskeys(page)
  await approveButton(page, PRICE).click()
  await expect(shown(page, stepUpText.failure.cancelled)).toBeVisible()
  await expect(outcome(page, consentText.approved.heading)).toBeHidden()
  await returnPasskeys()
  await approveButton(page, PRICE).click()
  await expect(outcome(page, consentText.paid.heading)).toBeVisible()
  expect((await result).data).toMatchObject({ status: 'paid' })
})

test('a page that shows another purchase than the request cannot approve it', { tag: '@phone' }, async ({
  page,
  agent,
}) => {
  await holdPasskey(page)
  const { question, result } = agent.startPaying(await orderBook(agent))
  const { url } = await question
  // The page is told another amount than the one that is asked for.
  await page.route('**/approve/**', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replaceAll(':1200', ':100').replaceAll('12.00', '1.00')
    await route.fulfill({ response, body })
  })
  await page.goto(url)
  await approveButton(page, '€1.00').click()
  await expect(shown(page, decisionText.anotherNow.title)).toBeVisible()

  await page.unrouteAll({ behavior: 'wait' })
  await page.reload()
  await expectSameQuestion(page, await question, PRICE)
  await declineButton(page).click()
  expect((await result).data).toMatchObject({ status: 'declined' })
})

test('a person without a passkey approves with a fresh sign-in, and is invited to add one', { tag: '@phone' }, async ({
  page,
  agent,
}) => {
  const { question, result } = agent.startPaying(await orderBook(agent))
  await page.goto((await question).url)
  await expect(shown(page, decisionText.withPasskey)).toBeHidden()
  await approveButton(page, PRICE).click()
  await expect(outcome(page, consentText.paid.heading)).toBeVisible()
  expect((await result).data).toMatchObject({ status: 'paid' })
  await expect(shown(page, stepUpText.hint.title)).toBeVisible()
})

test.describe('a person who is asked every time', () => {
  test.use({ personOptions: { card: 'success', approval_rule: 'every_purchase' } })

  test('sees what differs between a second purchase and the first', async ({ page, agent }) => {
    const first = agent.startPaying(await orderBook(agent))
    await page.goto((await first.question).url)
    await expect(shown(page, consentText.lastTime.title)).toBeHidden()
    await approveButton(page, PRICE).click()
    await expect(outcome(page, consentText.paid.heading)).toBeVisible()
    await first.result

    const { question, result } = agent.startPaying(await orderBook(agent, LEFT_HAND, 2))
    await page.goto((await question).url)
    const { lastTime } = consentText
    for (const line of [lastTime.more(PRICE), lastTime.changed(1), lastTime.before('1 ×')]) {
      await expect(shown(page, line)).toBeVisible()
    }
    await expectNoViolations(page, 'a second purchase')
    await declineButton(page).click()
    expect((await result).data).toMatchObject({ status: 'declined' })
  })
})
