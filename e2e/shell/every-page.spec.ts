import { accessibilityText } from '@/components/accessibility/messages'
import { activityText } from '@/components/activity/messages'
import { agentsText } from '@/components/agents/messages'
import { homeText } from '@/components/home/messages'
import { layoutText } from '@/components/layout/messages'
import { verifyText } from '@/components/verify/messages'
import { Agent } from '@/test/support/actors'
import { expect, test } from '../support/fixtures'
import { shown, visit } from '../support/portal'

test('the pages that need no sign-in have the header for who is signed in', async ({ page, person }) => {
  expect(person.email).not.toBe('')
  for (const [path, title] of [
    ['/accessibility', accessibilityText.title],
    ['/verify', verifyText.title],
  ] as const) {
    await visit(page, path)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page.getByRole('banner').getByRole('button', { name: layoutText.freeze })).toBeVisible()
    await expect(page.getByRole('navigation', { name: layoutText.nav.label }).first()).toBeVisible()
  }
})

test('every heading of the second level names a region', async ({ page, target, person }) => {
  const agent = await Agent.register(target, person.principalId)
  for (const path of ['/settings/privacy', '/accessibility', `/agents/${agent.clientId}`]) {
    await visit(page, path)
    const headings = page.getByRole('main').getByRole('heading', { level: 2 })
    expect(await headings.count()).toBeGreaterThan(0)
    for (const heading of await headings.all()) {
      const name = await heading.innerText()
      await expect.soft(page.getByRole('region', { name, exact: true }), `${path}: ${name}`).toHaveCount(1)
    }
  }
})

test('no page begins with more than one sentence of explanation', async ({ page, person }) => {
  expect(person.email).not.toBe('')
  for (const path of ['/cards', '/agents/new', '/settings/privacy', '/settings/age', '/welcome?step=3']) {
    await visit(page, path)
    const lead = await page.getByRole('main').locator('header').first().locator('p').first().innerText()
    expect.soft(lead.match(/[.!?](\s|$)/g), path).toHaveLength(1)
  }
})

test('what was frozen and paused is headed by what happened', async ({ page, target, person }) => {
  const agent = await Agent.register(target, person.principalId)
  await visit(page, `/agents/${agent.clientId}`)
  await page.getByRole('button', { name: agentsText.pause.button, exact: true }).click()
  await expect(shown(page, agentsText.pause.body)).toBeVisible()
  await visit(page, '/')
  await page.getByRole('banner').getByRole('button', { name: layoutText.freeze }).click()
  await expect(shown(page, homeText.nothingWaiting.frozen)).toBeVisible()
  await visit(page, '/activity')
  const entries = page.getByRole('list', { name: activityText.title }).locator(':scope > li')
  await expect(entries.filter({ hasText: 'Spending frozen' })).toHaveCount(1)
  await expect(entries.filter({ hasText: 'Agent paused' })).toHaveCount(1)
  await expect(entries.filter({ hasText: activityText.events['oid4ac.limits.changed'] ?? '' })).toHaveCount(0)
  await visit(page, '/settings/security/activity')
  await expect(page.getByRole('main').getByText('Agent paused')).toBeVisible()
})
