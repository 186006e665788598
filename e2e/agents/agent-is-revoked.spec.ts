import { agentsText } from '@/components/agents/messages'
import { expect, test } from '../support/fixtures'
import { shown } from '../support/portal'
import { LEFT_HAND, orderBook } from '../support/shop'

const text = agentsText.revoke
const NAME = 'Shopping assistant'

test.use({ personOptions: { card: 'success', approval_rule: 'above_limits' } })

test('a revoked agent can pay no more', async ({ page, agent }) => {
  expect((await agent.pay(await orderBook(agent))).data).toMatchObject({ status: 'paid' })
  const list = await page.context().newPage()
  await list.goto('/agents')
  await expect(list.getByRole('list', { name: agentsText.active }).getByRole('link', { name: NAME })).toBeVisible()

  await page.goto('/agents')
  await page.getByRole('link', { name: NAME }).click()
  const fullName = (await page.getByRole('heading', { level: 1, name: NAME }).textContent()) ?? ''
  const dialog = page.getByRole('alertdialog', { name: text.title(fullName) })
  await test.step('Enter alone does nothing, because the focus is on Cancel', async () => {
    await page.getByRole('button', { name: text.confirm, exact: true }).click()
    await expect(dialog).toContainText(text.sessions(1))
    await expect(dialog).toContainText(text.consequences)
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: text.confirm, exact: true })).toBeFocused()
  })

  await test.step('revoked, it says how many sessions it has stopped', async () => {
    await page.getByRole('button', { name: text.confirm, exact: true }).click()
    await dialog.getByRole('button', { name: text.confirm, exact: true }).click()
    await expect(shown(page, text.done(fullName))).toBeVisible()
    await expect(shown(page, text.families(1))).toBeVisible()
    await expect(shown(page, agentsText.one.revokedNotice)).toBeVisible()
    await expect(page.getByRole('button', { name: text.confirm, exact: true })).toBeHidden()
    await expect(page.locator(':focus')).toHaveText(new RegExp(`^${text.done(fullName)}`))
  })

  await test.step('another page shows it by itself', async () => {
    await expect(list.getByText(agentsText.revokedCount(1))).toBeVisible()
    await expect(list.getByRole('list', { name: agentsText.active })).toBeHidden()
  })

  const refused = await agent.pay(await orderBook(agent, LEFT_HAND, 2))
  expect(refused.isError).toBe(true)
  expect(refused.text).toMatch(/^agent_payment_initiate failed: PAR failed: 401\b/)
  await page.goto('/payments')
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1)
})
