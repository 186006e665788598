/** The tools that speak for the person, over stdio, against the real service. Decisions A4, B32 to B36. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { auditEvents } from '@/server/shared/audit'
import { endAccess } from '@/server/surfaces/agents'
import { readAgentDetail } from '@/server/surfaces/portal'
import { Agent, newPrincipal, newSetupToken, operate, Person, REDIRECT_URI } from '../support/actors'
import { type App, startApp } from '../support/app'
import { withPortal } from '../support/wallet-token'
import { newHome, removeHomes, ToolHost, type ToolResult } from './tool-host'

const DEFAULT = 'session:default'
const ALL = 'wallet:read audit:read privacy:dsar'
const tools3 = ['agent_dsar_initiate', 'agent_audit_chain_query', 'agent_payment_history']

let app: App
const started: ToolHost[] = []
beforeAll(async () => {
  // So short that every call finds its access token about to end, and renews it.
  app = await startApp({ env: { ACCESS_TOKEN_TTL_SECONDS: '10' } })
})
afterAll(async () => {
  await Promise.all(started.map((server) => server.close()))
  await app.close()
  await removeHomes()
})

interface Home {
  readonly tools: ToolHost
  readonly home: string
  readonly principalId: string
  readonly clientId: string
}

async function newWallet(scope = ALL): Promise<Home> {
  const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits' })
  const home = await newHome()
  const tools = await ToolHost.start(home, { onPage: () => 'cancel' })
  started.push(tools)
  const made = await tools.call('agent_wallet_register', {
    setup_token: await newSetupToken(app, principalId),
    as_url: app.baseUrl,
    redirect_uris: [REDIRECT_URI],
    client_name: 'Household',
    purpose: 'Keeps the books',
    scope,
  })
  if (made.isError) throw new Error(made.texts.join('\n'))
  return { tools, home, principalId, clientId: String(made.data['client_id']) }
}

const history = ({ tools }: Home, more: Record<string, unknown> = {}) =>
  tools.call('agent_payment_history', { principal_token: DEFAULT, ...more })
const chain = ({ tools }: Home, more: Record<string, unknown> = {}) =>
  tools.call('agent_audit_chain_query', { principal_token: DEFAULT, ...more })

async function decide({ principalId }: Home): Promise<void> {
  const person = await Person.signIn(app, principalId)
  const [waiting] = await person.pending()
  const { status, text } = await person.decide(waiting?.['authorization_id'], 'approve')
  if (status !== 200) throw new Error(text)
}

/** What a call leads to once the person has approved what it asked for. */
async function approved(wallet: Home, call: () => Promise<ToolResult>): Promise<ToolResult> {
  const first = await call()
  expect(first.texts[0]).toMatch(/ failed: consent_required$/)
  await decide(wallet)
  return call()
}

const sessionsOf = ({ home }: Home) =>
  readdirSync(path.join(home, 'sessions')).map((name) => {
    const file = path.join(home, 'sessions', name)
    return { mode: statSync(file).mode & 0o777, ...JSON.parse(readFileSync(file, 'utf8')) }
  })

