import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { Agent, clientAssertion, exchange, newKey, newPrincipal, Person } from '../support/actors'
import type { App } from '../support/app'
import { type Form, readyAgent, walletCode, withApp } from './setup'

/**
 * Modules of the conformance tests of the FAPI 2.0 Security Profile (final) that no other suite covers, under their names
 * there without `fapi2-security-profile-final-`. They are modelled on those; what differs and why is in docs/fapi-2.0.md.
 */
let app: App
let agent: Agent
withApp(async (started) => {
  app = started
  agent = await readyAgent(app)
})

/** A pushed purchase that `more` changes, and what authorize makes of it. */
async function authorized(one: Agent, more: Form = {}) {
  const { form, verifier } = await one.purchase()
  const pushed = await one.push({ ...form, ...more })
  expect(pushed.status, pushed.text).toBe(201)
  return { ...(await one.authorize(pushed.json.request_uri)), verifier }
}

async function errorOfPush(more: Form) {
  const answer = await agent.mint('/oauth/par', { ...(await agent.purchase()).form, ...more })
  return [answer.status, answer.json['error']]
}

const REDIRECT_WITH_QUERY = 'https://agent.example/callback?dummy1=lorem&dummy2=ipsum'

describe('a whole flow', () => {
  test('happy-flow: a first client reads a resource with various headers, and never with the token in the query', async () => {
    const { code, verifier, result } = await walletCode(agent, 'wallet:read')
    expect(Object.keys(result).toSorted((a, b) => a.localeCompare(b))).toEqual(['code', 'iss'])
    const { access_token: token } = (await agent.redeem(code, verifier)).json
    const variations: Record<string, string>[] = [
      { accept: 'application/json' },
      { accept: 'application/json;charset=UTF-8', 'x-fapi-customer-ip-address': '2001:db8::1893:25c8:1946' },
      { accept: '*/*', 'x-fapi-interaction-id': 'c770aef3-6784-41f7-8e0e-ff5f97bddb3a' },
      { accept: 'text/html, application/json;q=0.5', 'x-fapi-auth-date': 'Tue, 11 Sep 2012 19:43:31 GMT' },
    ]
    for (const headers of variations) {
      const answer = await agent.call('GET', '/wallet/agents', token, undefined, headers)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
    }
    const inQuery = await exchange(`${app.baseUrl}/wallet/agents?access_token=${token}`, {
      headers: { dpop: await agent.proof('GET', `${app.baseUrl}/wallet/agents`, { accessToken: token }) },
    })
    expect(inQuery.status).toBe(401)
  })

  test('happy-flow: a second client succeeds with other keys and a redirect address that has a query', async () => {
    const key = await newKey('ES256')
    const registered = await readyAgent(app, {
      metadata: { jwks: { keys: [key.jwk] }, redirect_uris: [REDIRECT_WITH_QUERY] },
    })
    const second = new Agent(app, registered.clientId, key, await newKey('ES256'), registered.principalId)
    const { result, verifier } = await authorized(second, { redirect_uri: REDIRECT_WITH_QUERY })
    expect(result).toEqual({
      dummy1: 'lorem',
      dummy2: 'ipsum',
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: 'state-1',
      iss: app.baseUrl,
    })
    const redeemed = await second.redeem(result['code'] ?? '', verifier, { redirect_uri: REDIRECT_WITH_QUERY })
    expect(redeemed.json).toMatchObject({ token_type: 'DPoP', refresh_token: expect.stringMatching(/^[\w-]{43}$/) })
    const { access_token: token, mandate_jwt: mandate } = redeemed.json
    expect((await second.settle(token, mandate, 'second-client')).status).toBe(200)
    expect((await agent.settle(token, mandate, 'first-client')).status).toBe(401)
  })

  test('user-rejects-authentication: a decline is sent to the redirect address with all response parameters', async () => {
    const { principalId } = await newPrincipal(app, { approval_rule: 'every_purchase' })
    const one = await Agent.register(app, principalId, { redirect_uris: [REDIRECT_WITH_QUERY] })
    const person = await Person.signIn(app, principalId)
    const state = 's'.repeat(128)
    const { form } = await one.purchase()
    const pushed = await one.push({ ...form, redirect_uri: REDIRECT_WITH_QUERY, state })
    await person.decide((await person.pending())[0]?.['authorization_id'], 'decline')
    const { error_description: _, error_uri: __, ...result } = (await one.authorize(pushed.json.request_uri)).result
    expect(result).toEqual({ dummy1: 'lorem', dummy2: 'ipsum', error: 'access_denied', state, iss: app.baseUrl })
  })
})

