import { decisionText } from '@/components/approvals/decision-messages'
import { consentText } from '@/components/approvals/messages'
import { walletText } from '@/components/approvals/wallet-messages'
import { answerRequest } from '@/scripts/wallet/answer-request'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/own-server'
import { declineButton, outcome, shown } from '../support/portal'
import { orderBook } from '../support/shop'
import { addWalletApp } from '../support/wallet-app'

const PRICE = '€12.00'

test('a purchase is approved with a wallet app, after it was declined there once', { tag: '@long' }, async ({
  page,
  target,
  agent,
  home,
}) => {
  const holder = await addWalletApp(page, target, home)
  const { question, result } = agent.startPaying(await orderBook(agent))
  // The button works once its script has come, which is fetched after those that decide.
  await page.goto((await question).url, { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: walletText.choose }).click()
  const dialog = page.getByRole('dialog', { name: walletText.title(PRICE) })
  const link = dialog.getByRole('link', { name: walletText.open })
  await expect(link).toHaveAttribute('href', /^openid4vp:/)
  const isWide = (page.viewportSize()?.width ?? 0) >= 640
  if (isWide) await expect(dialog.getByRole('img', { name: walletText.code })).toBeVisible()
  await expectNoViolations(page, 'approve with a wallet app')

  const first = (await link.getAttribute('href')) ?? ''
  await test.step('the wallet app declines', () => answerRequest(holder, first, { declines: true }))
  await expect(shown(page, walletText.refused.title)).toBeVisible()
  await dialog.getByRole('button', { name: walletText.again }).click()
  await expect(link).not.toHaveAttribute('href', first)
  const second = (await link.getAttribute('href')) ?? ''
  await test.step('the wallet app approves', () => answerRequest(holder, second, { declines: false }))
  await expect(outcome(page, consentText.paid.heading)).toBeVisible()
  expect((await result).data).toMatchObject({ status: 'paid', settlement: { status: 'succeeded' } })
})

test('a person who has added no wallet app is not offered it', async ({ page, agent }) => {
  const { question, result } = agent.startPaying(await orderBook(agent))
  await page.goto((await question).url)
  await expect(shown(page, decisionText.matchCode)).toBeVisible()
  await expect(page.getByRole('button', { name: walletText.choose })).toBeHidden()
  await declineButton(page).click()
  expect((await result).data).toMatchObject({ status: 'declined' })
})
