import type { Locator, Page } from '@playwright/test'
import { frozenText } from '@/components/layout/frozen-messages'
import { layoutText } from '@/components/layout/messages'
import { limitsText } from '@/components/limits/messages'
import { relaxText } from '@/components/security/relax-messages'
import { uiText } from '@/components/ui/messages'
import { expectNoViolations } from '../support/accessible'
import { holdCalls } from '../support/calls'
import { expect, test } from '../support/fixtures'
import { shown } from '../support/portal'

const { form, meters, raise, rule } = limitsText

test.use({
  personOptions: {
    card: 'success',
    approval_rule: 'every_purchase',
    limits: { currency: 'EUR', daily_cap_minor: 5000, single_txn_cap_minor: 2000 },
  },
})

interface Question {
  readonly what: string
  /** What the confirmed change is sent to. */
  readonly procedure: string
  readonly title: string
  readonly confirm: string
  readonly cancel: string
  readonly before?: (page: Page) => Promise<void>
  readonly ask: (page: Page) => Promise<void>
  /** What shows that nothing has changed, and what shows that it has. */
  readonly unchanged: (page: Page) => Promise<void>
  readonly changed: (page: Page) => Promise<void>
}

const today = (page: Page) => page.getByRole('meter', { name: `${meters.today}, EUR` })
const newMerchants = (page: Page) => page.getByRole('radio', { name: rule.new_merchants.label, exact: true })

const questions: readonly Question[] = [
  {
    what: 'unfreezing',
    procedure: 'limits.unfreeze',
    title: frozenText.question,
    confirm: frozenText.unfreeze,
    cancel: frozenText.keep,
    before: (page) => page.getByRole('button', { name: layoutText.freeze }).click(),
    ask: (page) => page.getByRole('button', { name: frozenText.unfreeze }).click(),
    unchanged: (page) => expect(shown(page, frozenText.title, { exact: true })).toBeVisible(),
    changed: (page) => expect(shown(page, frozenText.title, { exact: true })).toBeHidden(),
  },
  {
    what: 'raising a limit',
    procedure: 'limits.save',
    title: raise.title,
    confirm: raise.confirm,
    cancel: uiText.cancel,
    ask: async (page) => {
      await page.getByLabel(form.daily).fill('90')
      await page.getByRole('button', { name: form.save }).click()
    },
    unchanged: (page) => expect(today(page)).toHaveAttribute('aria-valuetext', meters.used('€0.00', '€50.00')),
    changed: (page) => expect(today(page)).toHaveAttribute('aria-valuetext', meters.used('€0.00', '€90.00')),
  },
  {
    what: 'being asked less often',
    procedure: 'limits.saveApprovalRule',
    title: rule.less.title,
    confirm: relaxText.confirm,
    cancel: uiText.cancel,
    ask: (page) => newMerchants(page).click(),
    unchanged: (page) => expect(newMerchants(page)).not.toBeChecked(),
    changed: (page) => expect(newMerchants(page)).toBeChecked(),
  },
]

async function expectStays(page: Page, dialog: Locator, cancel: Locator): Promise<void> {
  await expect(cancel).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')
  await cancel.dispatchEvent('click')
  await expect(dialog).toBeVisible()
}

for (const { what, procedure, title, confirm, cancel, before, ask, unchanged, changed } of questions) {
  test(`${what} is not sent once it was cancelled, and not cancelled once it was sent`, { tag: '@phone' }, async ({
    page,
    person,
  }) => {
    expect(person.email).not.toBe('')
    await page.goto('/limits')
    await before?.(page)
    const dialog = page.getByRole('alertdialog', { name: title })
    const confirmButton = dialog.getByRole('button', { name: confirm })
    const cancelButton = dialog.getByRole('button', { name: cancel })
    const sent = await holdCalls(page, procedure)

    await test.step('cancelled while the person is being asked, nothing is sent', async () => {
      const options = await holdCalls(page, 'security.stepUpOptions')
      await ask(page)
      await confirmButton.click()
      await expect(confirmButton).toHaveAttribute('aria-busy', 'true')
      await expect.poll(options.count).toBe(1)
      await cancelButton.click()
      await expect(dialog).toBeHidden()
      const answered = page.waitForResponse((response) => response.url().includes('stepUpOptions'))
      await options.letGo()
      await (await answered).finished()
      // What the answer led to would be sent before this.
      expect(await page.evaluate(async () => (await fetch('/readyz')).status)).toBe(200)
      expect(sent.count()).toBe(0)
      await unchanged(page)
    })

    await test.step('sent, the dialog stays until the answer is there', async () => {
      await ask(page)
      await expect(confirmButton).not.toHaveAttribute('aria-busy')
      await confirmButton.click()
      await expect.poll(sent.count).toBe(1)
      await expectStays(page, dialog, cancelButton)
      await expect(confirmButton).toBeFocused()
      await expectNoViolations(page, `${what}, on its way`)
      await sent.letGo()
      await expect(dialog).toBeHidden()
      await changed(page)
    })
  })
}

test('what was sent and failed is said in the dialog, which can be cancelled again', { tag: '@phone' }, async ({
  page,
  person,
}) => {
  expect(person.email).not.toBe('')
  await page.goto('/limits')
  await page.getByRole('button', { name: layoutText.freeze }).click()
  await page.getByRole('button', { name: frozenText.unfreeze }).click()
  const dialog = page.getByRole('alertdialog', { name: frozenText.question })
  await page.route(/limits\.unfreeze/, (route) => route.abort('connectionfailed'))
  await dialog.getByRole('button', { name: frozenText.unfreeze }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await expect(dialog.getByRole('button', { name: frozenText.keep })).not.toHaveAttribute('aria-disabled')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(shown(page, frozenText.title, { exact: true })).toBeVisible()
})
