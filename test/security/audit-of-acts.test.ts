/** Decision B11: each act that lets agents pay more, and what ends or narrows it, is an entry of the audit chain. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { type AuditEntry, verifyChain } from '@/server/shared/audit'
import {
  Agent,
  clientAssertion,
  exchange,
  must,
  newKey,
  newPrincipal,
  newWalletClient,
  operate,
  Person,
  type PrincipalOptions,
  REDIRECT_URI,
  type TokenAnswer,
} from '../support/actors'
import { type App, startApp } from '../support/app'

let app: App
beforeAll(async () => {
  app = await startApp({ env: { REQUESTS_PER_MINUTE: '0' } })
})
afterAll(() => app.close())

const LIMITS = { daily_cap_minor: 5_000, single_txn_cap_minor: 2_000, currency: 'EUR' }
const WIRE = {
  ...LIMITS,
  weekly_cap_minor: null,
  monthly_cap_minor: null,
  velocity_count: null,
  velocity_window_seconds: null,
  time_zone: 'UTC',
}
const NEW_EVENTS = [
  'oid4ac.payment.refunded',
  'oid4ac.consent.approved',
  'oid4ac.consent.declined',
  'oid4ac.limits.changed',
  'oid4ac.policy.changed',
  'oid4ac.agent.connected',
  'oid4ac.agent.revoked',
  'oid4ac.card.changed',
  'oid4ac.credential.changed',
  'oid4ac.security.changed',
  'oid4ac.operator.acted',
]
const SEVEN = [
  'oid4ac.mandate.issued',
  'oid4ac.payment.succeeded',
  'oid4ac.payment.failed',
  'oid4ac.payment.disputed',
  'oid4ac.token.revoked',
  'oid4ac.privacy.access',
  'oid4ac.privacy.erasure',
]

async function household(options: PrincipalOptions = {}) {
  const { principalId, email } = await newPrincipal(app, { approval_rule: 'every_purchase', ...options })
  const agent = await Agent.register(app, principalId)
  return { principalId, email, agent, person: await Person.signIn(app, principalId) }
}

interface Chain {
  readonly event_types: readonly string[]
  readonly entries: readonly AuditEntry[]
}

const chainOf = async (person: Person, query = '') =>
  must(await person.call<Chain>('GET', `/wallet/audit-chain?limit=200${query}`), 200)
const seqOf = async (person: Person) =>
  (await chainOf(person, `&event_types=${NEW_EVENTS.join(',')}`)).entries[0]?.seq ?? 0

/** The entries about the person that `act` leaves, oldest first; those of the operator's help are left out. */
async function entriesOf(person: Person, act: () => Promise<unknown>) {
  const before = await seqOf(person)
  await act()
  const { entries } = await chainOf(person, `&event_types=${NEW_EVENTS.join(',')}`)
  return entries
    .filter(({ seq, event }) => seq > before && event !== 'oid4ac.operator.acted')
    .map(({ event, payload, actor }) => ({ event, payload, actor }))
    .toReversed()
}

async function asked(home: Awaited<ReturnType<typeof household>>, minor = 100) {
  must(await home.agent.push((await home.agent.purchase({ amount_minor: minor })).form), 201)
  const [consent] = await home.person.pending()
  return { id: String(consent?.['authorization_id']), bumpId: String(consent?.['limit_bump_id']) }
}