describe('authorization requests', () => {
  test('ensure-authorization-request-with-64-char-nonce-success: an OpenID nonce is ignored', async () => {
    for (const nonce of ['n'.repeat(64), 'n'.repeat(384)]) {
      const { result, verifier } = await authorized(agent, { nonce })
      expect(result).not.toHaveProperty('nonce')
      expect((await agent.redeem(result['code'] ?? '', verifier)).json).not.toHaveProperty('id_token')
    }
  })

  test('ensure-other-scope-order-succeeds: scopes are accepted in any order', async () => {
    const { result, verifier } = await authorized(agent, { scope: 'payment:execute oid4ac:payment openid' })
    const { scope } = (await agent.redeem(result['code'] ?? '', verifier)).json
    expect(new Set(scope.split(' '))).toEqual(new Set(['openid', 'oid4ac:payment', 'payment:execute']))
  })

  test('ensure-authorization-request-with-long-state: a state of 1000 characters is returned unchanged', async () => {
    const state = Array.from({ length: 125 }, () => 'a+/=&%é~').join('')
    expect(state).toHaveLength(1_000)
    expect((await authorized(agent, { state })).result['state']).toBe(state)
  })

  test('state-only-outside-request-object-not-used: a state that was not pushed is not returned', async () => {
    const pushed = await agent.push({ ...(await agent.purchase()).form, state: undefined })
    const query = new URLSearchParams({
      client_id: agent.clientId,
      request_uri: pushed.json.request_uri,
      state: 'outside',
    })
    const { headers } = await exchange(`${app.baseUrl}/oauth/authorize?${query}`)
    const parameters = Object.fromEntries(new URL(headers.get('location') ?? '').searchParams)
    expect(parameters).toEqual({ code: expect.any(String), iss: app.baseUrl })
  })

  test.each([
    ['ensure-response-type-token-fails', 'token'],
    ['ensure-response-type-code-idtoken-fails', 'code id_token'],
  ])('%s', async (_module, responseType) => {
    expect(await errorOfPush({ response_type: responseType })).toEqual([400, 'unsupported_response_type'])
  })

  test.each(['GET', 'PUT', 'PATCH', 'DELETE'])('par-attempt-invalid-http-method: %s is 405', async (method) => {
    const answer = await exchange(`${app.baseUrl}/oauth/par`, { method })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  })
})

describe('the code and its key', () => {
  test('ensure-dpop-auth-code-binding-success: dpop_jkt names the key that signs both proofs', async () => {
    const { result, verifier } = await authorized(agent, { dpop_jkt: agent.dpopKey.jkt })
    expect((await agent.redeem(result['code'] ?? '', verifier)).status).toBe(200)
  })

  test('happy-flow: dpop_jkt does not replace the proof', async () => {
    const { form } = await agent.purchase()
    const answer = await agent.mint('/oauth/par', { ...form, dpop_jkt: agent.dpopKey.jkt }, { dpop: '' })
    expect([answer.status, answer.json['error']]).toEqual([400, 'invalid_dpop_proof'])
  })

  test('ensure-token-endpoint-fails-with-mismatched-dpop-jkt: a key other than that of dpop_jkt gets no token', async () => {
    const { result, verifier } = await authorized(agent, { dpop_jkt: agent.dpopKey.jkt })
    const other = new Agent(app, agent.clientId, agent.key, await newKey(), agent.principalId)
    const answer = await other.redeem(result['code'] ?? '', verifier)
    expect([answer.status, answer.json]).toMatchObject([400, { error: 'invalid_grant' }])
  })

  test('ensure-client-id-in-token-endpoint: a client_id that differs from the signer of the assertion is refused', async () => {
    const { result, verifier } = await authorized(agent)
    const second = { clientId: (await readyAgent(app)).clientId, key: agent.key }
    const form = { client_id: second.clientId, client_assertion: await clientAssertion(app, second) }
    const answer = await agent.redeem(result['code'] ?? '', verifier, form)
    expect([answer.status, answer.json]).toMatchObject([401, { error: 'invalid_client' }])
    expect((await agent.redeem(result['code'] ?? '', verifier)).status).toBe(200)
  })

  test('ensure-client-assertion-in-token-endpoint: a request without an assertion gets no token', async () => {
    const { result, verifier } = await authorized(agent)
    for (const assertion of [{ client_assertion: '' }, { client_assertion: '', client_assertion_type: undefined }]) {
      const answer = await agent.redeem(result['code'] ?? '', verifier, assertion)
      expect([answer.status, answer.json]).toMatchObject([401, { error: 'invalid_client' }])
    }
  })
})

describe('refresh tokens', () => {
  test('refresh-token: each client refreshes only its own tokens, authenticated and with its proof', async () => {
    const other = await readyAgent(app)
    const [mine, theirs] = [await agent.buy(), await other.buy()]
    const refused = async (answer: ReturnType<Agent['refresh']>) => {
      const { status, json } = await answer
      return [status, json]
    }
    expect(await refused(agent.refresh(mine.refresh_token, { client_assertion: '' }))).toMatchObject([
      401,
      { error: 'invalid_client' },
    ])
    const form = { grant_type: 'refresh_token', refresh_token: mine.refresh_token }
    const bare = await agent.mint('/oauth/token', form, { dpop: '' })
    expect([bare.status, bare.json['error']]).toEqual([400, 'invalid_dpop_proof'])
    expect(await refused(agent.refresh(theirs.refresh_token))).toMatchObject([400, { error: 'invalid_grant' }])
    expect(await refused(other.refresh(mine.refresh_token))).toMatchObject([400, { error: 'invalid_grant' }])
    for (const [one, tokens] of [
      [agent, mine],
      [other, theirs],
    ] as const) {
      const refreshed = await one.refresh(tokens.refresh_token, { scope: 'openid payment:execute oid4ac:payment' })
      expect(refreshed.json).toMatchObject({
        token_type: 'DPoP',
        refresh_token: expect.stringMatching(/^[\x20-\x7e]+$/),
      })
      expect(refreshed.json).not.toHaveProperty('id_token')
    }
  })
})

describe('docs/fapi-2.0.md', () => {
  const read = (file: string) => readFileSync(path.resolve(file), 'utf8')

  test('docs/fapi-2.0.md cites tests that exist', () => {
    const cited = [...read('docs/fapi-2.0.md').matchAll(/`([\w-]+\.test\.ts)`((?:,?\s+«[^»]+»)+)/g)]
    expect(cited.length).toBeGreaterThan(40)
    const missing = cited.flatMap(([, file = '', names = '']) => {
      const source = read(`test/oauth/${file}`)
      const cites = [...names.matchAll(/«([^»]+)»/g)].map(([, name = '']) => name)
      return cites.filter((name) => !source.includes(name)).map((name) => `${file}: ${name}`)
    })
    expect(missing).toEqual([])
  })
})
