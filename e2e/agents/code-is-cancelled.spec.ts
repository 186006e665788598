import { agentsText } from '@/components/agents/messages'
import { expect, test } from '../support/fixtures'
import { shown } from '../support/portal'
import { runShownCommand } from '../support/tool-agent'

const text = agentsText.handOver

test('a cancelled setup token connects no agent', async ({ page, person, home }) => {
  expect(person.email).not.toBe('')
  await page.goto('/agents/new')
  await page.getByRole('button', { name: agentsText.new.submit }).click()
  await expect(shown(page, agentsText.new.nameMissing)).toBeInViewport({ ratio: 1 })
  await expect(page.getByLabel(agentsText.new.name)).toBeFocused()
  await page.getByLabel(agentsText.new.name).fill('Lost laptop')
  await page.getByRole('checkbox', { name: agentsText.new.pay.label }).uncheck()
  await page.getByRole('button', { name: agentsText.new.submit }).click()
  await expect(shown(page, agentsText.new.noneChosen)).toBeVisible()
  await page.getByRole('checkbox', { name: agentsText.new.pay.label }).check()
  await page.getByRole('button', { name: agentsText.new.submit }).click()

  const command = (await shown(page, 'register --setup-token').textContent()) ?? ''
  await page.getByRole('button', { name: text.cancel }).click()
  await expect(shown(page, text.cancelled.body)).toBeVisible()
  await expect(shown(page, 'register --setup-token')).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.getByRole('button', { name: text.another }).click()
  await expect(page.getByLabel(agentsText.new.name)).toBeFocused()
  await expect(runShownCommand(command, home)).rejects.toThrow(/register failed: .*invalid_software_statement/)
  await page.goto('/agents')
  await expect(shown(page, agentsText.empty.title)).toBeVisible()
})
