import type { Page } from '@playwright/test'
import { bumpText } from '@/components/approvals/bump-messages'
import { consentText } from '@/components/approvals/messages'
import { frozenText } from '@/components/layout/frozen-messages'
import { layoutText } from '@/components/layout/messages'
import { limitsText } from '@/components/limits/messages'
import { stepUpText } from '@/components/security/step-up-messages'
import { failureText } from '@/components/ui/failure-messages'
import { AFTER_SIGN_IN } from '@/server/base/core/sign-in-input'
import { Agent, Person } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { loseNextCall } from '../support/calls'
import { expect, test } from '../support/fixtures'
import { holdPasskey, losePasskeys } from '../support/passkey-holder'
import { decideBar, outcome, reviewLink, shown } from '../support/portal'

const { form, meters, raise, undo, changes, differences } = limitsText

test.use({
  personOptions: {
    card: 'success',
    approval_rule: 'above_limits',
    limits: { currency: 'EUR', daily_cap_minor: 5000, single_txn_cap_minor: 2000 },
  },
})

const today = (page: Page) => page.getByRole('meter', { name: `${meters.today}, EUR` })
const history = (page: Page) => page.getByRole('list', { name: changes.title }).locator('> li')
/** The changes are folded away until somebody asks for them. */
const unfoldChanges = (page: Page) => page.getByText(changes.title, { exact: true }).press('Enter')

async function saveDaily(page: Page, amount: string): Promise<void> {
  await page.getByLabel(form.daily).fill(amount)
  await page.getByRole('button', { name: form.save }).click()
}

test('a raise is compared and confirmed with the passkey, and without it nothing changes', async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await holdPasskey(page)
  await page.goto('/limits')
  await saveDaily(page, '90')
  const dialog = page.getByRole('alertdialog', { name: raise.title })
  await test.step('the dialog says what changes, limit by limit', async () => {
    const rows = dialog.getByRole('list', { name: differences.label }).getByRole('listitem')
    await expect(rows).toHaveCount(1)
    await expect(rows).toContainText(differences.field.daily_cap)
    await expect(rows).toContainText('€50.00')
    await expect(rows).toContainText('€90.00')
    await expect(rows).toContainText(differences.effect.looser)
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await expectNoViolations(page, 'raising limits')
  })

  await test.step('a prompt that is closed leaves the limits as they are', async () => {
    const giveBack = await losePasskeys(page)
    await dialog.getByRole('button', { name: raise.confirm }).click()
    await expect(dialog.getByText(stepUpText.failure.cancelled)).toBeVisible()
    await giveBack()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(today(page)).toHaveAttribute('aria-valuetext', meters.used('€0.00', '€50.00'))
  })

  await test.step('confirmed, they are raised', async () => {
    await page.getByRole('button', { name: form.save }).click()
    await dialog.getByRole('button', { name: raise.confirm }).click()
    await expect(dialog).toBeHidden()
    await expect(shown(page, form.saved)).toBeVisible()
    await expect(today(page)).toHaveAttribute('aria-valuetext', meters.used('€0.00', '€90.00'))
    await expect(history(page)).toHaveCount(0)
    await unfoldChanges(page)
    await expect(history(page).first()).toContainText(changes.via.portal)
    await expect(history(page).first()).toContainText('€90.00')
  })
})

test('a limit is lowered with one press, and one more undoes it', async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await page.goto('/limits')
  await saveDaily(page, '10')
  const offer = page.getByRole('button', { name: undo.action })
  await expect(offer).toBeVisible()
  await expect(today(page)).toHaveAttribute('aria-valuetext', meters.used('€0.00', '€10.00'))
  // The key that leads to messages; they wait while somebody is there.
  await page.keyboard.press('F6')
  await expectNoViolations(page, 'undo')
  await offer.click()
  await expect(shown(page, undo.undone)).toBeVisible()
  await expect(page.getByRole('button', { name: form.save })).toBeFocused()
  await expect(today(page)).toHaveAttribute('aria-valuetext', meters.used('€0.00', '€50.00'))
  await unfoldChanges(page)
  await expect(history(page).first()).toContainText(changes.kind.undo)
  await expect(page.getByLabel(form.daily)).toHaveValue('50.00')
})

