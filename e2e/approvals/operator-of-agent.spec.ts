import { operatorText } from '@/components/approvals/operator-messages'
import { markOf, newVouched } from '@/test/federation/vouched'
import { Agent, exchange, type Key, must, newKey, Person } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { CHECKED_WITHIN_MS, expect, test } from '../support/federation'
import { approveButton, shown } from '../support/portal'

test.use({ personOptions: { card: 'success', approval_rule: 'every_purchase' } })

test('the approve page names the verified operator of an agent, and none that an agent merely claims', {
  tag: ['@desktop', '@long'],
}, async ({ page, target, person, federation }) => {
  test.slow()
  const operator = await newVouched(target, federation, { role: 'agent_operator', name: 'helpful' })
  const claims = { client_name: 'helpful Ltd', client_uri: operator.id }
  const wallet = await Person.signIn(target, person.principalId)

  /** Has an agent with this key ask for a purchase, and opens the page where the person decides. */
  const ask = async (key: Key, metadata = {}) => {
    const { clientId, dpopKey } = await Agent.register(target, person.principalId, {
      jwks: { keys: [{ ...key.jwk, kid: 'signing' }] },
      ...metadata,
    })
    const agent = new Agent(target, clientId, key, dpopKey, person.principalId)
    must(await agent.push((await agent.purchase()).form), 201)
    const waiting = (await wallet.pending()).find((request) => JSON.stringify(request['agent']).includes(clientId))
    return `/approve/${String(waiting?.['authorization_id'])}`
  }

  const vouched = await ask(operator.catalogKey)
  const operatedBy = shown(page, `${operatorText.operatedBy} helpful Ltd`)
  await expect(async () => {
    await page.goto(vouched)
    await expect(operatedBy).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: CHECKED_WITHIN_MS })
  await expect(operatedBy).toContainText(`(${new URL(operator.id).host}), ${operatorText.verified}`)
  await expectNoViolations(page, 'a request of an agent with a verified operator')

  await page.goto(await ask(await newKey(), claims))
  await expect(approveButton(page, '€12.00')).toBeVisible()
  await expect(shown(page, operatorText.operatedBy)).toBeHidden()

  const mark = new URLSearchParams({ sub: operator.id, trust_mark_id: markOf(target, 'agent_operator') })
  const headers = { authorization: `Bearer ${target.operatorToken}` }
  must(await exchange(`${target.baseUrl}/federation/trust-mark/revoke?${mark}`, { method: 'POST', headers }), 200)
  await page.goto(vouched)
  await expect(approveButton(page, '€12.00')).toBeVisible()
  await expect(operatedBy).toBeHidden()
})
