import type { Page } from '@playwright/test'
import { agentsText } from '@/components/agents/messages'
import { limitsText } from '@/components/limits/messages'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { shown } from '../support/portal'
import { runShownCommand } from '../support/tool-agent'

const { codes, new: plan, handOver, one } = agentsText
const { form, meters, changes } = limitsText
const NAME = 'Claude Code on ada-mbp'
/** Three looks at all rules of accessibility, by light and by dark. */
const PATIENCE_MS = 120_000

test('an agent is connected with limits of its own, for the host that the person chooses', async ({
  page,
  person,
  home,
}) => {
  test.setTimeout(PATIENCE_MS)
  expect(person.email).not.toBe('')
  await page.goto('/agents/new')
  await page.getByLabel(plan.name, { exact: true }).fill(NAME)
  await page.getByLabel(plan.purpose).fill('Research helper')
  const limits = page.getByRole('region', { name: plan.limits })
  await expect(limits.getByLabel(form.daily)).toHaveValue('20.00')
  await expect(limits.getByLabel(form.single)).toHaveValue('10.00')
  await limits.getByLabel(form.single).fill('twelve')
  await page.getByRole('button', { name: plan.submit }).click()
  await expect(shown(page, form.badAmount('20.00'))).toBeVisible()
  await limits.getByLabel(form.single).fill('12')
  await expectNoViolations(page, 'connecting an agent')
  await page.getByRole('button', { name: plan.submit }).click()

  await test.step('each host has its own words', async () => {
    const hosts = page.getByRole('tablist', { name: handOver.hosts })
    const snippetOf = (name: string) => page.getByRole('tabpanel', { name }).getByRole('code')
    await expect(snippetOf('Claude Code')).toContainText('claude mcp add countersign -- ')
    const expected = {
      'Claude Desktop': '"mcpServers"',
      Cursor: '"mcpServers"',
      'VS Code': '"type": "stdio"',
      Codex: '[mcp_servers.countersign]',
      [handOver.other]: 'serve',
    }
    for (const [name, words] of Object.entries(expected)) {
      await hosts.getByRole('tab', { name }).click()
      await expect(snippetOf(name)).toContainText(words)
    }
    await expect(page.getByRole('button', { name: `Copy ${handOver.snippet}` })).toBeVisible()
    await expectNoViolations(page, 'handing over the code')
  })

  const command = (await shown(page, 'register --setup-token').textContent()) ?? ''
  await runShownCommand(command, home)
  await expect(shown(page, handOver.connected.title)).toBeVisible()
  await expect(shown(page, 'register --setup-token')).toBeHidden()
  await page.getByRole('link', { name: handOver.connected.see }).click()

  const own = page.getByRole('region', { name: one.limits })
  const spent = page.getByRole('region', { name: one.spent, exact: true })
  await expect(spent.getByRole('meter', { name: `${meters.today}, EUR` })).toHaveAttribute(
    'aria-valuetext',
    meters.used('€0.00', '€20.00'),
  )
  await expect(spent.getByText(meters.upTo('€12.00'))).toBeVisible()
  await own.getByText(one.limits, { exact: true }).click()
  await own.getByText(one.changes).click()
  await expect(own.getByText(changes.kind.connect)).toBeVisible()
  await page.getByRole('region', { name: one.approvals, exact: true }).getByText(one.approvals, { exact: true }).click()
  await expect(shown(page, one.noApprovals)).toBeVisible()
  await expect(page.getByRole('link', { name: one.activity })).toHaveAttribute('href', /^\/activity\?agent=/)
  await expectNoViolations(page, 'an agent')
})

/** Makes a code for an agent, on a phone. */
async function makeCodeOnPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/agents/new')
  await page.getByLabel(plan.name, { exact: true }).fill(NAME)
  await page.getByRole('button', { name: plan.submit }).click()
}

test('on a phone the names of the hosts do not overlap, and the last is reached sideways', { tag: '@phone' }, async ({
  page,
  person,
}) => {
  expect(person.email).not.toBe('')
  await makeCodeOnPhone(page)
  const hosts = page.getByRole('tablist', { name: handOver.hosts })
  await expect(hosts.getByRole('tab')).toHaveCount(6)
  for (const tab of await hosts.getByRole('tab').all()) {
    const { name, beyond } = await tab.evaluate((element) => ({
      name: element.textContent,
      beyond: element.scrollWidth - element.clientWidth,
    }))
    expect.soft(beyond, name).toBeLessThanOrEqual(0)
  }
  const last = hosts.getByRole('tab').last()
  await expect(last).not.toBeInViewport({ ratio: 0.9 })
  await last.click()
  // The list hides a pixel of its height, which lies on the line below it.
  await expect(last).toBeInViewport({ ratio: 0.9 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})

test('a code whose page was left is listed among the agents until it is cancelled', { tag: '@phone' }, async ({
  page,
  person,
  home,
}) => {
  expect(person.email).not.toBe('')
  await makeCodeOnPhone(page)
  const command = (await shown(page, 'register --setup-token').textContent()) ?? ''
  await page.goto('/agents')
  const unused = page.getByRole('region', { name: codes.title })
  await expect(unused.getByRole('listitem')).toContainText([NAME])
  await expectNoViolations(page, 'a code that is not used yet')
  await unused.getByRole('button', { name: codes.cancelName(NAME) }).click()
  await expect(unused).toBeHidden()
  await expect(runShownCommand(command, home)).rejects.toThrow()
  await page.reload()
  await expect(shown(page, agentsText.empty.title)).toBeVisible()
  await expect(unused).toBeHidden()
})
