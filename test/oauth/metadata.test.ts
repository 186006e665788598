import { calculateJwkThumbprint, createLocalJWKSet, decodeJwt, type JSONWebKeySet, type JWK, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import {
  Agent,
  ALL_SCOPES,
  askAboutToken,
  exchange,
  type Key,
  newKey,
  operate,
  Person,
  REDIRECT_URI,
} from '../support/actors'
import type { App } from '../support/app'
import { readyAgent, withApp } from './setup'

const METADATA = '/.well-known/oauth-authorization-server'
const JWKS = ['/oauth/jwks.json', '/.well-known/jwks.json'] as const
const documents = [METADATA, ...JWKS, '/.well-known/jwt-vc-issuer', '/vct/payment-mandate/1']
const methodsOfClients = ['private_key_jwt']
const algorithms = ['EdDSA', 'Ed25519', 'ES256'] as const

let app: App
const get = <T = Record<string, unknown>>(path: string, headers: Record<string, string> = {}) =>
  exchange<T>(app.baseUrl + path, { headers })

/** Starts the one service that the tests of a block talk to. */
const serve = (env: Record<string, string> = {}) =>
  withApp((started) => {
    app = started
  }, env)

describe('behind a public address', () => {
  serve({ BASE_URL: 'https://pay.example.com/', SANDBOX_PUBLIC: 'true' })

  test('M1 issuer and endpoints are the configured ones, also when headers name another host', async () => {
    const answer = await exchange(`http://127.0.0.1:${app.platform.config.port}${METADATA}`, {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http', forwarded: 'host=evil.example' },
    })
    expect([answer.status, answer.json['issuer']]).toEqual([200, 'https://pay.example.com'])
    const addresses = Object.entries(answer.json).filter(([name]) => /_(endpoint|uri|documentation)$/.test(name))
    expect(addresses.length).toBeGreaterThan(7)
    for (const [name, address] of addresses) {
      expect(String(address), name).toMatch(/^https:\/\/pay\.example\.com\/[a-z]/)
    }
  })
})

describe('the metadata', () => {
  serve()

  test('M1 the issuer of the metadata is that of every token and redirect, to the letter', async () => {
    const answer = await get(METADATA)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
    const { issuer } = answer.json
    expect(issuer).toBe(app.baseUrl)
    const agent = await newAgent()
    const { form, verifier } = await agent.purchase()
    const { result } = await agent.authorize((await agent.push(form)).json.request_uri)
    const tokens = (await agent.redeem(result['code'] ?? '', verifier)).json
    const mandate = tokens.mandate_jwt.split('~')[0] ?? ''
    expect([result['iss'], decodeJwt(tokens.access_token).iss, decodeJwt(mandate).iss]).toEqual([
      issuer,
      issuer,
      issuer,
    ])
  })

  test('M2 the metadata lists exactly what the server offers', async () => {
    const base = app.baseUrl
    expect((await get(METADATA)).json).toEqual({
      issuer: base,
      authorization_endpoint: `${base}/oauth/authorize`,
      token_endpoint: `${base}/oauth/token`,
      jwks_uri: `${base}/oauth/jwks.json`,
      registration_endpoint: `${base}/oauth/register`,
      introspection_endpoint: `${base}/oauth/introspect`,
      revocation_endpoint: `${base}/oauth/revoke`,
      pushed_authorization_request_endpoint: `${base}/oauth/par`,
      require_pushed_authorization_requests: true,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:pre-authorized_code',
      ],
      'pre-authorized_grant_anonymous_access_supported': true,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: methodsOfClients,
      token_endpoint_auth_signing_alg_values_supported: algorithms,
      introspection_endpoint_auth_methods_supported: methodsOfClients,
      introspection_endpoint_auth_signing_alg_values_supported: algorithms,
      revocation_endpoint_auth_methods_supported: methodsOfClients,
      revocation_endpoint_auth_signing_alg_values_supported: algorithms,
      dpop_signing_alg_values_supported: algorithms,
      authorization_response_iss_parameter_supported: true,
      authorization_details_types_supported: ['oid4ac_mandate', 'oid4ac_wallet'],
      scopes_supported: ALL_SCOPES.split(' '),
      acr_values_supported: ['urn:oid4ac:acr:phr', 'urn:oid4ac:acr:mail', 'urn:oid4ac:acr:rule'],
      status_list_aggregation_endpoint: `${base}/oauth/status-list`,
      service_documentation: `${base}/docs/oauth`,
    })
  })

  test.each([
    ['GET', 'authorization_endpoint', 400],
    ['POST', 'token_endpoint', 400],
    ['GET', 'jwks_uri', 200],
    ['POST', 'registration_endpoint', 400],
    ['POST', 'introspection_endpoint', 401],
    ['POST', 'revocation_endpoint', 401],
    ['POST', 'pushed_authorization_request_endpoint', 400],
    ['GET', 'status_list_aggregation_endpoint', 200],
    ['GET', 'service_documentation', 200],
  ])('M3 a %s request to the advertised %s is answered', async (method, name, status) => {
    const address = String((await get(METADATA)).json[name])
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'x=1' }
    const answer = await exchange(address, { method, ...(method === 'GET' ? {} : form) })
    expect(answer.status, answer.text).toBe(status)
    const error = status === 200 ? undefined : expect.stringMatching(/^(invalid_|use_dpop_nonce)/)
    expect(answer.json['error']).toEqual(error)
  })

  test('M3 every advertised endpoint is covered by these tests', async () => {
    const names = Object.keys((await get(METADATA)).json).filter((name) => /_(endpoint|uri|documentation)$/.test(name))
    expect(names.toSorted()).toEqual([
      'authorization_endpoint',
      'introspection_endpoint',
      'jwks_uri',
      'pushed_authorization_request_endpoint',
      'registration_endpoint',
      'revocation_endpoint',
      'service_documentation',
      'status_list_aggregation_endpoint',
      'token_endpoint',
    ])
  })

  test.each(algorithms)('M3 assertions and proofs signed with %s work from PAR to revocation', async (alg) => {
    const [key, dpopKey] = await Promise.all([newKey(alg), newKey(alg)])
    const agent = await newAgent({ key, dpopKey })
    const tokens = await agent.buy()
    const refreshed = await agent.refresh(tokens.refresh_token)
    expect(refreshed.status, refreshed.text).toBe(200)
    const settled = await agent.settle(refreshed.json.access_token, tokens.mandate_jwt, `alg-${alg}`)
    expect(settled.status, settled.text).toBe(200)
    const token = refreshed.json.access_token
    const asked = await askAboutToken(app, 'introspect', agent, { token, client_id: agent.clientId })
    expect(asked.json['active']).toBe(true)
    expect((await askAboutToken(app, 'revoke', agent, { token })).status).toBe(200)
  })

  test('M3 every advertised scope and authorization_details type can be granted', async () => {
    const { scopes_supported: scopes } = (await get<{ scopes_supported: string[] }>(METADATA)).json
    const agent = await newAgent()
    const payment = await agent.buy()
    const person = await Person.signIn(app, agent.principalId)
    const walletScopes = scopes.filter((scope) => !payment.scope.split(' ').includes(scope))
    const { form, verifier } = await agent.walletAccess(walletScopes.join(' '))
    const pushed = await agent.push(form)
    await person.decide((await person.pending())[0]?.['authorization_id'], 'approve')
    const { result } = await agent.authorize(pushed.json.request_uri)
    const access = (await agent.redeem(result['code'] ?? '', verifier)).json
    expect(`${payment.scope} ${access.scope}`.split(' ').toSorted()).toEqual(scopes.toSorted())
    const types = [...payment.authorization_details, ...access.authorization_details].map(({ type }) => type)
    expect(types).toEqual(['oid4ac_mandate', 'oid4ac_wallet'])
  })

  test('M3 authorize answers in the query with iss, and refuses a request that was not pushed', async () => {
    const agent = await newAgent()
    const { form } = await agent.purchase()
    const { location, result } = await agent.authorize((await agent.push(form)).json.request_uri)
    expect(location).toMatch(new RegExp(`^${REDIRECT_URI}\\?[^#]+$`))
    expect(Object.keys(result).toSorted()).toEqual(['code', 'iss', 'state'])
    const { resource: _, ...plain } = form
    const query = new URLSearchParams({ ...plain, client_id: agent.clientId })
    const unpushed = await exchange(`${app.baseUrl}/oauth/authorize?${query}`)
    expect([unpushed.status, unpushed.json['error']]).toEqual([400, 'invalid_request'])
  })

  test.each([
    ['response_type', 'token', 'unsupported_response_type'],
    ['code_challenge_method', 'plain', 'invalid_request'],
    ['scope', 'openid profile', 'invalid_scope'],
    ['authorization_details', '[{"type":"payment_initiation"}]', 'invalid_authorization_details'],
  ])('M3 a parameter value that is not advertised fails: %s %s', async (name, value, error) => {
    const agent = await newAgent()
    const answer = await agent.push({ ...(await agent.purchase()).form, [name]: value })
    expect([answer.status, answer.json]).toMatchObject([400, { error }])
  })

  test.each(documents)('M4 %s can be read from any origin, cached and revalidated', async (path) => {
    const answer = await get(path, { origin: 'https://app.example' })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
    const etag = answer.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{43}"$/)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, `"other",W/${etag}`, '*']) {
      const again = await get(path, { 'if-none-match': known })
      expect([known, again.status, again.text, again.headers.get('etag')]).toEqual([known, 304, '', etag])
      expect(again.headers.get('access-control-allow-origin')).toBe('*')
      // RFC 9110 section 8.6: it would have to be the length of what a 200 sends.
      expect(again.headers.get('content-length')).toBeNull()
    }
    for (const known of ['"other"', 'W/"other"', etag.slice(1, -1), `${etag.slice(0, -1)}x"`]) {
      expect((await get(path, { 'if-none-match': known })).status, known).toBe(200)
    }
  })
})

