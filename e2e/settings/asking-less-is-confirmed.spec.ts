import type { Page } from '@playwright/test'
import { limitsText } from '@/components/limits/messages'
import { relaxText } from '@/components/security/relax-messages'
import { stepUpText } from '@/components/security/step-up-messages'
import { Agent } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { holdPasskey, losePasskeys } from '../support/passkey-holder'
import { shown } from '../support/portal'

const { rule, gate } = limitsText

test.use({ personOptions: { card: 'success', approval_rule: 'every_purchase' } })

const option = (page: Page, name: 'every_purchase' | 'new_merchants' | 'above_limits') =>
  page.getByRole('radio', { name: rule[name].label, exact: true })

/** What authorize says about a purchase that the agent asks for now. */
async function tryToBuy(agent: Agent): Promise<string> {
  const pushed = await agent.push((await agent.purchase()).form)
  const { result } = await agent.authorize(pushed.json.request_uri)
  return result['error'] ?? 'code'
}

test('a rule that asks less often takes the passkey, and one that asks more often one press', async ({
  page,
  target,
  person,
}) => {
  const agent = await Agent.register(target, person.principalId)
  await holdPasskey(page)
  await page.goto('/limits')
  await expect(option(page, 'every_purchase')).toBeChecked()
  const dialog = page.getByRole('alertdialog', { name: rule.less.title })

  await test.step('the dialog says from what to what, and how it is confirmed', async () => {
    await option(page, 'above_limits').click()
    await expect(dialog).toContainText(rule.every_purchase.label)
    await expect(dialog).toContainText(rule.above_limits.label)
    await expect(dialog).toContainText(rule.noLimits)
    await expect(dialog).toContainText(relaxText.how)
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await expectNoViolations(page, 'asking less')
  })

  await test.step('a prompt that is closed changes nothing', async () => {
    const giveBack = await losePasskeys(page)
    await dialog.getByRole('button', { name: relaxText.confirm }).click()
    await expect(dialog.getByText(stepUpText.failure.cancelled)).toBeVisible()
    await giveBack()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(option(page, 'every_purchase')).toBeChecked()
    expect(await tryToBuy(agent)).toBe('consent_required')
  })

  await test.step('confirmed, agents pay without a question', async () => {
    await option(page, 'above_limits').click()
    await dialog.getByRole('button', { name: relaxText.confirm }).click()
    await expect(dialog).toBeHidden()
    await expect(option(page, 'above_limits')).toBeChecked()
    await expect(shown(page, rule.saved, { exact: true })).toBeVisible()
    expect(await tryToBuy(agent)).toBe('code')
  })

  await test.step('asked about everything again at once', async () => {
    await option(page, 'every_purchase').click()
    await expect(option(page, 'every_purchase')).toBeChecked()
    await expect(dialog).toBeHidden()
    expect(await tryToBuy(agent)).toBe('consent_required')
  })
})

test('confirmation by mail is switched on with one press, and off with the passkey', async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await holdPasskey(page)
  await page.goto('/limits')
  const mails = page.getByRole('checkbox', { name: gate.label })
  await mails.click()
  await expect(mails).toBeChecked()
  await mails.click()
  const dialog = page.getByRole('alertdialog', { name: gate.off.title })
  await expect(dialog).toContainText(relaxText.how)
  await dialog.getByRole('button', { name: relaxText.confirm }).click()
  await expect(dialog).toBeHidden()
  await expect(mails).not.toBeChecked()
})
