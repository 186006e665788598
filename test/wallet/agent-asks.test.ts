import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Agent, countStatuses, newPrincipal, Person } from '../support/actors'
import { type App, startApp } from '../support/app'
import { setAuthentication } from '../support/wallet-token'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

interface AskingAgent {
  readonly agent: Agent
  readonly principalId: string
}

async function newAgent(options: Parameters<typeof newPrincipal>[1] = {}): Promise<AskingAgent> {
  const { principalId } = await newPrincipal(app, options)
  return { agent: await Agent.register(app, principalId), principalId }
}

const push = async ({ agent }: AskingAgent) => agent.push((await agent.purchase()).form)

const waiting = async ({ principalId }: AskingAgent) => (await (await Person.signIn(app, principalId)).pending()).length

describe('an agent that asks', () => {
  test('an agent has at most three requests waiting, even when it sends many at once', async () => {
    const asking = await newAgent()
    const answers = await Promise.all(Array.from({ length: 12 }, () => push(asking)))
    expect(countStatuses(answers)).toEqual({ 201: 3, 429: 9 })
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.json).toMatchObject({ error: 'rate_limited' })
    expect(refused?.headers.get('retry-after')).toBe('60')
    expect(await waiting(asking)).toBe(3)
  })

  test('an agent may ask again once a request is decided, and other agents of the person keep their own three', async () => {
    const asking = await newAgent()
    await Promise.all([push(asking), push(asking), push(asking)])
    const other = { ...asking, agent: await Agent.register(app, asking.principalId) }
    expect((await push(other)).status).toBe(201)
    const person = await Person.signIn(app, asking.principalId)
    const pending = await person.pending()
    expect(pending).toHaveLength(4)
    const own = pending.find((one) => (one['agent'] as { client_id: string }).client_id === asking.agent.clientId)
    await person.decide(own?.['authorization_id'], 'decline')
    expect(countStatuses(await Promise.all([push(asking), push(asking), push(asking)]))).toEqual({ 201: 1, 429: 2 })
  })
})

describe('an agent that calls authorize before the decision', () => {
  const authorizeEarly = async (asking: AskingAgent) => {
    const { json } = await push(asking)
    expect((await asking.agent.authorize(json.request_uri)).result).toMatchObject({ error: 'consent_required' })
  }

  test('an agent asks no more after thirty early calls of authorize in an hour, and other agents do', async () => {
    const asking = await newAgent()
    for (let turn = 0; turn < 30; turn += 1) await authorizeEarly(asking)
    const refused = await push(asking)
    expect([refused.status, refused.json]).toMatchObject([
      429,
      {
        error: 'rate_limited',
        error_description:
          'Too many requests of this agent were sent to authorize before they were decided. Try again later.',
      },
    ])
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(3_500)
    expect(seconds).toBeLessThanOrEqual(3_600)
    expect(await waiting(asking)).toBe(0)
    const other = { ...asking, agent: await Agent.register(app, asking.principalId) }
    expect((await push(other)).status).toBe(201)
  })

  test('requests that the person decides do not count', async () => {
    const asking = await newAgent()
    for (let turn = 0; turn < 29; turn += 1) await authorizeEarly(asking)
    const person = await Person.signIn(app, asking.principalId)
    for (let turn = 0; turn < 3; turn += 1) {
      const { json } = await push(asking)
      const [one] = await person.pending()
      expect((await person.decide(one?.['authorization_id'], 'decline')).status).toBe(200)
      expect((await asking.agent.authorize(json.request_uri)).result).toMatchObject({ error: 'access_denied' })
    }
    expect((await push(asking)).status).toBe(201)
  })
})

describe('a token of which nobody was asked', () => {
  test('B8 a token of which nobody was asked cannot approve, but can decline', async () => {
    const asking = await newAgent()
    await Promise.all([push(asking), push(asking)])
    const person = await Person.signIn(app, asking.principalId)
    await setAuthentication(app, person.token, 'rule')
    const [one, other] = await person.pending()
    const refused = await person.decide(one?.['authorization_id'], 'approve')
    expect([refused.status, refused.json['error']]).toEqual([401, 'insufficient_user_authentication'])
    expect((await person.decide(other?.['authorization_id'], 'decline')).status).toBe(200)
    expect(await person.pending()).toHaveLength(1)
  })
})
