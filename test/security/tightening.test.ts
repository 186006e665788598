/** Decision B6: what lets agents pay less needs no more than a token that may write, however old its confirmation is. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConsentView } from '@/server/surfaces/portal'
import { Agent, must, newPrincipal, operate, Person } from '../support/actors'
import { type App, startApp } from '../support/app'
import { Browser, dataOf } from '../support/browser'
import { setAuthentication } from '../support/wallet-token'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const LIMITS = { daily_cap_minor: 5_000, single_txn_cap_minor: 2_000, currency: 'EUR' }

test('B6 declining, lowering, denying, freezing, pausing and revoking need no confirmation', async () => {
  const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits', limits: LIMITS })
  const agent = await Agent.register(app, principalId)
  const person = await Person.signIn(app, principalId)
  const bought = await agent.buy({ amount_minor: 2_000 })
  await person.call('POST', '/wallet/limits', { ...LIMITS, single_txn_cap_minor: 1_500 })
  const met = await agent.settle(bought.access_token, bought.mandate_jwt, 'key')
  await agent.push((await agent.purchase({ amount_minor: 9_000 })).form)
  const [asked] = await person.pending()
  await setAuthentication(app, person.token, 'rule')

  expect((await person.decide(asked?.['authorization_id'], 'decline')).status).toBe(200)
  const own = `/wallet/agents/${agent.clientId}`
  const rule = { merchant_audience: 'https://shop.example', agent_client_id: null, verdict: 'deny' }
  const acts: readonly (readonly [string, object?])[] = [
    [`/wallet/limit-bumps/${String(met.json['bump_id'])}/decline`],
    ['/wallet/limits', { ...LIMITS, single_txn_cap_minor: 1_000, daily_cap_minor: 1_000 }],
    [`${own}/limits`, { ...LIMITS, daily_cap_minor: 500 }],
    ['/wallet/merchant-rules', rule],
    ['/wallet/merchant-rules/gate', { only_listed: true }],
    [`${own}/pause`],
    ['/wallet/freeze'],
    [`${own}/revoke`],
  ]
  for (const [path, body] of acts) {
    const { status, json } = await person.call('POST', path, body)
    expect([path, status, json['error']]).toEqual([path, 200, undefined])
  }
  const refused = await person.call('POST', '/wallet/limits', LIMITS)
  expect([refused.status, refused.json['error']]).toEqual([401, 'insufficient_user_authentication'])
})

test('B6 while approvals are switched off, people see and decline in the portal what waits, and approve nothing', async () => {
  const { principalId, email } = await newPrincipal(app, { approval_rule: 'every_purchase' })
  const agent = await Agent.register(app, principalId)
  const person = await Person.signIn(app, principalId)
  for (let n = 0; n < 3; n += 1) must(await agent.push((await agent.purchase()).form), 201)
  const browser = new Browser(app.platform)
  await browser.signInByMail(email)
  const waiting = async () => dataOf<{ pending: ConsentView[] }>(await browser.query('approvals.pending')).pending
  const [one = '', ...others] = (await waiting()).map(({ authorization_id: id }) => id)
  const turn = async (enabled: boolean) => must(await operate(app, 'PUT', '/switches/consent_scan', { enabled }), 200)
  await turn(false)

  expect(await waiting()).toHaveLength(3)
  expect(dataOf<ConsentView>(await browser.query('approvals.one', { id: one })).approvals_on).toBe(false)
  expect((await browser.approve(one)).status).toBe(503)
  expect((await person.decide(one, 'decline')).status).toBe(503)
  expect((await browser.mutate('approvals.decide', { authorization_id: one, decision: 'decline' })).status).toBe(200)
  const all = { authorization_ids: others }
  expect(dataOf(await browser.mutate('approvals.declineAll', all))).toEqual({ declined: others })
  expect(await waiting()).toEqual([])
  await turn(true)
})
