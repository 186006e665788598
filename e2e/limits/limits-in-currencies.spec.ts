import type { Page } from '@playwright/test'
import { currencyText } from '@/components/limits/currency-messages'
import { currencyTextDe } from '@/components/limits/currency-messages.de'
import { limitsText } from '@/components/limits/messages'
import { limitsTextDe } from '@/components/limits/messages.de'
import { welcomeText } from '@/components/welcome/messages'
import { Agent } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { holdPasskey } from '../support/passkey-holder'
import { shown } from '../support/portal'

const { form, meters, raise, undo, changes, differences, asked } = limitsText

const limits = { currency: 'EUR', daily_cap_minor: 5000, single_txn_cap_minor: 2000 }
test.use({ personOptions: { card: 'success', approval_rule: 'above_limits', limits } })

const adding = (page: Page) => page.getByRole('group', { name: currencyText.newTitle })
const dollars = (page: Page) => page.locator('details', { hasText: /^USD: / })
const today = (page: Page, currency: string) => page.getByRole('meter', { name: `${meters.today}, ${currency}` })

async function confirm(page: Page): Promise<void> {
  const dialog = page.getByRole('alertdialog', { name: raise.title })
  await dialog.getByRole('button', { name: raise.confirm }).click()
  await expect(dialog).toBeHidden()
}

async function addDollars(page: Page): Promise<void> {
  await page.getByRole('button', { name: form.addCurrency }).click()
  await adding(page).getByLabel(form.currency).selectOption('USD')
  await adding(page).getByLabel(form.daily).fill('30')
  await adding(page).getByRole('button', { name: form.save }).click()
  await confirm(page)
  await expect(dollars(page)).toBeVisible()
}

test('the first day raises a limit beside those of a second currency', { tag: '@phone' }, async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await holdPasskey(page)
  await page.goto('/limits')
  await addDollars(page)
  await page.goto('/welcome?step=3')
  const goOn = page.getByRole('button', { name: welcomeText.continue })
  await expect(goOn).toBeEnabled()
  await page.getByLabel(form.daily).fill('60')
  await goOn.click()
  await expect(shown(page, welcomeText.limits.raises)).toBeVisible()
  await goOn.click()
  await expect(page).toHaveURL('/welcome?step=4')
  await page.goto('/limits')
  await expect(today(page, 'EUR')).toHaveAttribute('aria-valuetext', meters.used('€0.00', '€60.00'))
  await expect(today(page, 'USD')).toHaveAttribute('aria-valuetext', meters.used('USD\u00a00.00', 'USD\u00a030.00'))
})

test('a second currency is added, held and changed', async ({ page, target, person }) => {
  const agent = await Agent.register(target, person.principalId)
  await page.goto('/limits')

  await test.step('adding one lets agents pay more, which is compared and confirmed', async () => {
    await page.getByRole('button', { name: form.addCurrency }).click()
    const options = adding(page).getByLabel(form.currency).locator('option')
    await expect(options.and(page.locator('[value="USD"]'))).toHaveCount(1)
    for (const code of ['EUR', 'BOV', 'XAU', 'XTS']) {
      await expect(options.and(page.locator(`[value="${code}"]`))).toHaveCount(0)
    }
    await adding(page).getByRole('button', { name: form.save }).click()
    await expect(adding(page).getByText(currencyText.empty)).toBeVisible()
    await adding(page).getByLabel(form.currency).selectOption('USD')
    await adding(page).getByLabel(form.daily).fill('30')
    // The bar of a phone lies over part of the fields wherever the page stands; at the end it covers none.
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    await expectNoViolations(page, 'a currency that is added')
    await adding(page).getByRole('button', { name: form.save }).click()
    const dialog = page.getByRole('alertdialog', { name: raise.title })
    const rows = dialog.getByRole('list', { name: differences.label }).getByRole('listitem')
    await expect(rows).toHaveCount(1)
    await expect(rows).toContainText(`${differences.field.daily_cap}, USD`)
    await expect(rows).toContainText(differences.refused)
    await confirm(page)
    await expect(adding(page)).toBeHidden()
    await expect(today(page, 'USD')).toHaveAttribute('aria-valuetext', meters.used('USD\u00a00.00', 'USD\u00a030.00'))
    await expect(today(page, 'EUR')).toHaveAttribute('aria-valuetext', meters.used('€0.00', '€50.00'))
  })

  await test.step('each currency is held by itself', async () => {
    const bought = await agent.buy({ amount_minor: 2_500, currency: 'USD' })
    expect((await agent.settle(bought.access_token, bought.mandate_jwt, 'dollars')).status).toBe(200)
    await expect(today(page, 'USD')).toHaveAttribute('aria-valuetext', meters.used('USD\u00a025.00', 'USD\u00a030.00'))
    await expect(today(page, 'EUR')).toHaveAttribute('aria-valuetext', meters.used('€0.00', '€50.00'))
  })

  await test.step('what less of it would have meant is said before it is saved', async () => {
    await dollars(page).locator('summary').click()
    await dollars(page).getByLabel(form.daily).fill('20')
    await expect(shown(page, asked.sentence(1, 1))).toBeVisible()
    await page.getByRole('button', { name: asked.show }).click()
    const told = page.getByRole('list', { name: asked.list }).getByRole('listitem')
    await expect(told.getByRole('link')).toHaveText(asked.payment('USD\u00a025.00', 'Tallow Books'))
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    await expectNoViolations(page, 'limits in two currencies')
  })

  await test.step('less of it is saved with one press', async () => {
    await dollars(page).getByRole('button', { name: form.save }).click()
    await expect(today(page, 'USD')).toHaveAttribute('aria-valuetext', meters.used('USD\u00a025.00', 'USD\u00a020.00'))
    await expect(page.getByRole('button', { name: undo.action })).toBeVisible()
  })
})