describe('the key sets', () => {
  serve()

  test('K1 both key set addresses publish the same public Ed25519 keys and no private members', async () => {
    const [one, two] = await Promise.all(JWKS.map((path) => get<JSONWebKeySet>(path)))
    expect(two?.json).toEqual(one?.json)
    const keys: JWK[] = one?.json.keys ?? []
    expect(Object.keys(one?.json ?? {})).toEqual(['keys'])
    expect(keys.length).toBeGreaterThan(0)
    for (const jwk of keys) {
      expect(jwk).toEqual({
        kty: 'OKP',
        crv: 'Ed25519',
        x: expect.stringMatching(/^[\w-]{43}$/),
        kid: await calculateJwkThumbprint(jwk),
        use: 'sig',
        alg: 'EdDSA',
      })
    }
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length)
  })

  test.each(JWKS)('K1 %s has the media type of a key set and a maximum age', async (path) => {
    const { headers } = await get(path)
    expect(headers.get('content-type')).toMatch(/^application\/(jwk-set\+)?json$/)
    expect(headers.get('cache-control')).toBe('public, max-age=300')
  })

  test('K2 a key set fetched before a rotation verifies what is signed after it, and the reverse', async () => {
    const agent = await newAgent()
    const before = await agent.buy()
    const old = await get<JSONWebKeySet>(JWKS[0])
    expect((await operate(app, 'POST', '/signing-keys/rotate', {})).status).toBe(200)
    const after = await agent.buy()
    const fresh = await get<JSONWebKeySet>(JWKS[0])
    expect(fresh.headers.get('etag')).not.toBe(old.headers.get('etag'))
    for (const { json } of [old, fresh]) {
      for (const { access_token: token, mandate_jwt: mandate } of [before, after]) {
        const set = createLocalJWKSet(json)
        expect((await jwtVerify(token, set, { typ: 'at+jwt' })).payload.iss).toBe(app.baseUrl)
        expect((await jwtVerify(mandate.split('~')[0] ?? '', set)).payload.iss).toBe(app.baseUrl)
      }
    }
  })

  test('K2 the key of an access token is published until the token expires, the key of a mandate for ever', async () => {
    const agent = await newAgent()
    const tokens = await agent.buy()
    const mandate = tokens.mandate_jwt.split('~')[0] ?? ''
    await operate(app, 'POST', '/signing-keys/rotate', {})
    const check = async (token: string) =>
      jwtVerify(token, createLocalJWKSet((await get<JSONWebKeySet>(JWKS[0])).json), {
        currentDate: new Date((decodeJwt(token).iat ?? 0) * 1000),
      })
    app.clock.advance({ seconds: 300 })
    expect((await check(tokens.access_token)).payload.iss).toBe(app.baseUrl)
    app.clock.advance({ seconds: 86_400 })
    await expect(check(tokens.access_token)).rejects.toThrow('no applicable key')
    expect((await check(mandate)).payload.iss).toBe(app.baseUrl)
  })

  test.each(JWKS)('K3 %s answers HEAD without a body and refuses methods that would change it', async (path) => {
    const [whole, head] = [await get(path), await exchange(app.baseUrl + path, { method: 'HEAD' })]
    expect([head.status, head.text]).toEqual([200, ''])
    for (const name of ['content-type', 'cache-control', 'etag', 'access-control-allow-origin']) {
      expect(head.headers.get(name)).toBe(whole.headers.get(name))
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await exchange(app.baseUrl + path, { method })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    }
  })
})

async function newAgent(keys?: { key: Key; dpopKey: Key }): Promise<Agent> {
  if (keys === undefined) return readyAgent(app)
  const { clientId, principalId } = await readyAgent(app, { metadata: { jwks: { keys: [keys.key.jwk] } } })
  return new Agent(app, clientId, keys.key, keys.dpopKey, principalId)
}
