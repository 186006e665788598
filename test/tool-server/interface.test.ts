/** The published interface of the tool server: its tools (T), the rules of their behaviour (R) and their failures (F). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { Agent, newPrincipal, newSetupToken, REDIRECT_URI } from '../support/actors'
import { type App, startApp } from '../support/app'
import { BOOK, bookOrder } from './buyer'
import { type Helper, startHelper } from './helper'
import { json, type Listener, listen } from './listener'
import { openRelay, type Relay } from './relay'
import { newHome, removeHomes, ToolHost } from './tool-host'

let app: App
let relay: Relay
let directory: Listener
let helper: Helper
let host: ToolHost
let stranger: ToolHost
beforeAll(async () => {
  relay = await openRelay()
  app = await startApp({ env: { REQUESTS_PER_MINUTE: '0', BASE_URL: relay.url } })
  relay.port = app.platform.config.port
  directory = await listen((_request, response) => json(response, {}, 404))
  const limits = { DELIVERED_KEEP_MS: 0, SETTLE_TRIES: 1, RETRY_FIRST_MS: 20, POLL_FIRST_MS: 50 }
  helper = await startHelper(app, 'above_limits', { limits })
  host = helper.host
  stranger = await ToolHost.start(await newHome(), { env: { COUNTERSIGN_DISCOVERY_URL: directory.url } })
})
beforeEach(() => {
  relay.spoil = null
  relay.asked.length = 0
})
afterAll(async () => {
  await Promise.all([host.close(), stranger.close()])
  await Promise.all([app.close(), relay.close(), directory.close()])
  await removeHomes()
})

interface Schema {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly minItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: string | number | boolean
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** A schema in one line: `string 1..`, `[uri] 1..`, `integer 1..200 = 50`, required members with an asterisk. */
function describeSchema(schema: Schema): string {
  const { type, format, items, minLength, maxLength, minimum, maximum } = schema
  const usual = schema.default === undefined ? '' : ` = ${schema.default}`
  if (schema.enum !== undefined) return schema.enum.join('|') + usual
  if (items !== undefined) return `[${describeSchema(items)}]${describeBounds(schema.minItems, undefined)}`
  if (type === 'object') return `{${describeMembers(schema)}}`
  return `${format ?? type}${describeBounds(minLength ?? minimum, maxLength ?? maximum)}${usual}`
}

function describeBounds(least: number | undefined, most: number | undefined): string {
  if (least === undefined && most === undefined) return ''
  return least === most ? ` ${least}` : ` ${least ?? ''}..${most ?? ''}`
}

function describeMembers({ properties = {}, required = [] }: Schema): string {
  return Object.entries(properties)
    .map(([name, member]) => `${name}${required.includes(name) ? '*' : ''} ${describeSchema(member)}`)
    .toSorted()
    .join(', ')
}

const members = (list: string) => list.split('; ').toSorted().join(', ')
const ITEM = '{currency string 3, qty* integer 1.., sku* string 1.., unit_price_minor integer 0..}'
const EVENTS =
  'oid4ac.mandate.issued|oid4ac.payment.succeeded|oid4ac.payment.failed|oid4ac.payment.disputed|oid4ac.token.revoked|' +
  'oid4ac.privacy.access|oid4ac.privacy.erasure|oid4ac.payment.refunded|oid4ac.consent.approved|oid4ac.consent.declined|' +
  'oid4ac.limits.changed|oid4ac.policy.changed|oid4ac.agent.connected|oid4ac.agent.revoked|oid4ac.card.changed|' +
  'oid4ac.credential.changed|oid4ac.security.changed|oid4ac.operator.acted'

