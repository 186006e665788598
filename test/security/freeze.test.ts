/** Decision E34: freezing all agents of a person and pausing one are states of their own. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { readMessages } from '@/server/shared/notifications'
import { Agent, exchange, must, newPrincipal, Person } from '../support/actors'
import { type App, startApp } from '../support/app'
import { setAuthentication } from '../support/wallet-token'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const LIMITS = { daily_cap_minor: 5_000, single_txn_cap_minor: 2_000, currency: 'EUR' }

async function household(rule: 'every_purchase' | 'above_limits' = 'above_limits', gate = false) {
  const options = { approval_rule: rule, limits: LIMITS, magic_link_gate: gate }
  const { principalId, email } = await newPrincipal(app, options)
  const [agent, other] = [await Agent.register(app, principalId), await Agent.register(app, principalId)]
  return { principalId, email, agent, other, person: await Person.signIn(app, principalId) }
}

type Household = Awaited<ReturnType<typeof household>>

interface Way {
  readonly stop: (home: Household) => string
  readonly lift: (home: Household) => string
  readonly description: string
}

const ways: readonly (readonly [string, Way])[] = [
  ['freeze', { stop: () => '/wallet/freeze', lift: () => '/wallet/unfreeze', description: 'Spending is frozen.' }],
  [
    'pause',
    {
      stop: ({ agent }) => `/wallet/agents/${agent.clientId}/pause`,
      lift: ({ agent }) => `/wallet/agents/${agent.clientId}/resume`,
      description: 'This agent is paused.',
    },
  ],
]

const ask = async (agent: Agent, minor = 100) =>
  (await agent.push((await agent.purchase({ amount_minor: minor })).form)).json
const mails = (principalId: string) =>
  app.platform.db.query<{ n: number }>(sql`SELECT count(*)::int AS n FROM messages WHERE principal_id = ${principalId}`)
/** The newest link of the magic-link gate that was mailed to the address. */
async function linkTo(email: string): Promise<URL> {
  const messages = await readMessages(app.platform, 200)
  const links = messages.filter(({ to }) => to === email).flatMap((message) => message.links)
  return new URL(links.find((one) => one.includes('/magic-link?')) ?? '')
}

const statusOf = (uri: string) =>
  fetch(`${app.baseUrl}/oauth/par/${encodeURIComponent(uri)}/status`).then((answer) => answer.json())