describe('a decision', () => {
  test('B11 an approval by token is one entry, its repeat none', async () => {
    const home = await household()
    const { id } = await asked(home)
    const entries = await entriesOf(home.person, async () => {
      for (let repeat = 0; repeat < 2; repeat++) must(await home.person.decide(id, 'approve'), 200)
      expect((await home.person.decide(id, 'decline')).status).toBe(409)
    })
    expect(entries).toEqual([
      {
        event: 'oid4ac.consent.approved',
        actor: { kind: 'principal', id: home.principalId },
        payload: {
          what: 'purchase',
          from: 'pending',
          to: 'approved',
          means: 'token',
          authorization_id: id,
          agent_client_id: home.agent.clientId,
          display_digest: null,
          passkey_id: null,
        },
      },
    ])
  })

  test('B11 a refusal by token is one entry, and wallet access is told from a purchase', async () => {
    const home = await household()
    must(await home.agent.push((await home.agent.walletAccess('wallet:read')).form), 201)
    const [access] = await home.person.pending()
    const entries = await entriesOf(home.person, async () => {
      must(await home.person.decide(access?.['authorization_id'], 'decline'), 200)
    })
    expect(entries).toMatchObject([
      {
        event: 'oid4ac.consent.declined',
        payload: { what: 'wallet_access', from: 'pending', to: 'declined', means: 'token' },
      },
    ])
  })

  test('B11 what the rules allow without an approval leaves no entry', async () => {
    const home = await household({ approval_rule: 'above_limits' })
    expect(await entriesOf(home.person, () => home.agent.buy())).toEqual([])
  })

  test('B11 what the rules allow and a mailed link confirms is an entry of that link', async () => {
    const { agent, person, email } = await household({ approval_rule: 'above_limits', magic_link_gate: true })
    const pushed = must(await agent.push((await agent.purchase()).form), 201)
    expect((await agent.authorize(pushed.request_uri)).status).toBe(202)
    const outbox = await exchange<{ messages: { to: string; links: string[] }[] }>(`${app.baseUrl}/sandbox/outbox`, {
      headers: { accept: 'application/json' },
    })
    const token = new URL(outbox.json.messages.find(({ to }) => to === email)?.links[0] ?? '').searchParams.get('token')
    const entries = await entriesOf(person, async () => {
      const confirm = `${app.baseUrl}/oauth/magic-link/confirm?token=${String(token)}`
      expect([(await exchange(confirm)).status, (await exchange(confirm)).status]).toEqual([302, 400])
    })
    const payload = {
      what: 'purchase',
      means: 'magic_link',
      authorization_id: expect.any(String) as string,
      agent_client_id: agent.clientId,
    }
    expect(entries).toMatchObject([{ event: 'oid4ac.consent.approved', payload }])
  })
})

describe('limits', () => {
  test('B11 raising, lowering and setting limits are entries from what to what, the same again is none', async () => {
    const { person, agent } = await household()
    const entries = await entriesOf(person, async () => {
      for (const limits of [LIMITS, LIMITS, { ...LIMITS, daily_cap_minor: 9_000 }, {}]) {
        must(await person.call('POST', '/wallet/limits', limits), 200)
      }
      must(await person.call('POST', `/wallet/agents/${agent.clientId}/limits`, LIMITS), 200)
      expect((await person.call('POST', '/wallet/limits', { daily_cap_minor: -1 })).status).toBe(422)
    })
    const none = { ...WIRE, daily_cap_minor: null, single_txn_cap_minor: null, currency: null }
    const common = { means: 'token', agent_client_id: null }
    expect(entries.map(({ payload }) => payload)).toEqual([
      { ...common, what: 'limits_lowered', from: null, to: WIRE },
      { ...common, what: 'limits_raised', from: WIRE, to: { ...WIRE, daily_cap_minor: 9_000 } },
      { ...common, what: 'limits_raised', from: { ...WIRE, daily_cap_minor: 9_000 }, to: none },
      {
        ...common,
        what: 'limits_lowered',
        from: null,
        to: { ...WIRE, time_zone: null },
        agent_client_id: agent.clientId,
      },
    ])
    expect(new Set(entries.map(({ event }) => event))).toEqual(new Set(['oid4ac.limits.changed']))
  })

  test('B11 a limit request that is approved by itself is an entry, a declined one is none', async () => {
    const home = await household({ approval_rule: 'above_limits', limits: LIMITS })
    const cheap = await home.agent.buy({ amount_minor: 1_400 })
    const dear = await home.agent.buy({ amount_minor: 1_500 })
    must(await home.person.call('POST', '/wallet/limits', { ...LIMITS, single_txn_cap_minor: 1_000 }), 200)
    const settle = (buy: TokenAnswer) => home.agent.settle(buy.access_token, buy.mandate_jwt, randomUUID())
    const first = (await settle(cheap)).json['bump_id']
    const declined = await entriesOf(home.person, async () => {
      must(await home.person.call('POST', `/wallet/limit-bumps/${String(first)}/decline`), 200)
    })
    expect(declined).toEqual([])
    const next = (await settle(dear)).json['bump_id']
    const approved = await entriesOf(home.person, async () => {
      for (let repeat = 0; repeat < 2; repeat++) {
        must(await home.person.call('POST', `/wallet/limit-bumps/${String(next)}/approve`), 200)
      }
    })
    const payload = {
      what: 'limit_request',
      from: { status: 'pending' },
      to: { status: 'approved', exceeds: [{ current_minor: 1_000, requested_minor: 1_500 }] },
      means: 'token',
      bump_id: next,
      agent_client_id: home.agent.clientId,
    }
    expect(approved).toMatchObject([{ event: 'oid4ac.limits.changed', payload }])
  })
})