describe('T every tool takes and answers what the interface says', () => {
  test.each([
    [
      'T1',
      'agent_register',
      'setup_token* string 1..; as_url* uri; redirect_uris* [uri] 1..; client_name string',
      'ok client_id as_url',
    ],
    [
      'T2',
      'agent_payment_initiate',
      'merchant_url* uri; merchant_base_api uri; merchant_domain string 1..; merchant_verify_url uri; ' +
        `amount* {amount_minor* integer 1.., currency* string 3}; line_items* [${ITEM}] 1..; offer_id string; ` +
        'offer_digest string; scope string = openid oid4ac:payment; redirect_uri* uri; ' +
        'consent_mode_hint auto|dashboard|scan; consent_poll_timeout_seconds integer 1..900',
      'status order_id receipt settlement mandate_id receipt_jws payment_provider_ref request_uri error',
    ],
    [
      'T3',
      'agent_verify_mandate',
      `merchant_verify_url* uri; presentation* string 1..; line_items* [${ITEM}]; offer_id string; idempotency_key string`,
      'ok mandate_id',
    ],
    [
      'T4',
      'discovery_list_merchants',
      'country string 2; currency string 3; rail string; q string; page integer 1..; page_size integer 1..100',
      'merchants page page_size total',
    ],
    [
      'T5',
      'agent_browse_merchant',
      'merchant_id* string 1..',
      '@context @type merchant catalog_url signature signature_input content_digest items',
    ],
    [
      'T6',
      'agent_wallet_register',
      'setup_token* string 1..; as_url* uri; redirect_uris* [uri] 1..; client_name* string 1..; purpose* string 1..; ' +
        'scope string = wallet:read wallet:write',
      'ok client_id principal_id client_name purpose scope as_url',
    ],
    ['T7', 'agent_wallet_list_agents', 'as_url* uri; resource* uri; redirect_uri* uri', 'agents'],
    [
      'T8',
      'agent_wallet_revoke_agent',
      'as_url* uri; agent_client_id* string 1..; resource* uri; redirect_uri* uri',
      'ok client_id revoked_at families_revoked',
    ],
    [
      'T9',
      'agent_buy_cheapest_from_store',
      'store_url* uri; merchant_verify_url* uri; max_amount_minor* integer 1..; currency string 3 = EUR; ' +
        'category string; ships_to_country string 2; redirect_uri* uri',
      'chosen result',
    ],
    [
      'T10',
      'agent_dsar_initiate',
      'right* access|portability; principal_token* string 1..; delivery_preference email|synchronous_json = email',
      'status request_id estimated_delivery schema_version principal agent_clients audit_chain_entries',
    ],
    [
      'T11',
      'agent_audit_chain_query',
      `principal_token* string 1..; from_iso date-time; to_iso date-time; event_types [${EVENTS}]; limit integer 1..200 = 50`,
      'principal_id from_iso to_iso event_types limit entries',
    ],
    [
      'T12',
      'agent_payment_history',
      'principal_token* string 1..; from_iso date-time; to_iso date-time; include_disputed boolean = true; ' +
        'limit integer 1..100 = 50',
      'payments total_count has_more',
    ],
  ])('%s %s', async (_code, name, input, output) => {
    const tool = (await stranger.list()).find((listed) => listed.name === name)
    expect(describeMembers((tool?.inputSchema ?? {}) as Schema)).toBe(members(input))
    expect(Object.keys(tool?.outputSchema?.properties ?? {}).toSorted()).toEqual(output.split(' ').toSorted())
  })
})

const PAY = 'agent_payment_initiate'
const shopPath = '/sandbox/merchants/tallow-books'
/** What was asked, without queries and ids. */
const asked = () => relay.asked.map((line) => line.replace(/\?.*$/, '').replace(/urn[^/]+/, '…'))
const answerAt = (path: string, status: number, error: string) => {
  relay.spoil = ({ url = '' }) =>
    url.split('?')[0] === path ? (_request, response) => json(response, { error }, status) : null
}
const baseOrder = () => {
  const { merchant_verify_url: _verifier, ...order } = bookOrder(app)
  return { ...order, merchant_base_api: order.merchant_url }
}
const way = () => ({ as_url: app.baseUrl, resource: app.baseUrl, redirect_uri: REDIRECT_URI })

