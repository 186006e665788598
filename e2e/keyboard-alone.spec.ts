import { expect, type Locator, type Page } from '@playwright/test'
import { consentText } from '@/components/consent/messages'
import { layoutText } from '@/components/layout/messages'
import { test } from './fixtures'
import { approveButton, outcome, reviewLink } from './portal'
import { orderBook } from './shop'

const PRICE = '€12.00'
/** No way through a page is longer than this. */
const MAX_TABS = 40

/** Presses Tab until the focus is there; whatever has it on the way can be seen. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible()
  for (let presses = 0; presses < MAX_TABS; presses += 1) {
    await page.keyboard.press('Tab')
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await expect(page.locator(':focus')).toBeInViewport()
  }
  throw new Error(`Tab does not lead to ${String(wanted)}`)
}

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