describe('session:default', () => {
  let wallet: Home
  beforeAll(async () => {
    wallet = await newWallet()
  })

  test('A4 B34 is asked for once, kept in private files and renewed', async () => {
    const agent = await Agent.register(app, wallet.principalId)
    const bought = await agent.buy()
    await agent.settle(bought.access_token, bought.mandate_jwt, 'key-1')
    const { data } = await approved(wallet, () => history(wallet))
    expect(data).toEqual({
      payments: [
        {
          payment_intent_id: expect.any(String),
          merchant_audience: bought.merchant,
          amount_minor: bought.amount,
          currency: 'EUR',
          processed_at_iso: expect.any(String),
          status: 'succeeded',
          mandate_id: bought.mandate_id,
          agent_client_id: agent.clientId,
          receipt_url: expect.any(String),
        },
      ],
      total_count: 1,
      has_more: false,
    })
    const [first] = sessionsOf(wallet)
    expect(first).toMatchObject({ mode: 0o600, stage: 'open' })
    const [file = ''] = readdirSync(path.join(wallet.home, 'sessions'))
    const { mode: _mode, ...record } = first
    writeFileSync(path.join(wallet.home, 'sessions', file), JSON.stringify({ ...record, access_expires_at: 0 }))
    expect((await history(wallet, { include_disputed: false, limit: 1 })).isError).toBe(false)
    const [renewed, ...others] = sessionsOf(wallet)
    expect(others).toEqual([])
    expect(renewed.refresh_token).not.toBe(first.refresh_token)
    expect(renewed.expires_at).toBe(first.expires_at)
  })

  test('B33 the chain is answered with what was asked, newest first', async () => {
    const { data } = await chain(wallet)
    expect(data).toMatchObject({
      principal_id: wallet.principalId,
      from_iso: '1970-01-01T00:00:00.000Z',
      to_iso: null,
      event_types: [
        'oid4ac.mandate.issued',
        'oid4ac.payment.succeeded',
        'oid4ac.payment.failed',
        'oid4ac.payment.disputed',
        'oid4ac.token.revoked',
        'oid4ac.privacy.access',
        'oid4ac.privacy.erasure',
      ],
      limit: 50,
    })
    const entries = data['entries'] as { seq: number }[]
    expect(Object.keys(entries[0] ?? {}).toSorted()).toEqual([
      'actor',
      'entry_hash',
      'event',
      'payload',
      'prev_hash',
      'seq',
      'tenant_id',
      'ts',
    ])
    const seqs = entries.map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.toSorted((a, b) => b - a))
    const asked = { from_iso: '2020-01-01T00:00:00Z', event_types: ['oid4ac.payment.succeeded'], limit: 200 }
    const narrowed = await chain(wallet, asked)
    expect(narrowed.data).toMatchObject(asked)
    expect((narrowed.data['entries'] as unknown[]).length).toBe(1)
    const [{ ts: at = '' } = {}] = narrowed.data['entries'] as { ts?: string }[]
    const only = await chain(wallet, { ...asked, from_iso: at, to_iso: at })
    expect(only.data['entries']).toEqual(narrowed.data['entries'])
    const backwards = await chain(wallet, { from_iso: '2026-01-02T00:00:00Z', to_iso: '2026-01-01T00:00:00Z' })
    expect(backwards.texts).toEqual(['agent_audit_chain_query failed: 422', 'from_iso: must not be after to_iso'])
  })

  test('B33 every event of the chain can be asked for', async () => {
    const { data } = await chain(wallet, { event_types: auditEvents })
    expect(data['event_types']).toEqual(auditEvents)
    expect(data['entries']).toContainEqual(expect.objectContaining({ event: 'oid4ac.consent.approved' }))
  })

  test('A4 one that the person has ended in the portal is asked for again', async () => {
    const portal = withPortal(app, wallet.principalId)
    const shown = async () => (await readAgentDetail(portal, { client_id: wallet.clientId })).remembered_access
    const access = { scope: 'audit:read', created_at: expect.any(String), session_until: expect.any(String) }
    expect(await shown()).toEqual([access])
    await endAccess(portal, { client_id: wallet.clientId, scope: 'audit:read' })
    expect(await shown()).toEqual([])
    expect((await history(wallet)).texts[0]).toBe('agent_payment_history failed: consent_required')
    await decide(wallet)
    expect((await history(wallet)).isError).toBe(false)
  })

  test('nothing of it is shown or logged', async () => {
    const result = await history(wallet)
    const [session] = sessionsOf(wallet)
    const words = JSON.stringify(result) + wallet.tools.log()
    expect(session.access_token).toMatch(/^eyJ/)
    for (const secret of [session.access_token, session.refresh_token]) expect(words).not.toContain(secret)
    expect(words).not.toMatch(/eyJ[\w-]{10,}\.[\w-]{10,}/)
  })

  test('needs a registration, and one with the scope', async () => {
    const lone = await ToolHost.start(await newHome())
    started.push(lone)
    const reader = await newWallet('wallet:read')
    for (const name of tools3) {
      const args = { principal_token: DEFAULT, ...(name === 'agent_dsar_initiate' && { right: 'portability' }) }
      const scope = name === 'agent_dsar_initiate' ? 'privacy:dsar' : 'audit:read'
      expect((await lone.call(name, args)).texts[0]).toBe(`${name} failed: agent not registered yet`)
      expect((await reader.tools.call(name, args)).texts[0]).toBe(`${name} failed: insufficient_scope (need ${scope})`)
    }
  })
})