test('a lowering whose undoing was lost on its way is undone with "Try again"', async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await page.goto('/limits')
  await saveDaily(page, '10')
  await loseNextCall(page, 'limits.undoLowering')
  await page.getByRole('button', { name: undo.action }).click()
  const lost = page.getByRole('alert').filter({ hasText: failureText.lost })
  await expect(lost).toBeVisible()
  await expect(shown(page, undo.failed)).toHaveCount(0)
  await lost.getByRole('button', { name: failureText.retry }).click()
  await expect(shown(page, undo.undone)).toBeVisible()
  await expect(lost).toBeHidden()
  await expect(today(page)).toHaveAttribute('aria-valuetext', meters.used('€0.00', '€50.00'))
})

test('spending is frozen with one press from any page, and unfrozen with the passkey', async ({
  page,
  target,
  person,
}) => {
  await holdPasskey(page)
  const agent = await Agent.register(target, person.principalId)
  await page.goto('/payments')
  await page.getByRole('button', { name: layoutText.freeze }).click()
  await expect(shown(page, frozenText.title, { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: frozenText.unfreeze })).toBeFocused()
  await expectNoViolations(page, 'frozen')

  await test.step('an agent asks for the smallest purchase, and nobody is asked', async () => {
    const { json } = await agent.push((await agent.purchase({ amount_minor: 100 })).form)
    expect((await agent.authorize(json.request_uri)).result).toMatchObject({ error: 'access_denied' })
  })

  await page.goto('/limits')
  await expect(shown(page, frozenText.title, { exact: true })).toBeVisible()
  await expect(today(page)).toHaveAttribute('aria-valuetext', meters.used('€0.00', '€50.00'))
  await page.getByRole('button', { name: frozenText.unfreeze }).click()
  const dialog = page.getByRole('alertdialog', { name: frozenText.question })
  await expect(dialog.getByRole('button', { name: frozenText.keep })).toBeFocused()
  await dialog.getByRole('button', { name: frozenText.unfreeze }).click()
  await expect(page.getByRole('button', { name: layoutText.freeze })).toBeVisible()
})

test('a payment that met limits is allowed with the passkey', async ({ page, target, person }) => {
  await holdPasskey(page)
  const agent = await Agent.register(target, person.principalId)
  const bought = await agent.buy({ amount_minor: 1_900 })
  const wallet = await Person.signIn(target, person.principalId)
  await wallet.call('POST', '/wallet/limits', { currency: 'EUR', single_txn_cap_minor: 1_000, daily_cap_minor: 1_500 })
  await agent.settle(bought.access_token, bought.mandate_jwt, 'key')
  await page.goto('/approvals')
  // One row among the others, which leads to where it is decided.
  await expect(page.getByRole('list', { name: consentText.list.waiting }).getByRole('listitem')).toHaveCount(1)
  await reviewLink(page, '€19.00').click()
  await expect(page).toHaveURL(/\/approve\/limit\//)
  await expect(shown(page, consentText.exceeded.heading(2))).toBeVisible()
  await expect(shown(page, consentText.exceeded.limit.wallet('€15.00'))).toBeVisible()
  await expectNoViolations(page, 'a payment over limits')
  await expect(shown(page, bumpText.signedIn)).toBeHidden()
  await page.goto(`${page.url()}?from=${AFTER_SIGN_IN}`)
  await expect(shown(page, bumpText.signedIn)).toBeVisible()
  const giveBack = await losePasskeys(page)
  const allow = decideBar(page).getByRole('button', { name: bumpText.allow })
  await allow.click()
  await expect(shown(page, stepUpText.failure.cancelled)).toBeVisible()
  await giveBack()
  await allow.click()
  await expect(outcome(page, bumpText.done.approved)).toBeFocused()
  await page.goto('/approvals')
  await expect(shown(page, consentText.list.emptyWaiting.title)).toBeVisible()
})
