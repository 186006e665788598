import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Agent, newPrincipal, Person } from '../support/actors'
import { type App, startApp } from '../support/app'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const ABOVE_MINOR = 1_200
const CAPS = { single_txn_cap_minor: 1_000, daily_cap_minor: 5_000, currency: 'EUR' }

/** A person who is asked above limits only, and two agents of theirs. */
async function household() {
  const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits' })
  const [agent, other] = [await Agent.register(app, principalId), await Agent.register(app, principalId)]
  return { agent, other, person: await Person.signIn(app, principalId) }
}

const pathOf = ({ clientId }: Pick<Agent, 'clientId'>) => `/wallet/agents/${clientId}/limits`

/** Pushes a purchase above the agent's cap; the consent that it waits for. */
async function askAbove(agent: Agent, person: Person) {
  const { form, verifier } = await agent.purchase({ amount_minor: ABOVE_MINOR })
  const pushed = await agent.push(form)
  expect(pushed.json.expires_in).toBe(900)
  const [consent] = await person.pending()
  const settle = async () => {
    const { result } = await agent.authorize(pushed.json.request_uri)
    const tokens = (await agent.redeem(result['code'] ?? '', verifier)).json
    return agent.settle(tokens.access_token, tokens.mandate_jwt, pushed.json.request_uri.slice(-20))
  }
  return { authorizationId: consent?.['authorization_id'], settle }
}

describe('GET and POST /wallet/agents/{client_id}/limits', () => {
  test('the limits of an agent are null until saved, and wallet:read is enough to read them', async () => {
    const { agent, other, person } = await household()
    expect((await person.call('GET', pathOf(agent))).json).toBeNull()
    const saved = await person.call('POST', pathOf(agent), CAPS)
    expect([saved.status, saved.json]).toMatchObject([200, { ...CAPS, velocity_count: null }])
    const reader = await Person.signIn(app, person.principalId, 'wallet:read')
    expect((await reader.call('GET', pathOf(agent))).json).toEqual(saved.json)
    expect((await reader.call('POST', pathOf(agent), {})).status).toBe(403)
    expect((await person.call('GET', pathOf(other))).json).toBeNull()
    expect((await person.call('POST', pathOf(agent), { daily_cap_minor: -1 })).status).toBe(422)
    expect((await person.call('POST', pathOf(agent), { weekly_cap_minor: -1 })).status).toBe(422)
    expect((await person.call('POST', pathOf(agent), { ...CAPS, time_zone: 'UTC' })).status).toBe(422)
  })

  test("another person's agent is answered like an unknown one", async () => {
    const [mine, theirs] = [await household(), await household()]
    for (const body of [undefined, CAPS]) {
      const method = body === undefined ? 'GET' : 'POST'
      const foreign = await mine.person.call(method, pathOf(theirs.agent), body)
      const unknown = await mine.person.call(method, pathOf({ clientId: 'nobody' }), body)
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
    }
    expect((await theirs.person.call('GET', pathOf(theirs.agent))).json).toBeNull()
  })
})

describe("a purchase above an agent's own limit", () => {
  test("a purchase above an agent's own limit waits for approval, which lets that payment pass and no other", async () => {
    const { agent, other, person } = await household()
    await person.call('POST', pathOf(agent), CAPS)
    const { authorizationId, settle } = await askAbove(agent, person)
    const [consent] = await person.pending()
    expect(consent?.['exceeds']).toMatchObject([{ scope: 'agent', kind: 'single_txn_cap', current_minor: 1_000 }])
    await person.decide(authorizationId, 'approve')
    expect((await settle()).status).toBe(200)
    const free = await other.buy({ amount_minor: ABOVE_MINOR })
    expect((await other.settle(free.access_token, free.mandate_jwt, 'free')).status).toBe(200)
    await askAbove(agent, person)
  })

  test('a purchase in another currency than that of the limit is refused at settlement', async () => {
    const { agent, person } = await household()
    const bought = await agent.buy()
    await person.call('POST', pathOf(agent), { daily_cap_minor: 100_000, currency: 'USD' })
    const refused = await agent.settle(bought.access_token, bought.mandate_jwt, 'usd')
    expect([refused.status, refused.json]).toMatchObject([
      403,
      { error: 'limit_currency_mismatch', error_description: 'The limits of this agent are in USD.' },
    ])
  })
})