describe('rules about merchants', () => {
  test("B11 a person's rules and gate are entries, the same again is none", async () => {
    const { person, agent } = await household()
    const merchant_audience = 'https://shop.example'
    const entries = await entriesOf(person, async () => {
      const acts: readonly (readonly [string, object])[] = [
        ['', { merchant_audience, agent_client_id: null, verdict: 'deny' }],
        ['', { merchant_audience: 'https://SHOP.example/', agent_client_id: null, verdict: 'deny' }],
        ['', { merchant_audience, agent_client_id: null, verdict: null }],
        ['', { merchant_audience, agent_client_id: agent.clientId, verdict: 'allow' }],
        ['/gate', { only_listed: true }],
        ['/gate', { only_listed: true }],
        ['/gate', { only_listed: false }],
      ]
      for (const [path, body] of acts) must(await person.call('POST', `/wallet/merchant-rules${path}`, body), 200)
    })
    const everybody = { means: 'token', agent_client_id: null }
    const rule = { ...everybody, what: 'merchant_rule', merchant_audience }
    const gate = { ...everybody, what: 'merchant_gate', merchant_audience: null }
    expect(entries.map(({ payload }) => payload)).toEqual([
      { ...rule, from: null, to: 'deny' },
      { ...rule, from: 'deny', to: null },
      { ...rule, from: null, to: 'allow', agent_client_id: agent.clientId },
      { ...gate, from: false, to: true },
      { ...gate, from: true, to: false },
    ])
  })

  test("B11 a tenant's rules are entries of its chain by its assertion", async () => {
    const wallet = await newWalletClient(app)
    const { agent } = await household({ wallet_client_id: wallet.clientId })
    const merchant = encodeURIComponent(encodeURIComponent('https://shop.example'))
    const send = async (action: string, members: object) => {
      const body = { client_id: wallet.clientId, client_assertion: await clientAssertion(app, wallet), ...members }
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      return exchange(`${app.baseUrl}/wallet/policy/${merchant}/${action}`, init)
    }
    must(await send('deny', { agent_client_id: agent.clientId }), 200)
    must(await send('allow', { agent_client_id: agent.clientId, allow_list_required: true }), 200)
    must(await send('allow', { agent_client_id: agent.clientId, allow_list_required: true }), 200)
    expect((await send('allow', { agent_client_id: 'nobody', allow_list_required: false })).status).toBe(404)
    const entries = (await rangeOf(wallet)).filter(({ event }) => event === 'oid4ac.policy.changed')
    const common = { means: 'client_assertion', merchant_audience: 'https://shop.example' }
    expect(entries.map(({ payload }) => payload)).toMatchObject([
      { ...common, what: 'merchant_rule', from: null, to: 'deny', agent_client_id: agent.clientId },
      { ...common, what: 'merchant_rule', from: 'deny', to: 'allow', agent_client_id: agent.clientId },
      { ...common, what: 'merchant_gate', from: false, to: true, agent_client_id: null },
    ])
    expect(entries[0]?.actor).toEqual({ kind: 'wallet_client', id: wallet.clientId })
  })
})

type WalletClient = Awaited<ReturnType<typeof newWalletClient>>

async function rangeOf(wallet: WalletClient): Promise<readonly AuditEntry[]> {
  const headers = { authorization: `PrivateKeyJwt ${await clientAssertion(app, wallet)}` }
  const url = `${app.baseUrl}/audit/${wallet.clientId}/range?client_id=${wallet.clientId}`
  const { entries } = must(await exchange<{ entries: AuditEntry[] }>(url, { headers }), 200)
  expect(verifyChain(entries).intact).toBe(true)
  return entries
}

