import { agentsText } from '@/components/agents/messages'
import { decisionText } from '@/components/approvals/decision-messages'
import { consentText } from '@/components/approvals/messages'
import { scopeText } from '@/components/approvals/scope-messages'
import { Agent } from '@/test/support/actors'
import { expect, test } from '../support/fixtures'
import { outcome } from '../support/portal'

const SCOPE = 'wallet:read'

test('wallet access is approved once, and ends when the person takes it back', async ({ page, target, person }) => {
  const agent = await Agent.register(target, person.principalId)
  const { form, verifier } = await agent.walletAccess(SCOPE)
  const pushed = await agent.push(form)
  await page.goto('/approvals')
  await page.getByRole('link', { name: `${consentText.list.access}, ` }).click()
  await page.getByRole('button', { name: decisionText.allow }).click()
  await expect(outcome(page, consentText.approved.heading)).toBeVisible()
  const { result } = await agent.authorize(pushed.json.request_uri)
  const { access_token: token } = (await agent.redeem(result['code'] ?? '', verifier)).json
  expect((await agent.call('GET', '/wallet/limits', token)).status).toBe(200)
  const again = await agent.push((await agent.walletAccess(SCOPE)).form)
  expect((await agent.authorize(again.json.request_uri)).result).toHaveProperty('code')

  await page.goto(`/agents/${agent.clientId}`)
  const what = scopeText[SCOPE]?.title ?? ''
  await expect(page.getByRole('region', { name: agentsText.one.access })).toContainText(agentsText.one.accessUntil)
  await page.getByRole('button', { name: agentsText.one.accessEndName(what) }).click()
  await expect(page.getByRole('region', { name: agentsText.one.access })).toBeHidden()
  await expect(page.getByRole('heading', { name: agentsText.one.remembered })).toBeFocused()
  expect((await agent.call('GET', '/wallet/limits', token)).status).toBe(401)
  const asked = await agent.push((await agent.walletAccess(SCOPE)).form)
  expect((await agent.authorize(asked.json.request_uri)).result).toMatchObject({ error: 'consent_required' })
})