test('what was typed stays when another currency is chosen for it', { tag: ['@phone', '@long'] }, async ({
  page,
  person,
}) => {
  expect(person.email).not.toBe('')
  await page.goto('/limits')
  await page.getByRole('button', { name: form.addCurrency }).click()
  await adding(page).getByLabel(form.daily).fill('30')
  await adding(page).getByLabel(form.single).fill('10')
  await adding(page).getByLabel(form.currency).selectOption('GBP')
  await expect(adding(page).getByLabel(form.currency)).toHaveValue('GBP')
  await expect(adding(page).getByLabel(form.daily)).toHaveValue('30')
  await expect(adding(page).getByLabel(form.single)).toHaveValue('10')
  await adding(page).getByRole('button', { name: form.save }).click()
  await confirm(page)
  await expect(today(page, 'GBP')).toHaveAttribute('aria-valuetext', meters.used('£0.00', '£30.00'))
})

test('one of two currencies is removed with one press, and the last one stays', async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await page.goto('/limits')
  await addDollars(page)
  await dollars(page).locator('summary').click()
  await dollars(page)
    .getByRole('button', { name: currencyText.remove('USD') })
    .click()
  await expect(dollars(page)).toHaveCount(0)
  await expect(today(page, 'USD')).toHaveCount(0)
  await expect(page.getByRole('button', { name: currencyText.remove('EUR') })).toHaveCount(0)
  await page.getByRole('button', { name: undo.action }).click()
  await expect(today(page, 'USD')).toBeVisible()
  await page.getByText(changes.title, { exact: true }).press('Enter')
  const history = page.getByRole('list', { name: changes.title }).locator('> li')
  await expect(history.first()).toContainText(`${differences.field.daily_cap}, USD`)
})

test('two windows agree on a changed limit', { tag: ['@phone', '@long'] }, async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await page.goto('/limits')
  const other = await page.context().newPage()
  await other.goto('/limits')
  await addDollars(page)
  await expect(today(other, 'USD')).toBeVisible()
  await expect(dollars(other)).toBeVisible()
  await page.getByLabel(form.daily).first().fill('10')
  await page.getByRole('button', { name: form.save }).first().click()
  await expect(other.getByLabel(form.daily).first()).toHaveValue('10.00')
  await expect(today(other, 'EUR')).toHaveAttribute('aria-valuetext', meters.used('€0.00', '€10.00'))
})

test('the page has few words, also with two currencies', { tag: ['@phone', '@long'] }, async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await page.goto('/limits')
  await addDollars(page)
  await page.reload()
  await expect(dollars(page)).toBeVisible()
  const main = page.getByRole('main')
  const words = await main.evaluate((element) => {
    const copy = element.cloneNode(true)
    if (!(copy instanceof HTMLElement)) return Number.NaN
    for (const select of copy.querySelectorAll('select')) select.remove()
    return (copy.textContent ?? '').split(/\s+/).filter((word) => word !== '').length
  })
  expect(words).toBeLessThanOrEqual(300)
})

test('limits are set with the keyboard alone', { tag: '@desktop' }, async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await page.goto('/limits')
  await page.getByRole('button', { name: form.addCurrency }).press('Enter')
  const select = adding(page).getByLabel(form.currency)
  await expect(select).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.type('30')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('alertdialog', { name: raise.title })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('button', { name: raise.confirm })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(today(page, 'USD')).toBeVisible()
})

test('a German reader adds a currency', { tag: ['@phone', '@long'] }, async ({ page, target, person }) => {
  expect(person.email).not.toBe('')
  await page.context().addCookies([{ name: 'locale', value: 'de', url: target.baseUrl }])
  await page.goto('/limits')
  const card = page.getByRole('group', { name: currencyTextDe.newTitle })
  await expect(async () => {
    // A press that was taken late has shown the card by now.
    if (await card.isHidden()) {
      await page.getByRole('button', { name: limitsTextDe.form.addCurrency }).click({ timeout: 500 })
    }
    await expect(card).toBeVisible({ timeout: 500 })
  }).toPass()
  await card.getByLabel(limitsTextDe.form.currency).selectOption('USD')
  await card.getByLabel(limitsTextDe.form.daily).fill('30,50')
  await card.getByRole('button', { name: limitsTextDe.form.save }).click()
  const dialog = page.getByRole('alertdialog', { name: limitsTextDe.raise.title })
  await dialog.getByRole('button', { name: limitsTextDe.raise.confirm }).click()
  await expect(page.getByText(/^USD: .*pro Tag$/)).toBeVisible()
})