describe.each(ways)('a %s', (_name, way) => {
  test('E34 decides a purchase as declined and asks nobody, above limits too', async () => {
    for (const [rule, minor] of [
      ['every_purchase', 100],
      ['above_limits', 100],
      ['above_limits', 9_000],
    ] as const) {
      const home = await household(rule)
      expect((await home.person.call('POST', way.stop(home))).status).toBe(200)
      const before = await mails(home.principalId)
      const pushed = await ask(home.agent, minor)
      expect(await statusOf(pushed.request_uri)).toEqual({ status: 'declined' })
      expect((await home.agent.authorize(pushed.request_uri)).result).toMatchObject({
        error: 'access_denied',
        error_description: way.description,
      })
      expect(await home.person.pending()).toEqual([])
      expect((await home.person.call('GET', '/wallet/limit-bumps')).json).toEqual({ limit_bumps: [] })
      expect(await mails(home.principalId)).toEqual(before)
    }
  })

  test('E34 withdraws what waits, which then cannot be decided', async () => {
    const home = await household()
    const pushed = await ask(home.agent, 9_000)
    const [consent] = await home.person.pending()
    const bump = String(consent?.['limit_bump_id'])
    await home.person.call('POST', way.stop(home))
    expect(await home.person.pending()).toEqual([])
    expect((await home.person.call('GET', '/wallet/limit-bumps')).json).toEqual({ limit_bumps: [] })
    for (const decision of ['approve', 'decline'] as const) {
      const late = await home.person.decide(consent?.['authorization_id'], decision)
      expect([late.status, late.json['error']]).toEqual([409, 'conflict'])
      const grant = await home.person.call('POST', `/wallet/limit-bumps/${bump}/${decision}`)
      expect([grant.status, grant.json['error']]).toEqual([409, 'conflict'])
    }
    expect(await statusOf(pushed.request_uri)).toEqual({ status: 'declined' })
    expect((await home.agent.authorize(pushed.request_uri)).result).toMatchObject({
      error: 'access_denied',
      error_description: way.description,
    })
    const rows = await app.platform.db.query<{ status: string }>(
      sql`SELECT status FROM consents WHERE principal_id = ${home.principalId}
          UNION ALL SELECT status FROM limit_bumps WHERE principal_id = ${home.principalId}`,
    )
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['withdrawn']))
  })

  test('E34 mails no link of the gate, and ends for good those that were mailed', async () => {
    const home = await household('above_limits', true)
    const [mailed, late] = [await ask(home.agent), await ask(home.agent)]
    expect((await home.agent.authorize(mailed.request_uri)).status).toBe(202)
    const link = await linkTo(home.email)
    expect((await home.person.call('POST', way.stop(home))).status).toBe(200)
    const before = await mails(home.principalId)
    const refused = { error: 'access_denied', error_description: way.description }
    expect((await home.agent.authorize(late.request_uri)).result).toMatchObject(refused)
    expect(await mails(home.principalId)).toEqual(before)
    expect((await home.person.call('POST', way.lift(home))).status).toBe(200)
    const pressed = await exchange(`${app.baseUrl}/oauth/magic-link/confirm${link.search}`)
    expect([pressed.status, pressed.json['error']]).toEqual([400, 'invalid_request'])
  })

  test('E34 lets a link that crossed it on its way give no code', async () => {
    const home = await household('above_limits', true)
    expect((await home.agent.authorize((await ask(home.agent)).request_uri)).status).toBe(202)
    const link = await linkTo(home.email)
    const [kept] = await app.platform.db.query<{ row: string }>(
      sql`SELECT to_json(l)::text AS row FROM magic_links l WHERE principal_id = ${home.principalId}`,
    )
    await home.person.call('POST', way.stop(home))
    await app.platform.db.query(
      sql`INSERT INTO magic_links SELECT (json_populate_record(NULL::magic_links, ${kept?.row ?? ''}::json)).*`,
    )
    const pressed = await exchange(`${app.baseUrl}/oauth/magic-link/confirm${link.search}`)
    expect(Object.fromEntries(new URL(pressed.headers.get('location') ?? '').searchParams)).toMatchObject({
      error: 'access_denied',
      error_description: way.description,
    })
  })

  test('E34 leaves the links for wallet access, and a pause those of other agents', async () => {
    const home = await household('above_limits', true)
    const { form } = await home.agent.walletAccess('wallet:read')
    must(await home.agent.push(form), 201)
    const [access] = await home.person.pending()
    must(await home.person.decide(access?.['authorization_id'], 'approve'), 200)
    const again = must(await home.agent.push((await home.agent.walletAccess('wallet:read')).form), 201)
    expect((await home.agent.authorize(again.request_uri)).status).toBe(202)
    const forAccess = await linkTo(home.email)
    app.clock.advance({ seconds: 1 })
    expect((await home.other.authorize((await ask(home.other)).request_uri)).status).toBe(202)
    const ofOther = await linkTo(home.email)
    await home.person.call('POST', way.stop(home))
    const press = async (link: URL) => {
      const { status, headers } = await exchange(`${app.baseUrl}/oauth/magic-link/confirm${link.search}`)
      const location = headers.get('location')
      return { status, given: location === null ? [] : [...new URL(location).searchParams.keys()].toSorted() }
    }
    const coded = { status: 302, given: ['code', 'iss', 'state'] }
    expect(await press(forAccess)).toEqual({ status: 302, given: ['code', 'iss'] })
    expect(await press(ofOther)).toEqual(way.stop(home) === '/wallet/freeze' ? { status: 400, given: [] } : coded)
  })

  test('E34 refuses a settlement that is not admitted yet, and lets it pass afterwards with the same limits', async () => {
    const home = await household()
    const { agent, person } = home
    const tokens = await agent.buy({ amount_minor: 1_000 })
    const limits = await person.call('GET', '/wallet/limits')
    await person.call('POST', way.stop(home))
    const refused = await agent.settle(tokens.access_token, tokens.mandate_jwt, `key-${agent.clientId}`)
    expect([refused.status, refused.json]).toMatchObject([
      403,
      { error: 'forbidden', error_description: way.description },
    ])
    expect((await person.call('POST', way.lift(home))).status).toBe(200)
    expect((await person.call('GET', '/wallet/limits')).json).toEqual(limits.json)
    expect((await agent.settle(tokens.access_token, tokens.mandate_jwt, `key-${agent.clientId}`)).status).toBe(200)
  })

  test('E34 repeats a settlement that was admitted before', async () => {
    const home = await household()
    const tokens = await home.agent.buy({ amount_minor: 1_000 })
    const settle = () => home.agent.settle(tokens.access_token, tokens.mandate_jwt, `key-${home.agent.clientId}`)
    const first = await settle()
    await home.person.call('POST', way.stop(home))
    expect([(await settle()).status, (await settle()).json]).toEqual([200, first.json])
  })

  test('E34 leaves wallet access and reading as they are', async () => {
    const home = await household()
    await home.person.call('POST', way.stop(home))
    const { form } = await home.agent.walletAccess('wallet:read')
    expect((await home.agent.push(form)).status).toBe(201)
    const [access] = await home.person.pending()
    expect(access).toMatchObject({ scope: 'wallet:read' })
    await home.person.call('POST', way.stop(home))
    expect(await home.person.pending()).toHaveLength(1)
    expect((await home.person.decide(access?.['authorization_id'], 'approve')).status).toBe(200)
  })

  test('E34 is begun by every token that may write, lifted only by one that suffices, and recorded', async () => {
    const home = await household()
    const reader = await Person.signIn(app, home.principalId, 'wallet:read')
    expect((await reader.call('POST', way.stop(home))).status).toBe(403)
    await setAuthentication(app, home.person.token, 'rule')
    for (let repeat = 0; repeat < 2; repeat++) expect((await home.person.call('POST', way.stop(home))).status).toBe(200)
    const refused = await home.person.call('POST', way.lift(home))
    expect([refused.status, refused.json['error']]).toEqual([401, 'insufficient_user_authentication'])
    await setAuthentication(app, home.person.token, 'phr')
    for (let repeat = 0; repeat < 2; repeat++) expect((await home.person.call('POST', way.lift(home))).status).toBe(200)
    const chain = await home.person.call<{ entries: { payload: { from: string; to: string; means: string } }[] }>(
      'GET',
      '/wallet/audit-chain?event_types=oid4ac.limits.changed',
    )
    const stopped = way.lift(home) === '/wallet/unfreeze' ? 'frozen' : 'paused'
    expect(chain.json.entries.map(({ payload }) => payload)).toMatchObject([
      { from: stopped, to: 'active', means: 'token' },
      { from: 'active', to: stopped, means: 'token' },
    ])
  })
})

