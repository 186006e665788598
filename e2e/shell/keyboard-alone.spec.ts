import { expect } from '@playwright/test'
import { consentText } from '@/components/approvals/messages'
import { layoutText } from '@/components/layout/messages'
import { test } from '../support/fixtures'
import { approveButton, outcome, reviewLink, tabTo } from '../support/portal'
import { orderBook } from '../support/shop'

const PRICE = '€12.00'

test('a purchase is approved with Tab and Enter alone', async ({ page, agent }) => {
  await page.goto('/')
  const { result } = agent.startPaying(await orderBook(agent))
  await expect(reviewLink(page, PRICE)).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: layoutText.skip })).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, reviewLink(page, PRICE))
  await page.keyboard.press('Enter')
  await tabTo(page, approveButton(page, PRICE))
  await expect(approveButton(page, PRICE)).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Enter')
  await expect(outcome(page, consentText.paid.heading)).toBeVisible()
  expect((await result).data).toMatchObject({ status: 'paid' })
  await expect(outcome(page, consentText.paid.heading)).toBeFocused()
  const receipt = page.getByRole('link', { name: consentText.paid.receipt })
  await tabTo(page, receipt)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/payments\//)
})