describe('R the rules of behaviour', () => {
  test('R1 a payment runs PAR, authorize, token and the merchant in order, with a nonce for merchant_base_api', async () => {
    const both = { ...baseOrder(), merchant_verify_url: `${app.baseUrl}${shopPath}/verify-mandate` }
    const { data } = await host.call(PAY, both)
    expect(Object.keys(data).toSorted()).toEqual(['order_id', 'receipt', 'settlement', 'status'])
    const steps = ['/oauth/par', '/oauth/authorize', '/oauth/token', `${shopPath}/nonce`, `${shopPath}/payments`]
    const order = asked().flatMap((line) => steps.filter((step) => line.endsWith(` ${step}`)))
    expect([...new Set(order)]).toEqual(steps)
    expect(asked().filter((line) => line.includes('verify-mandate'))).toEqual([])
  })

  test('R1 merchant_verify_url is used where there is no merchant_base_api', async () => {
    const { data } = await host.call(PAY, bookOrder(app))
    expect(Object.keys(data).toSorted()).toEqual(['mandate_id', 'payment_provider_ref', 'receipt_jws', 'status'])
    expect(asked().at(-1)).toBe(`POST ${shopPath}/verify-mandate`)
  })

  test('R1 a person without a card is setup_required, and says no more', async () => {
    const own = await startHelper(app, 'above_limits')
    await app.platform.db.query(
      sql`UPDATE card_mandates SET status = 'removed' WHERE principal_id = ${own.principalId}`,
    )
    const { isError, data, texts } = await own.host.call(PAY, bookOrder(app))
    expect([isError, data]).toEqual([false, { status: 'setup_required' }])
    expect(texts[1]).toBe(
      `Not paid. The user must first add or choose a card at ${app.baseUrl}/cards, or choose one for this agent at ${app.baseUrl}/agents. Then call this tool again.`,
    )
    await own.host.close()
  })

  test('R2 without an offer_digest the mandate carries none, and the merchant refuses it', async () => {
    const { texts } = await host.call(PAY, { ...bookOrder(app), offer_digest: undefined })
    expect(texts[0]).toBe(`${PAY} failed: verify-mandate failed: 422 offer_digest_mismatch`)
  })

  test('R3 the cheapest item is chosen from the well-known catalog, and paid through the full flow', async () => {
    const { data } = await host.call('agent_buy_cheapest_from_store', {
      store_url: bookOrder(app).merchant_url,
      merchant_verify_url: bookOrder(app).merchant_verify_url,
      max_amount_minor: 1_300,
      category: 'books',
      redirect_uri: REDIRECT_URI,
    })
    expect(data).toMatchObject({ chosen: { sku: BOOK.sku, unit_price_minor: 1_200 }, result: { status: 'paid' } })
    expect(asked()).toEqual(
      expect.arrayContaining([
        `GET ${shopPath}/.well-known/oid4ac-catalog`,
        'POST /oauth/par',
        'POST /oauth/token',
        `POST ${shopPath}/verify-mandate`,
      ]),
    )
  })

  test('R4 the wallet tools run a flow for the one scope they need, then ask the wallet', async () => {
    const scopes: (string | null)[] = []
    relay.spoil = ({ url }, body) => {
      if (url === '/oauth/par') scopes.push(new URLSearchParams(body).get('scope'))
      return null
    }
    const agent = await Agent.register(app, helper.principalId)
    relay.asked.length = 0
    await host.call('agent_wallet_list_agents', way())
    await host.call('agent_wallet_revoke_agent', { ...way(), agent_client_id: agent.clientId })
    // Each is pushed again once the server has named its nonce.
    expect([...new Set(scopes)]).toEqual(['wallet:read', 'wallet:write'])
    const wallet = asked().filter((line) => line.includes('/wallet/agents'))
    expect(wallet).toEqual(['GET /wallet/agents', `POST /wallet/agents/${agent.clientId}/revoke`])
  })

  test('R5 the directory is asked at /merchants, and only verified merchants are shown', async () => {
    const entry = { id: 'a', merchant_audience: 'https://a.example', business_name: 'A', country: 'DE' }
    const more = { accepts_currency: ['EUR'], accepts_rail: ['card'], verified_at: null }
    const merchants = ['verified', 'suspended', 'pending'].map((status, index) => ({
      ...entry,
      ...more,
      id: `m${index}`,
      verification_status: status,
    }))
    directory.answer = (_request, response) => json(response, { merchants, page: 1, page_size: 100, total: 3 })
    const { data } = await stranger.call('discovery_list_merchants', { page_size: 100 })
    expect(directory.asked.at(-1)).toBe('GET /merchants?page_size=100')
    expect(data).toMatchObject({ merchants: [{ id: 'm0' }], total: 3 })
  })

  test.each(['signature', 'signature_input', 'content_digest'])(
    'R6, F5 a preview without %s is rejected',
    async (field) => {
      const preview = {
        merchant: 'https://shop.example',
        catalog_url: 'https://shop.example/.well-known/oid4ac-catalog',
        signature: `sig1=:${Buffer.alloc(64).toString('base64')}:`,
        signature_input: 'sig1=("content-digest");keyid="k";alg="ed25519"',
        content_digest: `sha-256=:${Buffer.alloc(32).toString('base64')}:`,
        items: [],
      }
      directory.answer = (_request, response) => json(response, { ...preview, [field]: undefined })
      const { texts } = await stranger.call('agent_browse_merchant', { merchant_id: 'shop' })
      expect(directory.asked.at(-1)).toBe('GET /merchants/shop/catalog-preview')
      expect(texts[0]).toBe(`agent_browse_merchant failed: rejected upstream catalog (missing signed field ${field})`)
    },
  )

  test('R7 the history shows payments with their state, disputed ones when they are wanted, older ones by the bounds', async () => {
    const own = await startHelper(app, 'above_limits')
    const agent = await Agent.register(app, own.principalId)
    for (const key of ['first', 'second']) {
      const bought = await agent.buy()
      await agent.settle(bought.access_token, bought.mandate_jwt, key)
    }
    const rows = async (more: object = {}) => {
      const { data } = await own.host.call('agent_payment_history', { principal_token: 'session:default', ...more })
      return data['payments'] as { payment_intent_id: string; status: string; processed_at_iso: string }[]
    }
    const [newer, older] = await rows()
    await app.platform.db.query(
      sql`UPDATE payments SET status = 'disputed_pending' WHERE payment_intent_id = ${older?.payment_intent_id ?? ''}`,
    )
    expect((await rows()).map(({ status }) => status)).toEqual(['succeeded', 'disputed_pending'])
    expect((await rows({ include_disputed: false })).map(({ status }) => status)).toEqual(['succeeded'])
    expect(await rows({ to_iso: older?.processed_at_iso })).toHaveLength(1)
    expect(await rows({ from_iso: newer?.processed_at_iso })).toHaveLength(1)
    await own.host.close()
  })
})

