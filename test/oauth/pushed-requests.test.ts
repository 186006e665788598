import { describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { Agent, exchange, must, newKey, newPrincipal, operate, Person, REDIRECT_URI } from '../support/actors'
import type { App } from '../support/app'
import { type Form, readyAgent, withApp } from './setup'

let app: App
let agent: Agent
let form: Awaited<ReturnType<Agent['purchase']>>['form']
withApp(async (started) => {
  app = started
  agent = await readyAgent(app)
  form = (await agent.purchase({ merchant: 'https://shop.example' })).form
})

async function errorOf(more: Form, headers: Record<string, string> = {}) {
  const answer = await agent.mint('/oauth/par', { ...form, ...more }, headers)
  return [answer.status, answer.json['error']]
}
const details = (more: Record<string, unknown> = {}) =>
  JSON.stringify([
    {
      type: 'oid4ac_mandate',
      merchant: 'https://shop.example',
      amount_minor: 1200,
      currency: 'EUR',
      line_items: [{ sku: 'a', qty: 1 }],
      ...more,
    },
  ])

describe('POST /oauth/par', () => {
  test('P21 the same parameters pushed again give another request_uri', async () => {
    const [one, other] = [await agent.push(form), await agent.push(form)]
    expect([one.status, other.status]).toEqual([201, 201])
    expect(one.json.request_uri).not.toBe(other.json.request_uri)
    expect((await agent.authorize(one.json.request_uri)).result).toHaveProperty('code')
    expect((await agent.authorize(other.json.request_uri)).result).toHaveProperty('code')
  })

  test.each([
    ['erased', 'access_denied', 400],
    ['processing_restricted', 'access_denied', 400],
  ])('P22 an agent of a person who is %s is refused', async (flag, code, status) => {
    const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits' })
    const one = await Agent.register(app, principalId)
    const before = await one.push(form)
    await app.platform.db.query(sql`UPDATE principals SET ${sql.raw(flag)} = true WHERE id = ${principalId}`)
    const refused = await one.push(form)
    expect([refused.status, refused.json]).toEqual([status, expect.objectContaining({ error: code })])
    expect((await one.authorize(before.json.request_uri)).result).toMatchObject({ error: 'access_denied' })
  })

  test('P22 a revoked agent is refused, and its earlier requests give no code', async () => {
    const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits' })
    const one = await Agent.register(app, principalId)
    const before = await one.push(form)
    const person = await Person.signIn(app, principalId)
    expect((await person.call('POST', `/wallet/agents/${one.clientId}/revoke`)).status).toBe(200)
    const refused = await one.push(form)
    expect([refused.status, refused.json]).toEqual([401, expect.objectContaining({ error: 'invalid_client' })])
    expect((await one.authorize(before.json.request_uri)).result).toMatchObject({ error: 'access_denied' })
  })

  test('P1 an accepted request gets exactly two members, an opaque handle and no-store', async () => {
    const answer = await agent.push(form)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(answer.json).toEqual({
      request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/),
      expires_in: 60,
    })
    expect((await agent.push(form)).json.request_uri).not.toBe(answer.json.request_uri)
  })

  test.each([
    ['P2 no authorization_details', { authorization_details: undefined }, 'invalid_request'],
    ['P3 authorization_details that are no JSON', { authorization_details: '{' }, 'invalid_authorization_details'],
    [
      'P3 more than 32 KiB',
      { authorization_details: `[{"type":"${'x'.repeat(32_768)}"}]` },
      'invalid_authorization_details',
    ],
    ['P3 authorization_details as an object', { authorization_details: '{}' }, 'invalid_authorization_details'],
    ['P3 authorization_details as an empty array', { authorization_details: '[]' }, 'invalid_authorization_details'],
    ['P3 an element without type', { authorization_details: '[{}]' }, 'invalid_authorization_details'],
    ['P4 an unknown type', { authorization_details: '[{"type":"x"}]' }, 'invalid_authorization_details'],
    ['P4 an unknown field', { authorization_details: details({ tip: 1 }) }, 'invalid_authorization_details'],
    ['P4 an amount of zero', { authorization_details: details({ amount_minor: 0 }) }, 'invalid_authorization_details'],
    ['P4 half a cent', { authorization_details: details({ amount_minor: 0.5 }) }, 'invalid_authorization_details'],
    [
      'P4 more than a number can hold',
      { authorization_details: details({ amount_minor: 2 ** 53 }) },
      'invalid_authorization_details',
    ],
    [
      'P4 an unknown currency',
      { authorization_details: details({ currency: 'EUX' }) },
      'invalid_authorization_details',
    ],
    [
      'items above the amount',
      { authorization_details: details({ line_items: [{ sku: 'a', qty: 2, unit_price_minor: 601 }] }) },
      'invalid_authorization_details',
    ],
    [
      'items in another currency',
      { authorization_details: details({ line_items: [{ sku: 'a', qty: 1, currency: 'USD' }] }) },
      'invalid_authorization_details',
    ],
    [
      'two payments',
      { authorization_details: JSON.stringify([...JSON.parse(details()), ...JSON.parse(details())]) },
      'invalid_authorization_details',
    ],
    ['P5 no resource', { resource: undefined }, 'invalid_target'],
    ['P6 a relative resource', { resource: '/shop' }, 'invalid_target'],
    ['P6 a fragment', { resource: 'https://shop.example#f' }, 'invalid_target'],
    ['P8 the merchant not among the resources', { resource: 'https://else.example' }, 'invalid_target'],
    ['P11 request_uri', { request_uri: 'urn:x' }, 'invalid_request'],
    ['P12 request', { request: 'eyJ' }, 'request_not_supported'],
    ['P13 no response_type', { response_type: undefined }, 'invalid_request'],
    ['P13 another response_type', { response_type: 'token' }, 'unsupported_response_type'],
    ['P14 no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['P14 the challenge method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['P14 no challenge method', { code_challenge_method: undefined }, 'invalid_request'],
    ['P14 a short challenge', { code_challenge: 'x'.repeat(42) }, 'invalid_request'],
    ['P15 no redirect_uri', { redirect_uri: undefined }, 'invalid_request'],
    ['P15 another redirect_uri', { redirect_uri: 'https://else.example/cb' }, 'invalid_request'],
    ['P16 another path of the redirect_uri', { redirect_uri: 'http://127.0.0.1:8765/else' }, 'invalid_request'],
    ['P16 localhost for the literal', { redirect_uri: 'http://localhost:8765/oid4ac/callback' }, 'invalid_request'],
    ['P17 no scope', { scope: undefined }, 'invalid_scope'],
    ['P17 an unknown scope', { scope: 'openid oid4ac:payment admin' }, 'invalid_scope'],
    ['a payment without its scope', { scope: 'openid' }, 'invalid_scope'],
    ['payment and wallet scopes mixed', { scope: 'oid4ac:payment wallet:read' }, 'invalid_scope'],
    ['P18 another dpop_jkt', { dpop_jkt: 'x'.repeat(43) }, 'invalid_request'],
    ['P20 a state of 1,025 characters', { state: 'x'.repeat(1_025) }, 'invalid_request'],
    ['an unknown consent mode', { consent_mode_hint: 'never' }, 'invalid_request'],
    [
      'actions without a wallet scope',
      { authorization_details: '[{"type":"oid4ac_wallet","actions":["read"]}]', scope: 'openid' },
      'invalid_scope',
    ],
  ] satisfies [string, Form, string][])('%s is 400', async (_name, more, code) => {
    expect(await errorOf(more)).toEqual([400, code])
  })

  test('P7 several resources are accepted, also the same in two spellings', async () => {
    const tokens = await agent.code({ merchant: 'https://shop.example' })
    expect((await agent.redeem(tokens.code, tokens.verifier)).status).toBe(200)
    expect(
      (await agent.push({ ...form, resource: ['https://shop.example', 'https://shop.example/', app.baseUrl] })).status,
    ).toBe(201)
  })

  test('P9, P10, P19 a missing proof, a missing assertion and another client_id are refused', async () => {
    expect(await errorOf({}, { dpop: '' })).toEqual([400, 'invalid_dpop_proof'])
    expect(await errorOf({ client_assertion: '' })).toEqual([401, 'invalid_client'])
    expect(await errorOf({ client_assertion_type: 'urn:x' })).toEqual([400, 'invalid_request'])
    expect(await errorOf({ client_id: 'someone-else' })).toEqual([401, 'invalid_client'])
    expect(await errorOf({ client_secret: 'x' })).toEqual([400, 'invalid_request'])
    expect(await errorOf({}, { authorization: 'Basic eDp5' })).toEqual([400, 'invalid_request'])
  })

  test('items that add up to less than the amount are accepted, as beside shipping', async () => {
    const items = [{ sku: 'a', qty: 2, unit_price_minor: 599 }]
    must(await agent.push({ ...form, authorization_details: details({ line_items: items }) }), 201)
  })

  test('P16, P20 a loopback literal may use any port, and a request without state gets none back', async () => {
    const pushed = await agent.push({
      ...form,
      redirect_uri: 'http://127.0.0.1:49152/oid4ac/callback',
      state: undefined,
    })
    const { location, result } = await agent.authorize(pushed.json.request_uri)
    expect(location).toMatch(/^http:\/\/127\.0\.0\.1:49152\/oid4ac\/callback\?code=/)
    expect(result).not.toHaveProperty('state')
    expect(result['iss']).toBe(app.baseUrl)
  })

  test('an agent with too many open requests gets 429', async () => {
    const shy = await Agent.register(app, (await newPrincipal(app)).principalId)
    const asked = [1, 2, 3].map(async () => shy.push((await shy.purchase()).form))
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([201, 201, 201])
    const more = await shy.push((await shy.purchase()).form)
    expect([more.status, more.headers.get('retry-after')]).toEqual([429, '60'])
  })
})

describe('the decision that PAR settles', () => {
  const outcome = async (one: Agent, more: Form = {}) => {
    const pushed = await one.push({ ...(await one.purchase({ merchant: 'https://shop.example' })).form, ...more })
    return {
      pushed,
      status: await exchange<{ status: string }>(`${app.baseUrl}/oauth/par/${pushed.json.request_uri}/status`),
    }
  }

  test('a person without a card is setup_required at authorize', async () => {
    const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits' })
    await app.platform.db.query(sql`UPDATE card_mandates SET status = 'removed' WHERE principal_id = ${principalId}`)
    const one = await Agent.register(app, principalId)
    const { pushed } = await outcome(one)
    expect((await one.authorize(pushed.json.request_uri)).result).toMatchObject({
      error: 'setup_required',
      state: 'state-1',
      iss: app.baseUrl,
    })
  })

  test('a consent_mode_hint that asks for approval overrides the approval rule', async () => {
    for (const hint of ['dashboard', 'scan']) {
      const { pushed, status } = await outcome(agent, { consent_mode_hint: hint })
      expect([pushed.json.expires_in, status.json]).toEqual([900, { status: 'pending' }])
    }
  })

  test('S4 a request over a limit waits for approval; without the consent scan it is denied and its status is 503', async () => {
    const limits = { daily_cap_minor: 1_000, currency: 'EUR' }
    const one = await readyAgent(app, { limits })
    expect((await outcome(one)).status.json).toEqual({ status: 'pending' })
    await operate(app, 'PUT', '/switches/consent_scan', { enabled: false })
    const pushed = await one.push((await one.purchase({ merchant: 'https://shop.example' })).form)
    expect((await one.authorize(pushed.json.request_uri)).result).toMatchObject({ error: 'access_denied' })
    const status = await exchange(`${app.baseUrl}/oauth/par/x/status`)
    expect([status.status, status.json]).toMatchObject([503, { error: 'service_unavailable' }])
    await operate(app, 'PUT', '/switches/consent_scan', { enabled: true })
  })

  test('S1, S5 the answer is the status alone, and reading it consumes nothing', async () => {
    const { principalId } = await newPrincipal(app, { approval_rule: 'every_purchase' })
    const one = await Agent.register(app, principalId)
    const { pushed } = await outcome(one)
    const url = `${app.baseUrl}/oauth/par/${pushed.json.request_uri}/status`
    const person = await Person.signIn(app, principalId)
    const told: string[] = []
    for (const decide of [false, true]) {
      if (decide) await person.decide((await person.pending())[0]?.['authorization_id'], 'approve')
      for (const method of ['GET', 'HEAD', 'GET']) told.push((await exchange(url, { method })).text)
    }
    const [pending, approved] = ['{"status":"pending"}', '{"status":"approved"}']
    expect(told).toEqual([pending, '', pending, approved, '', approved])
    expect((await one.authorize(pushed.json.request_uri)).result).toHaveProperty('code')
  })

  test('S2, S3, S6 an unknown handle is 404, and a handle works raw and encoded', async () => {
    const { pushed } = await outcome(agent)
    const raw = await exchange(`${app.baseUrl}/oauth/par/${pushed.json.request_uri}/status`)
    const encoded = await exchange(`${app.baseUrl}/oauth/par/${encodeURIComponent(pushed.json.request_uri)}/status`)
    expect([raw.text, encoded.text]).toEqual(['{"status":"approved"}', '{"status":"approved"}'])
    expect(raw.headers.get('cache-control')).toBe('no-store')
    await agent.authorize(pushed.json.request_uri)
    expect((await exchange(`${app.baseUrl}/oauth/par/${pushed.json.request_uri}/status`)).status).toBe(404)
  })
})

describe('GET /oauth/authorize', () => {
  test('A1, A2 a redirect keeps the query of the redirect address and adds code, state and the exact issuer', async () => {
    const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits' })
    const uri = `${REDIRECT_URI}?tab=a%20b`
    const one = await Agent.register(app, principalId, { redirect_uris: [uri] })
    const { form: own } = await one.purchase()
    const state = `~${'ä&= '.repeat(200)}`
    const pushed = await one.push({ ...own, redirect_uri: uri, state })
    const answer = await one.authorize(pushed.json.request_uri)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([302, 'no-store'])
    expect(answer.location?.startsWith(`${uri}&code=`)).toBe(true)
    expect(answer.location).not.toContain('#')
    const { issuer } = (await exchange(`${app.baseUrl}/.well-known/oauth-authorization-server`)).json
    expect(answer.result).toEqual({ tab: 'a b', code: expect.any(String), state, iss: issuer })
  })

  test('A7, A12 presenting a request consumes it, decided or not', async () => {
    const { principalId } = await newPrincipal(app, { approval_rule: 'every_purchase' })
    const one = await Agent.register(app, principalId)
    const undecided = await one.push((await one.purchase()).form)
    const decided = await agent.push(form)
    for (const [who, pushed] of [
      [one, undecided],
      [agent, decided],
    ] as const) {
      expect((await who.authorize(pushed.json.request_uri)).status).toBe(302)
      const again = await who.authorize(pushed.json.request_uri)
      expect([again.status, again.json['error'], again.location]).toEqual([400, 'invalid_request_uri', null])
    }
  })

  test('A4 an attempt by another client does not consume the request', async () => {
    const pushed = await agent.push(form)
    const other = await Agent.register(app, (await newPrincipal(app)).principalId)
    const stolen = await other.authorize(pushed.json.request_uri)
    expect([stolen.status, stolen.json['error'], stolen.location]).toEqual([400, 'invalid_request', null])
    expect((await agent.authorize(pushed.json.request_uri)).result['code']).toEqual(expect.any(String))
  })

  test('A3, A5, A6, A9, A10 refusals are JSON, and parameters beside the handle are ignored', async () => {
    const ask = (query: string) => exchange(`${app.baseUrl}/oauth/authorize?${query}`)
    for (const uri of ['urn:ietf:params:oauth:request_uri:x', 'https://evil.example/request', '%20']) {
      const answer = await ask(`client_id=${agent.clientId}&request_uri=${uri}`)
      expect([answer.status, answer.json['error']]).toEqual([400, 'invalid_request_uri'])
    }
    for (const query of [
      '',
      `client_id=${agent.clientId}`,
      'request_uri=urn:x',
      `response_type=code&client_id=${agent.clientId}`,
      'request_uri=a&request_uri=b&client_id=c',
    ]) {
      expect((await ask(query)).json).toMatchObject({ error: 'invalid_request' })
    }
    const pushed = await agent.push(form)
    const query = new URLSearchParams({
      client_id: agent.clientId,
      request_uri: pushed.json.request_uri,
      state: 'evil',
      redirect_uri: 'https://evil.example',
    })
    const answer = await ask(query.toString())
    expect([answer.status, answer.headers.get('referrer-policy'), answer.headers.get('cache-control')]).toEqual([
      302,
      'no-referrer',
      'no-store',
    ])
    expect(answer.headers.get('location')).toContain('http://127.0.0.1:8765/oid4ac/callback?code=')
    expect(answer.headers.get('location')).toContain('state=state-1')
    const late = await agent.push(form)
    app.clock.advance({ seconds: 61 })
    agent.forgetNonce()
    expect((await agent.authorize(late.json.request_uri)).json).toMatchObject({ error: 'invalid_request_uri' })
  })
})

describe('client keys', () => {
  test('an ES256 client with an ES256 proof key completes a purchase', async () => {
    const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits' })
    const key = await newKey('ES256')
    const registered = await Agent.register(app, principalId, { jwks: { keys: [key.jwk] } })
    const es256 = new Agent(app, registered.clientId, key, await newKey('ES256'), principalId)
    expect((await es256.buy({ merchant: 'https://shop.example' })).token_type).toBe('DPoP')
  })
})
