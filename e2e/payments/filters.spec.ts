import type { Page } from '@playwright/test'
import { verificationText } from '@/components/merchants/verification-messages'
import { filterText } from '@/components/payments/filter-messages'
import { filterTextDe } from '@/components/payments/filter-messages.de'
import { paymentsText } from '@/components/payments/messages'
import { paymentsTextDe } from '@/components/payments/messages.de'
import { uiText } from '@/components/ui/messages'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { shown } from '../support/portal'
import { buy } from './buy'

test.use({ personOptions: { card: 'success', approval_rule: 'above_limits' } })

const PHONE_PIXELS = 740

const rowsOf = (page: Page) => page.getByRole('list', { name: paymentsText.title }).getByRole('listitem')
const sumOf = (page: Page) => page.getByRole('status', { name: paymentsText.totals })
const chip = (page: Page, words: string) => page.getByRole('link', { name: filterText.remove(words) })
const control = (page: Page, label: string) => page.getByLabel(label, { exact: true })

/** Opens the filters where they are folded; a press before the page has woken up does nothing. */
async function unfold(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: filterText.filter, exact: true })
  if (!(await button.isVisible())) return
  await expect(async () => {
    if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
    await expect(control(page, filterText.agent)).toBeVisible({ timeout: 500 })
  }).toPass()
}

test('filters apply at once, stand in the address, and are taken away one by one', async ({ page, target, person }) => {
  const { agent } = await buy(target, person.principalId)
  await buy(target, person.principalId, agent)
  const other = await buy(target, person.principalId)
  await page.goto('/payments')
  await expect(sumOf(page)).toHaveText('3 payments, €36.00')
  await unfold(page)
  await control(page, filterText.agent).focus()
  await control(page, filterText.agent).selectOption(agent.clientId)
  await expect(sumOf(page)).toHaveText('2 payments, €24.00')
  await expect(control(page, filterText.agent)).toBeFocused()
  await expect(page).toHaveURL(`/payments?agent=${agent.clientId}`)
  await control(page, filterText.merchant).selectOption({ label: 'Tallow Books' })
  await expect(page).toHaveURL(/agent=.+&merchant=.+tallow/)
  const today = new Date().toISOString().slice(0, 10)
  await control(page, filterText.from).fill(today)
  await expect(page).toHaveURL(new RegExp(`&from=${today}$`))
  await expect(rowsOf(page)).toHaveCount(2)
  await expect(shown(page, 'Days in UTC.')).toBeVisible()
  await expectNoViolations(page, 'filtered payments')

  await page.reload()
  await expect(sumOf(page)).toHaveText('2 payments, €24.00')
  await expect(control(page, filterText.agent)).toHaveValue(agent.clientId)
  await expect(control(page, filterText.from)).toHaveValue(today)
  await page.goBack()
  await page.goForward()
  await expect(control(page, filterText.from)).toHaveValue(today)

  await chip(page, `${filterText.merchant}: Tallow Books`).click()
  await expect(page).toHaveURL(new RegExp(`/payments\\?agent=${agent.clientId}&from=${today}$`))
  await expect(control(page, filterText.merchant)).toHaveValue('')
  await control(page, filterText.agent).selectOption(other.agent.clientId)
  await expect(sumOf(page)).toHaveText('1 payment, €12.00')
  await page.goBack()
  await expect(sumOf(page)).toHaveText('2 payments, €24.00')
  await expect(control(page, filterText.agent)).toHaveValue(agent.clientId)
  await page.getByRole('link', { name: filterText.clear }).click()
  await expect(page).toHaveURL('/payments')
  await expect(rowsOf(page)).toHaveCount(3)
  await expect(control(page, filterText.agent)).toHaveValue('')
})

test('filters in a wrong order and unknown ones are said plainly', async ({ page, target, person }) => {
  await buy(target, person.principalId)
  await page.goto('/payments?from=2026-11-20&to=2026-11-01')
  await expect(shown(page, filterText.order)).toBeVisible()
  await expect(sumOf(page)).toHaveText('0 payments')
  await expect(shown(page, paymentsText.noneMatch.title)).toBeVisible()
  await page.goto('/payments?agent=unknown&from=soon')
  await expect(shown(page, uiText.unreadLink.title)).toBeVisible()
  await expect(rowsOf(page)).toHaveCount(1)
})

test('search, count and first payments of a phone are in sight, filters a press away', { tag: '@phone' }, async ({
  page,
  target,
  person,
}) => {
  await buy(target, person.principalId)
  await page.goto('/payments')
  await expect(rowsOf(page).first()).toBeVisible()
  const first = await rowsOf(page).first().boundingBox()
  expect((first?.y ?? PHONE_PIXELS) + (first?.height ?? 0)).toBeLessThan(PHONE_PIXELS)
  await expect(page.getByRole('searchbox')).toBeInViewport()
  await expect(sumOf(page)).toBeInViewport()
  await expect(control(page, filterText.agent)).toBeHidden()
  await unfold(page)
  await expectNoViolations(page, 'payments with open filters')
})

test('filters and sums are German where the person is', { tag: '@desktop' }, async ({
  page,
  target,
  person,
  context,
}) => {
  await context.addCookies([{ name: 'locale', value: 'de', url: target.baseUrl }])
  const { agent } = await buy(target, person.principalId)
  await page.goto(`/payments?agent=${agent.clientId}&from=2026-11-01`)
  await expect(control(page, filterTextDe.merchant)).toBeVisible()
  await expect(page.getByRole('status', { name: paymentsTextDe.totals })).toHaveText(/^1 Zahlung, 12,00\s€$/)
  await expect(page.getByRole('link', { name: filterTextDe.remove('Von 1. Nov. 2026') })).toBeVisible()
  await expectNoViolations(page, 'filtered payments in German')
})

test('a merchant’s page leads to its payments', { tag: '@desktop' }, async ({ page, target, person }) => {
  await buy(target, person.principalId)
  await page.goto('/merchants/tallow-books')
  await page.getByRole('link', { name: verificationText.payments }).click()
  await expect(page).toHaveURL(/\/payments\?merchant=/)
  await expect(sumOf(page)).toHaveText('1 payment, €12.00')
})