describe('F the failures of each tool', () => {
  test.each([
    ['F1', 'agent_register', {}],
    ['F6', 'agent_wallet_register', { client_name: 'Housekeeper', purpose: 'Looks after the wallet' }],
  ])('%s %s is refused with the code alone', async (_code, name, more) => {
    const { principalId } = await newPrincipal(app)
    const metadata = async () => ({
      setup_token: await newSetupToken(app, principalId),
      as_url: app.baseUrl,
      redirect_uris: [REDIRECT_URI],
      ...more,
    })
    const failed = async (changed: object) =>
      (await stranger.call(name, { ...(await metadata()), ...changed })).texts[0]
    expect(await failed({ redirect_uris: ['http://shop.example/back'] })).toBe(`${name} failed: invalid_redirect_uri`)
    expect(await failed({ setup_token: 'A'.repeat(43) })).toBe(`${name} failed: invalid_software_statement`)
    expect(await failed({ client_name: 'x'.repeat(2_000) })).toBe(`${name} failed: invalid_client_metadata`)
  })

  const verifier = `${shopPath}/verify-mandate`
  test.each([
    ['/oauth/par', 400, 'invalid_request', 'PAR failed: 400 invalid_request'],
    ['/oauth/token', 400, 'invalid_grant', 'token failed: 400 invalid_grant'],
    ['/oauth/token', 400, 'invalid_target', 'token failed: 400 invalid_target'],
    [verifier, 422, 'mandate_audience_mismatch', 'verify-mandate failed: 422 mandate_audience_mismatch'],
    [verifier, 422, 'mandate_expired', 'verify-mandate failed: 422 mandate_expired'],
    [verifier, 422, 'mandate_status_revoked', 'verify-mandate failed: 422 mandate_status_revoked'],
    [verifier, 422, 'mandate_kb_nonce_mismatch', 'verify-mandate failed: 422 mandate_kb_nonce_mismatch'],
  ])('F2 %s with %i %s: the same call begins a new request', async (path, status, error, detail) => {
    answerAt(path, status, error)
    expect((await host.call(PAY, bookOrder(app))).texts[0]).toBe(`${PAY} failed: ${detail}`)
    relay.spoil = null
    relay.asked.length = 0
    expect((await host.call(PAY, bookOrder(app))).data).toMatchObject({ status: 'paid' })
    expect(asked()).toContain('POST /oauth/par')
  })

  test('F2 verify-mandate failed: 502 keeps the mandate, and the same call repeats with the same key', async () => {
    const keys: string[] = []
    relay.spoil = ({ url }, body) => {
      if (url !== verifier) return null
      keys.push(JSON.parse(body)['idempotency_key'])
      return keys.length > 1 ? null : (_request, response) => json(response, { error: 'bad_gateway' }, 502)
    }
    expect((await host.call(PAY, bookOrder(app))).texts[0]).toBe(
      `${PAY} failed: verify-mandate failed: 502 bad_gateway`,
    )
    relay.asked.length = 0
    expect((await host.call(PAY, bookOrder(app))).data).toMatchObject({ status: 'paid' })
    expect(asked()).not.toContain('POST /oauth/par')
    expect(new Set(keys).size).toBe(1)
  })

  test.each([
    [401, 'invalid_token', '401 invalid_token'],
    [403, 'forbidden', '403 forbidden'],
    [403, 'insufficient_scope', 'insufficient_scope (need wallet:read)'],
  ])('F7 agent_wallet_list_agents with %i %s', async (status, error, detail) => {
    answerAt('/wallet/agents', status, error)
    const { texts } = await host.call('agent_wallet_list_agents', way())
    expect(texts[0]).toBe(`agent_wallet_list_agents failed: ${detail}`)
  })

  test.each([
    [403, 'insufficient_scope', 'insufficient_scope (need wallet:write)'],
    [404, 'not_found', '404 not_found'],
    [500, 'server_error', '503 server_error'],
    [503, 'service_unavailable', '503 server_error'],
  ])('F8, B23 agent_wallet_revoke_agent with %i %s', async (status, error, detail) => {
    answerAt('/wallet/agents/some-agent/revoke', status, error)
    const { texts } = await host.call('agent_wallet_revoke_agent', { ...way(), agent_client_id: 'some-agent' })
    expect(texts[0]).toBe(`agent_wallet_revoke_agent failed: ${detail}`)
    if (status >= 500) expect(texts[1]).toBe('Retry is safe: revoking is idempotent.')
  })

  test.each([
    ['/oauth/par', 400, 'invalid_request', 'PAR failed: 400 invalid_request'],
    [`${shopPath}/.well-known/oid4ac-catalog`, 404, 'not_found', 'catalog 404'],
    [`${shopPath}/.well-known/oid4ac-catalog`, 502, 'bad_gateway', 'catalog 502'],
    // The last: what was chosen stays chosen until its purchase has ended.
    [verifier, 502, 'bad_gateway', 'verify-mandate failed: 502 bad_gateway'],
  ])('F9 agent_buy_cheapest_from_store with %s %i %s', async (path, status, error, detail) => {
    answerAt(path, status, error)
    const { merchant_url: store, merchant_verify_url: verify } = bookOrder(app)
    const name = 'agent_buy_cheapest_from_store'
    const wish = { store_url: store, merchant_verify_url: verify, max_amount_minor: 1_000, redirect_uri: REDIRECT_URI }
    expect((await host.call(name, wish)).texts[0]).toBe(`${name} failed: ${detail}`)
    relay.spoil = null
    const { texts } = await host.call(name, { ...wish, max_amount_minor: 1 })
    expect(texts[0]).toBe(`${name} failed: no in-stock matching items under the cap`)
  })

  const principalTools = [
    ['F10', 'agent_dsar_initiate', '/privacy/dsar/portability', 'privacy:dsar', { right: 'portability' }],
    ['F11', 'agent_audit_chain_query', '/wallet/audit-chain', 'audit:read', {}],
    ['F12', 'agent_payment_history', '/wallet/payment-history', 'audit:read', {}],
  ] as const
  test.each(principalTools)('%s %s', async (_code, name, path, scope, more) => {
    const args = { principal_token: 'session:default', ...more }
    const failed = async (status: number, error: string) => {
      answerAt(path, status, error)
      return (await host.call(name, args)).texts[0]
    }
    const session = 'wallet-session JWT-AT required (401 invalid_token)'
    const mismatch = 'principal_id mismatch (403 principal_mismatch)'
    expect(await failed(401, 'invalid_token')).toBe(`${name} failed: ${session}`)
    expect(await failed(403, 'principal_mismatch')).toBe(`${name} failed: ${mismatch}`)
    expect(await failed(403, 'insufficient_scope')).toBe(`${name} failed: insufficient_scope (need ${scope})`)
    expect(await failed(429, 'rate_limited')).toBe(`${name} failed: rate limited (429)`)
    expect((await stranger.call(name, args)).texts[0]).toBe(`${name} failed: agent not registered yet`)
  })
})