describe('a token that is handed in', () => {
  let wallet: Home
  let registrationKeys: { dpop: Record<string, string> }
  beforeAll(async () => {
    wallet = await newWallet()
    const [directory = ''] = readdirSync(path.join(wallet.home, 'registrations'))
    const file = path.join(wallet.home, 'registrations', directory, 'wallet', 'dpop.key.json')
    registrationKeys = { dpop: JSON.parse(readFileSync(file, 'utf8')) }
  })

  const sessionToken = async (principalId: string, scope: string, key?: Record<string, string>) => {
    if (key === undefined) return (await Person.signIn(app, principalId, scope)).token
    const { d: _private, ...jwk } = key
    const body = { principal_id: principalId, scope, dpop_jwk: jwk }
    return (await operate(app, 'POST', '/sandbox/wallet-sessions', body)).json['access_token'] ?? ''
  }

  test('A4 goes out with a proof when its key is ours, as a bearer token otherwise', async () => {
    const tokens = [
      await sessionToken(wallet.principalId, 'audit:read', registrationKeys.dpop),
      await sessionToken(wallet.principalId, 'audit:read'),
    ]
    for (const token of tokens) expect((await history(wallet, { principal_token: token })).isError).toBe(false)
  })

  test.each(tools3)('B35 of another person sends nothing: %s', async (name) => {
    const { principalId } = await newPrincipal(app)
    const token = await sessionToken(principalId, 'audit:read privacy:dsar')
    const args = { principal_token: token, ...(name === 'agent_dsar_initiate' && { right: 'access' }) }
    const { texts } = await wallet.tools.call(name, args)
    expect(texts[0]).toBe(`${name} failed: principal_id mismatch (403 principal_mismatch)`)
    expect(texts.join(' ')).not.toContain(token)
  })

  test('that is none, of an agent alone or over is refused as the interface says', async () => {
    const agent = await Agent.register(app, wallet.principalId)
    const over = await sessionToken(wallet.principalId, 'audit:read')
    await app.platform.db.query(
      sql`UPDATE token_families SET revoked_at = now() WHERE principal_id = ${wallet.principalId}`,
    )
    const tokens = ['nonsense', 'session:other', 'a.b.c', 'x\r\ny: z', (await agent.buy()).access_token, over]
    for (const token of tokens) {
      const { texts } = await history(wallet, { principal_token: token })
      expect(texts[0]).toBe('agent_payment_history failed: wallet-session JWT-AT required (401 invalid_token)')
      expect(texts.join(' ')).not.toContain(token)
    }
  })

  test('without the scope is insufficient_scope, and the session of this home is advised', async () => {
    const token = await sessionToken(wallet.principalId, 'wallet:read')
    const { texts } = await chain(wallet, { principal_token: token })
    expect(texts[0]).toBe('agent_audit_chain_query failed: insufficient_scope (need audit:read)')
    expect(texts[1]).toMatch(/^Pass `session:default` as principal_token/)
  })

  test('B36 a call beyond the quota returns how long to wait, without waiting', async () => {
    const token = await sessionToken(wallet.principalId, 'audit:read')
    const answers = await Promise.all(Array.from({ length: 40 }, () => history(wallet, { principal_token: token })))
    const refused = answers.filter(({ isError }) => isError)
    expect(refused.length).toBeGreaterThan(0)
    for (const { texts } of refused) {
      expect(texts[0]).toBe('agent_payment_history failed: rate limited (429)')
      expect(texts[1]).toMatch(/^Try again in \d+ seconds\.$/)
    }
  })

  test('B32 access with another delivery preference is refused, since it is mailed', async () => {
    const args = { right: 'access', principal_token: DEFAULT, delivery_preference: 'synchronous_json' }
    const { texts } = await wallet.tools.call('agent_dsar_initiate', args)
    expect(texts[0]).toBe('agent_dsar_initiate failed: access is delivered by e-mail')
  })
})

describe('agent_dsar_initiate', () => {
  let wallet: Home
  const initiate = (right: 'access' | 'portability', principalToken = DEFAULT) =>
    wallet.tools.call('agent_dsar_initiate', { right, principal_token: principalToken })
  beforeAll(async () => {
    wallet = await newWallet()
  })

  test('R8 access is queued, and mailed to the person', async () => {
    const { data, texts } = await approved(wallet, () => initiate('access'))
    expect(data).toEqual({
      status: 'queued',
      request_id: expect.any(String),
      estimated_delivery: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect(JSON.parse(texts[0] ?? '')).toEqual(data)
  })

  test('R8 portability is the dump', async () => {
    const { data } = await initiate('portability')
    expect(data).toEqual({
      schema_version: 1,
      request_id: expect.any(String),
      principal: expect.objectContaining({ principal_id: wallet.principalId }),
      agent_clients: [expect.objectContaining({ client_id: wallet.clientId })],
      audit_chain_entries: expect.arrayContaining([expect.objectContaining({ event: 'oid4ac.privacy.access' })]),
    })
  })

  test('B36, F10 the eleventh request of a day is answered with the time until the next day', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => initiate('portability')))
    const refused = answers.filter(({ isError }) => isError)
    expect(refused.map(({ texts }) => texts[0])).toEqual(['agent_dsar_initiate failed: rate limited (429)'])
    expect(refused[0]?.texts[1]).toMatch(/^Try again in \d+ seconds\.$/)
  })

  test('F10 needs the scope', async () => {
    const { token } = await Person.signIn(app, wallet.principalId, 'audit:read')
    expect((await initiate('access', token)).texts[0]).toBe(
      'agent_dsar_initiate failed: insufficient_scope (need privacy:dsar)',
    )
  })
})

test('B40 COUNTERSIGN_TOOLS=read offers the five tools that change nothing', async () => {
  const reader = await ToolHost.start(await newHome(), { env: { COUNTERSIGN_TOOLS: 'read' } })
  started.push(reader)
  expect((await reader.list()).map(({ name }) => name)).toEqual([
    'discovery_list_merchants',
    'agent_browse_merchant',
    'agent_wallet_list_agents',
    'agent_audit_chain_query',
    'agent_payment_history',
  ])
})
