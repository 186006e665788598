/** Decision B15: a request that is sent to authorize undecided, and how many of an agent may wait. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { Agent, countStatuses, newPrincipal, Person } from '../support/actors'
import { type App, startApp } from '../support/app'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const LIMITS = { daily_cap_minor: 5_000, single_txn_cap_minor: 1_000, currency: 'EUR' }

async function household() {
  const { principalId } = await newPrincipal(app, { limits: LIMITS })
  return { principalId, agent: await Agent.register(app, principalId), person: await Person.signIn(app, principalId) }
}

const push = async (agent: Agent, minor = 500) => agent.push((await agent.purchase({ amount_minor: minor })).form)

describe('a request that is sent to authorize before it is decided', () => {
  test('B15 is withdrawn with the limit requests that belong to it, and cannot be decided', async () => {
    const { principalId, agent, person } = await household()
    const pushed = await push(agent, 9_000)
    const [consent] = await person.pending()
    const bump = String(consent?.['limit_bump_id'])
    expect((await agent.authorize(pushed.json.request_uri)).result).toMatchObject({ error: 'consent_required' })
    expect(await person.pending()).toEqual([])
    expect((await person.call('GET', '/wallet/limit-bumps')).json).toEqual({ limit_bumps: [] })
    for (const decision of ['approve', 'decline'] as const) {
      const late = await person.decide(consent?.['authorization_id'], decision)
      expect([late.status, late.json['error']]).toEqual([409, 'conflict'])
      expect((await person.call('POST', `/wallet/limit-bumps/${bump}/${decision}`)).status).toBe(409)
    }
    const rows = await app.platform.db.query<{ status: string }>(
      sql`SELECT status FROM consents WHERE principal_id = ${principalId}
          UNION ALL SELECT status FROM limit_bumps WHERE principal_id = ${principalId}`,
    )
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['withdrawn']))
  })

  test('B15 leaves the limit request of another approval', async () => {
    const { agent, person } = await household()
    const [first] = [await push(agent, 9_000), await push(agent, 9_000)]
    await agent.authorize(first.json.request_uri)
    const [left] = await person.pending()
    expect(left?.['exceeds']).toHaveLength(2)
    expect((await person.decide(left?.['authorization_id'], 'approve')).status).toBe(200)
  })

  test('B15 keeps the decision of one that was decided', async () => {
    const { agent, person } = await household()
    const pushed = await push(agent)
    const [consent] = await person.pending()
    await person.decide(consent?.['authorization_id'], 'approve')
    expect((await agent.authorize(pushed.json.request_uri)).result).toHaveProperty('code')
    expect((await person.decide(consent?.['authorization_id'], 'approve')).json['status']).toBe('approved')
  })

  test('B15 gives its place to another request', async () => {
    const { agent } = await household()
    const pushed = [await push(agent), await push(agent), await push(agent)]
    expect(countStatuses(pushed)).toEqual({ 201: 3 })
    const fourth = await push(agent)
    expect([fourth.status, fourth.json, fourth.headers.get('retry-after')]).toMatchObject([
      429,
      { error: 'rate_limited' },
      '60',
    ])
    await agent.authorize(pushed[0]?.json.request_uri ?? '')
    expect((await push(agent)).status).toBe(201)
  })
})