describe('agents and cards', () => {
  test('B11 an agent that registers and one that is revoked are entries, a repeat is none', async () => {
    const { principalId } = await newPrincipal(app)
    const person = await Person.signIn(app, principalId)
    const setup = must(await operate(app, 'POST', '/sandbox/setup-tokens', { principal_id: principalId }), 201)
    const body = {
      redirect_uris: [REDIRECT_URI],
      jwks: { keys: [(await newKey()).jwk] },
      token_endpoint_auth_method: 'private_key_jwt',
      client_name: 'Grace Hopper',
      scope: 'openid wallet:read',
      software_statement: setup['setup_token'],
    }
    const register = () =>
      exchange<Record<string, string>>(`${app.baseUrl}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    let clientId = ''
    const entries = await entriesOf(person, async () => {
      clientId = must(await register(), 201)['client_id'] ?? ''
      expect((await register()).status).toBe(400)
      for (let repeat = 0; repeat < 2; repeat++) {
        must(await person.call('POST', `/wallet/agents/${clientId}/revoke`), 200)
      }
    })
    expect(entries).toMatchObject([
      {
        event: 'oid4ac.agent.connected',
        actor: { kind: 'agent', id: clientId },
        payload: {
          what: 'agent',
          to: { scope: ['openid', 'wallet:read'], limits: null },
          means: 'setup_token',
          agent_client_id: clientId,
        },
      },
      {
        event: 'oid4ac.agent.revoked',
        payload: { from: 'active', to: 'revoked', means: 'token', agent_client_id: clientId },
      },
    ])
    expect(JSON.stringify(entries)).not.toContain('Grace')
  })

  test('B11 a setup token that a wallet client mints is an entry of its chain', async () => {
    const wallet = await newWalletClient(app, 'audit:read')
    const holder = new Agent(app, wallet.clientId, wallet.key, await newKey(), '')
    await holder.freshNonce()
    const url = `${app.baseUrl}/wallet/setup-tokens`
    const minted = await exchange(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', dpop: await holder.proof('POST', url) },
      body: JSON.stringify({
        client_id: wallet.clientId,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await holder.assertion(),
        principal_id: randomUUID(),
        scope: 'openid wallet:read',
      }),
    })
    expect([200, 201], minted.text).toContain(minted.status)
    const [entry, ...more] = await rangeOf(wallet)
    expect(more).toEqual([])
    expect(entry).toMatchObject({
      event: 'oid4ac.agent.connected',
      actor: { kind: 'wallet_client', id: wallet.clientId },
      payload: {
        what: 'setup_token',
        to: { scope: ['openid', 'wallet:read'], limits: null },
        means: 'client_assertion',
        setup_token_id: expect.any(String),
      },
    })
  })

  test('B11 choosing and removing a card are entries, choosing the same again is none', async () => {
    const { person } = await household()
    const intent = String(must(await person.call('POST', '/wallet/setup-intent'), 200)['setup_intent_id'])
    must(await operate(app, 'POST', '/sandbox/setup-intents', { setup_intent_id: intent, deliveries: 0 }), 200)
    must(await person.call('POST', '/wallet/setup-intent/confirm', { setup_intent_id: intent }), 200)
    const { cards } = must(
      await person.call<{ cards: { id: string; is_default: boolean }[] }>('GET', '/wallet/cards'),
      200,
    )
    const other = cards.find((card) => !card.is_default)?.id ?? ''
    const entries = await entriesOf(person, async () => {
      for (let repeat = 0; repeat < 2; repeat++) must(await person.call('POST', `/wallet/cards/${other}/default`), 200)
      must(await person.call('DELETE', `/wallet/cards/${other}`), 200)
    })
    const common = { what: 'card', card_mandate_id: other, means: 'token' }
    expect(entries).toMatchObject([
      { event: 'oid4ac.card.changed', payload: { ...common, from: 'saved', to: 'default' } },
      { event: 'oid4ac.card.changed', payload: { ...common, from: 'default', to: 'removed' } },
    ])
  })
})

describe('GET /wallet/audit-chain', () => {
  test("B11 lists the interface's seven events unless others are asked for", async () => {
    const home = await household({ limits: LIMITS })
    const { id } = await asked(home)
    must(await home.person.decide(id, 'approve'), 200)
    const standard = await chainOf(home.person)
    expect(standard.event_types.toSorted()).toEqual(SEVEN.toSorted())
    expect(standard.entries.map(({ event }) => event)).toEqual(['oid4ac.mandate.issued'])
    const events = ['oid4ac.consent.approved', 'oid4ac.operator.acted']
    const chosen = await chainOf(home.person, `&event_types=${events.join(',')}`)
    expect(chosen.event_types).toEqual(events)
    expect(new Set(chosen.entries.map(({ event }) => event))).toEqual(new Set(events))
    expect((await chainOf(home.person, '&event_types=oid4ac.approval.recorded')).entries).toEqual([])
    expect((await home.person.call('GET', '/wallet/audit-chain?event_types=oid4ac.nonsense')).status).toBe(422)
  })
})

test('B11 no entry of all these holds an address for mail, a phone number or a name', async () => {
  const rows = await app.platform.db.query<{ payload: string }>(sql`SELECT payload FROM audit_entries`)
  expect(rows.length).toBeGreaterThan(50)
  for (const { payload } of rows) expect(payload).not.toMatch(/@|\+\d{7}|Grace|Test agent|Sandbox person|Test wallet/)
})