describe('the state', () => {
  test('E34 says since when spending is frozen, also to a person without limits', async () => {
    const { principalId } = await newPrincipal(app)
    const person = await Person.signIn(app, principalId)
    expect((await person.call('GET', '/wallet/limits')).json).toBeNull()
    const frozenAt = (await person.call('POST', '/wallet/freeze')).json['frozen_at']
    expect(frozenAt).toEqual(expect.stringMatching(/^\d{4}-.*Z$/))
    const read = await person.call('GET', '/wallet/limits')
    expect(read.json).toMatchObject({ daily_cap_minor: null, currency: null, frozen_at: frozenAt })
    app.clock.advance({ seconds: 60 })
    expect((await person.call('POST', '/wallet/freeze')).json).toEqual({ frozen_at: frozenAt })
    const saved = await person.call('POST', '/wallet/limits', LIMITS)
    expect(saved.status).toBe(200)
    expect((await person.call('GET', '/wallet/limits')).json).toMatchObject({ ...LIMITS, frozen_at: frozenAt })
    expect((await person.call('POST', '/wallet/unfreeze')).json).toEqual({ frozen_at: null })
    expect((await person.call('GET', '/wallet/limits')).json).toMatchObject({ ...LIMITS, frozen_at: null })
  })

  test('E34 pauses one agent and not the others, and only an own one that lives', async () => {
    const { agent, other, person, principalId } = await household()
    const stranger = await household()
    const pathOf = ({ clientId }: Agent, verb: string) => `/wallet/agents/${clientId}/${verb}`
    const paused = await person.call('POST', pathOf(agent, 'pause'))
    expect([paused.status, paused.json]).toEqual([200, { client_id: agent.clientId, paused: true }])
    const records = await person.call<{ agents: { client_id: string; paused: boolean }[] }>('GET', '/wallet/agents')
    const states = records.json.agents.map(({ client_id, paused: isPaused }) => [client_id, isPaused])
    expect(new Map(states as [string, boolean][])).toEqual(
      new Map([
        [agent.clientId, true],
        [other.clientId, false],
      ]),
    )
    expect((await other.authorize((await ask(other)).request_uri)).result).toHaveProperty('code')
    const resumed = await person.call('POST', pathOf(agent, 'resume'))
    expect([resumed.status, resumed.json]).toEqual([200, { client_id: agent.clientId, paused: false }])
    expect((await agent.authorize((await ask(agent)).request_uri)).result).toHaveProperty('code')
    await person.call('POST', pathOf(other, 'revoke'))
    for (const gone of [other, stranger.agent]) {
      for (const verb of ['pause', 'resume']) expect((await person.call('POST', pathOf(gone, verb))).status).toBe(404)
    }
    expect(principalId).not.toBe(stranger.principalId)
  })

  test('E34 asks nobody in a request that meets the freeze on its way', async () => {
    const { agent, person } = await household('every_purchase')
    const forms = await Promise.all(Array.from({ length: 3 }, () => agent.purchase({ amount_minor: 100 })))
    const [, ...pushed] = await Promise.all([
      person.call('POST', '/wallet/freeze'),
      ...forms.map(({ form }) => agent.push(form)),
    ])
    expect(pushed.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(await person.pending()).toEqual([])
  })
})
