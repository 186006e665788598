/** Who called, and what they were refused, as the log tells it (OWASP ASVS 5.0, V16.2.1 and V16.3). */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createLogger } from '@/server/base/platform/logger'
import { answerEvidenceJson, answerPaymentsCsv } from '@/server/transport/trpc'
import { openPage } from '@/server/transport/trpc/context'
import { readyAgent, withApp } from '../oauth/setup'
import { exchange, must, newPrincipal, operate, Person } from '../support/actors'
import type { App } from '../support/app'
import { Browser, newPortalPerson } from '../support/browser'

let app: App
withApp((started) => {
  app = started
})
afterEach(() => vi.restoreAllMocks())

/** The log lines with this message, from now on, as they are written. */
function watch(message: string) {
  const written: Record<string, unknown>[] = []
  const log = createLogger('info', { write: (line) => written.push(JSON.parse(line)) })
  for (const level of ['info', 'warn'] as const) {
    vi.spyOn(app.platform.log, level).mockImplementation(log[level])
  }
  return () => written.filter((line) => line['message'] === message)
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
    const callers = lines().map((fields) => [fields['operation'], fields['caller'], fields['clientId']])
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
    const settled = lines().filter((fields) => fields['operation'] === 'settle')
    expect(settled.map((fields) => [fields['status'], fields['error']])).toEqual([
      [402, 'payment_declined'],
      [402, 'payment_declined'],
      [200, undefined],
    ])
  })
})

/** What the log calls the one session of a browser's person: the first half of its handle. */
async function sessionOf(browser: Browser): Promise<string> {
  const [handle = ''] = (await browser.query('security.sessions')).text.match(/[0-9a-f]{64}/) ?? []
  return handle.slice(0, 32)
}

describe('the line of a sign-in', () => {
  test('says by which step and in which session, or what was refused, and nothing personal', async () => {
    const email = 'somebody@log.test'
    await newPortalPerson(app.platform, { id: 'somebody', email })
    const lines = watch('request')
    const browser = new Browser(app.platform)
    await browser.signInByMail(email)
    expect((await browser.confirm('a token that was never mailed')).status).toBe(401)
    const sent = lines().filter((fields) => fields['step'] === 'callback/magic-link')
    const session = await sessionOf(browser)
    expect(sent).toEqual([
      expect.objectContaining({ operation: 'sign-in', status: 200, session }),
      expect.objectContaining({ operation: 'sign-in', status: 401, error: 'invalid_token' }),
    ])
    expect(JSON.stringify(lines())).not.toContain(email)
  })
})

describe('the line of a request of the portal', () => {
  /** Somebody who is signed in by mail, and what a line about them says of the caller. */
  async function visitor(id: string) {
    await newPortalPerson(app.platform, { id, email: `${id}@log.test` })
    const browser = new Browser(app.platform)
    await browser.signInByMail(`${id}@log.test`)
    return { browser, who: { caller: 'portal', principalId: id, session: await sessionOf(browser) } }
  }
  const nobody = { caller: 'anonymous' }
  const line = (fields: object) => expect.objectContaining({ level: 'info', requestId: expect.any(String), ...fields })

  test('names the procedures, the person and the session of calls that are answered, and the code of a refusal', async () => {
    const { browser, who } = await visitor('reader')
    const lines = watch('request')
    expect((await browser.query('payments.list', {})).status).toBe(200)
    await browser.query('payments.list,limits.read?batch=1')
    await browser.mutate('agents.revoke', { client_id: 'of-nobody' })
    await browser.query('no.procedure')
    await new Browser(app.platform).query('session.me')
    const portalLine = (fields: object) => line({ operation: 'portal', ...fields })
    expect(lines()).toEqual([
      portalLine({ procedures: 'payments.list', status: 200, ...who }),
      portalLine({ procedures: 'payments.list,limits.read', ...who }),
      portalLine({ procedures: 'agents.revoke', status: 404, error: 'not_found', ...who }),
      portalLine({ procedures: 'unknown', status: 404, error: 'not_found', ...who }),
      portalLine({ procedures: 'session.me', status: 401, error: 'invalid_token', ...nobody }),
    ])
    expect(lines()[0]).not.toHaveProperty('error')
  })

  test('says that a page of another site was refused, and why', async () => {
    const { browser } = await visitor('lured')
    const lines = watch('request')
    await browser.mutate('limits.freeze', undefined, { 'sec-fetch-site': 'cross-site' })
    expect(lines()).toEqual([line({ operation: 'portal', method: 'POST', status: 403, error: 'forbidden' })])
  })

  test('names who took a file along, or asked for one of somebody else', async () => {
    const { browser, who } = await visitor('taker')
    const lines = watch('request')
    const take = async (answer: typeof answerPaymentsCsv, path: string, cookie = browser.cookieHeader()) => {
      const headers = { 'sec-fetch-site': 'same-origin', cookie }
      await (await answer(new Request(app.baseUrl + path, { headers }))).text()
    }
    await take(answerPaymentsCsv, '/payments.csv')
    await take(answerEvidenceJson, '/evidence.json?id=of-somebody-else')
    await take(answerPaymentsCsv, '/payments.csv', '')
    expect(lines()).toEqual([
      line({ operation: 'paymentsCsv', status: 200, ...who }),
      line({ operation: 'evidenceJson', status: 404, error: 'not_found', ...who }),
      line({ operation: 'paymentsCsv', status: 303, ...nobody }),
    ])
  })

  test('names who read a page, and no more of its address than the part of the portal', async () => {
    const { browser, who } = await visitor('visitor')
    const lines = watch('request')
    const path = '/payments/one?q=a+name'
    await openPage(app.platform, new Headers({ cookie: browser.cookieHeader(), 'x-request-path': path }))
    await openPage(app.platform, new Headers({ 'x-request-path': '/limits' }))
    expect(lines()).toEqual([
      line({ operation: 'page', page: '/payments', ...who }),
      line({ operation: 'page', page: '/limits', ...nobody }),
    ])
    expect(JSON.stringify(lines())).not.toContain('name')
  })

  test('names the session that ended because its replaced cookie was used', async () => {
    const { browser, who } = await visitor('copied')
    const thief = new Browser(app.platform)
    for (const [name, value] of browser.cookies) thief.cookies.set(name, value)
    const lines = watch('a session ended because a replaced cookie was used')
    for (let minutes = 0; minutes <= 60; minutes += 10) {
      app.clock.advance({ seconds: 600 })
      expect((await browser.query('limits.read')).status).toBe(200)
    }
    app.clock.advance({ seconds: 60 })
    expect((await thief.query('limits.read')).status).toBe(401)
    const { principalId, session } = who
    expect(lines()).toEqual([expect.objectContaining({ level: 'warn', principalId, session })])
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
