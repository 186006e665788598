/** Who called, and what they were refused, as the log tells it (OWASP ASVS 5.0, V16.2.1 and V16.3). */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { readyAgent, withApp } from '../oauth/setup'
import { exchange, must, newPrincipal, operate, Person } from '../support/actors'
import type { App } from '../support/app'
import { Browser, newPortalPerson } from '../support/browser'

let app: App
withApp((started) => {
  app = started
})
afterEach(() => vi.restoreAllMocks())

/** The fields of the log lines with this message, from now on. */
function watch(message: string) {
  const info = vi.spyOn(app.platform.log, 'info')
  return () => info.mock.calls.filter(([words]) => words === message).map(([, fields]) => fields)
}

describe('the line of a request', () => {
  test('names an agent with its person, a wallet token with its person, and the operator', async () => {
    const lines = watch('request')
    const agent = await readyAgent(app)
    const tokens = await agent.buy()
    await agent.settle(tokens.access_token, tokens.mandate_jwt, 'logged')
    const { principalId } = agent
    const person = await Person.signIn(app, principalId)
    must(await person.call('GET', '/wallet/limits'), 200)
    must(await operate(app, 'GET', '/jobs'), 200)
    const callers = lines().map((fields) => [fields?.['operation'], fields?.['caller'], fields?.['clientId']])
    expect(callers).toContainEqual(['pushAuthorizationRequest', 'client', agent.clientId])
    expect(callers).toContainEqual(['settle', 'agent', agent.clientId])
    expect(lines()).toContainEqual(
      expect.objectContaining({ operation: 'readLimits', caller: 'wallet', principalId, status: 200 }),
    )
    expect(lines()).toContainEqual(expect.objectContaining({ operation: 'listJobs', caller: 'operator' }))
  })

  test('says what a caller was refused', async () => {
    const { principalId } = await newPrincipal(app)
    const reader = await Person.signIn(app, principalId, 'wallet:read')
    const lines = watch('request')
    await reader.call('POST', '/wallet/limits', { daily_cap_minor: 1 })
    await exchange(`${app.baseUrl}/wallet/limits`, { headers: { authorization: 'Bearer guessed' } })
    await exchange(`${app.baseUrl}/wallet/nothing`)
    expect(lines()).toEqual([
      expect.objectContaining({ operation: 'saveLimits', status: 403, error: 'insufficient_scope' }),
      expect.objectContaining({ status: 401, error: 'invalid_token', caller: 'anonymous' }),
      expect.objectContaining({ operation: null, status: 404, error: 'not_found' }),
    ])
  })

  test('says that a payment was declined, at its replay too, and no error of one that succeeded', async () => {
    const agent = await readyAgent(app, { card: 'decline' })
    const { access_token, mandate_jwt } = await agent.buy()
    const lines = watch('request')
    await agent.settle(access_token, mandate_jwt, 'declined')
    await agent.settle(access_token, mandate_jwt, 'declined')
    const other = await readyAgent(app)
    const paid = await other.buy()
    await other.settle(paid.access_token, paid.mandate_jwt, 'paid')
    const settled = lines().filter((fields) => fields?.['operation'] === 'settle')
    expect(settled.map((fields) => [fields?.['status'], fields?.['error']])).toEqual([
      [402, 'payment_declined'],
      [402, 'payment_declined'],
      [200, undefined],
    ])
  })
})

describe('the line of a sign-in', () => {
  test('says by which step and in which session, or what was refused, and nothing personal', async () => {
    const email = 'somebody@log.test'
    await newPortalPerson(app.platform, { id: 'somebody', email })
    const lines = watch('request')
    const browser = new Browser(app.platform)
    await browser.signInByMail(email)
    expect((await browser.confirm('a token that was never mailed')).status).toBe(401)
    const sent = lines().filter((fields) => fields?.['step'] === 'callback/magic-link')
    const [session] = (await browser.query('security.sessions')).text.match(/[0-9a-f]{64}/) ?? []
    expect(sent).toEqual([
      expect.objectContaining({ operation: 'sign-in', status: 200, session }),
      expect.objectContaining({ operation: 'sign-in', status: 401, error: 'invalid_token' }),
    ])
    expect(JSON.stringify(lines())).not.toContain(email)
  })
})

test('a refused call of the portal is named with its procedure and its person', async () => {
  const browser = new Browser(app.platform)
  await newPortalPerson(app.platform, { id: 'another', email: 'another@log.test' })
  await browser.signInByMail('another@log.test')
  const lines = watch('portal call refused')
  await browser.mutate('agents.revoke', { client_id: 'of-nobody' })
  await new Browser(app.platform).query('session.me')
  expect(lines()).toEqual([
    expect.objectContaining({ procedure: 'agents.revoke', principalId: 'another', code: 'not_found' }),
    expect.objectContaining({ procedure: 'session.me', principalId: null, code: 'invalid_token' }),
  ])
})
