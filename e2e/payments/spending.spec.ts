import type { Page } from '@playwright/test'
import { filterText } from '@/components/payments/filter-messages'
import { paymentsText } from '@/components/payments/messages'
import { spendingText } from '@/components/payments/spending-messages'
import { spendingTextDe } from '@/components/payments/spending-messages.de'
import { uiText } from '@/components/ui/messages'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { shown } from '../support/portal'
import { buy } from './buy'

test.use({ personOptions: { card: 'success', approval_rule: 'above_limits' } })

const period = (page: Page) => page.getByLabel(spendingText.period, { exact: true })
const per = (page: Page) => page.getByLabel(spendingText.per, { exact: true })

/** Chooses what the browser has taken over by then. */
async function choose(page: Page, select: (on: Page) => ReturnType<typeof period>, value: string): Promise<void> {
  await expect(async () => {
    await select(page).selectOption(value)
    await expect(page).toHaveURL(new RegExp(`=${value}(&|$)`), { timeout: 1_000 })
  }).toPass()
}

test('spending is compared with as many days before, per day, merchant, agent and month, also as a table', async ({
  page,
  target,
  person,
}) => {
  await page.goto('/payments?tab=spending')
  await expect(shown(page, spendingText.none.title)).toBeVisible()
  const { agent } = await buy(target, person.principalId)
  await buy(target, person.principalId, agent)
  await page.goto('/payments')
  await page.getByRole('tab', { name: paymentsText.tabs.spending }).click()
  await expect(page).toHaveURL(/tab=spending/)
  await expect(page.getByRole('heading', { level: 2, name: /^€24\.00, €24\.00 more than (?:on )?1 / })).toBeVisible()
  await page.getByText(spendingText.asTable).click()
  const byDay = page.getByRole('table', { name: spendingText.table.day('EUR') })
  await expect(byDay.getByRole('row')).toHaveCount(1 + new Date().getUTCDate())
  await expect(byDay.getByRole('row').nth(1)).toContainText('€24.00')
  await expectNoViolations(page, 'spending per day')

  await choose(page, per, 'merchant')
  const byMerchant = page.getByRole('table', { name: spendingText.table.merchant('EUR') })
  await expect(byMerchant.getByRole('row', { name: /Tallow Books 2 €24\.00/ })).toBeVisible()
  await choose(page, per, 'agent')
  await expect(page.getByRole('table', { name: spendingText.table.agent('EUR') }).getByRole('row')).toHaveCount(2)
  await expectNoViolations(page, 'spending per agent')
  await choose(page, period, 'last_12_months')
  await expect(page).toHaveURL('/payments?tab=spending&period=last_12_months&per=agent')
  await page.goBack()
  await expect(page).toHaveURL('/payments?tab=spending&per=agent')
  await expect(period(page)).toHaveValue('this_month')
  await page.goBack()
  await expect(byMerchant).toBeVisible()
  await byMerchant.getByRole('link', { name: 'Tallow Books' }).click()
  await expect(page.getByRole('status', { name: paymentsText.totals })).toHaveText('2 payments, €24.00')
  await expect(
    page.getByRole('link', { name: filterText.remove(`${filterText.merchant}: Tallow Books`) }),
  ).toBeVisible()
})

test('spending of a shared link is the same, of one’s own days too, and what it cannot read is said', async ({
  page,
  target,
  person,
}) => {
  await buy(target, person.principalId)
  await page.goto('/payments?tab=spending&period=last_12_months')
  await page.getByText(spendingText.asTable).click()
  await expect(page.getByRole('table', { name: spendingText.table.month('EUR') }).getByRole('row')).toHaveCount(13)
  await expectNoViolations(page, 'spending per month')
  await page.goto('/payments?tab=spending&period=2026-11-01..2026-11-10')
  await expect(page.getByLabel(spendingText.from, { exact: true }).last()).toHaveValue('2026-11-01')
  await page.goto('/payments?tab=spending&period=soon&per=shop')
  await expect(shown(page, uiText.unreadLink.title)).toBeVisible()
  await expect(period(page)).toHaveValue('this_month')
})

test('spending is German where the person is', { tag: '@desktop' }, async ({ page, target, person, context }) => {
  await context.addCookies([{ name: 'locale', value: 'de', url: target.baseUrl }])
  await buy(target, person.principalId)
  await page.goto('/payments?tab=spending&per=merchant')
  await expect(page.getByRole('heading', { level: 2, name: /^12,00\s€, 12,00\s€ mehr als (vom|am) 1\./ })).toBeVisible()
  await expect(page.getByRole('table', { name: spendingTextDe.table.merchant('EUR') })).toBeVisible()
  await expectNoViolations(page, 'spending in German')
})
