import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import {
  ALL_SCOPES,
  clientAssertion,
  dpopProof,
  exchange,
  type Key,
  newKey,
  newPrincipal,
  newSetupToken,
  newWalletClient,
  Person,
  REDIRECT_URI,
} from '../support/actors'
import type { App } from '../support/app'
import { withApp } from './setup'

let app: App
let principalId: string
let key: Key
withApp(async (started) => {
  app = started
  principalId = (await newPrincipal(app)).principalId
  key = await newKey()
})

const metadata = (more: Record<string, unknown> = {}) => ({
  redirect_uris: [REDIRECT_URI],
  jwks: { keys: [{ ...key.jwk, kid: 'k1' }] },
  token_endpoint_auth_method: 'private_key_jwt',
  ...more,
})

async function register(body: unknown, headers: Record<string, string> = {}) {
  return exchange<Record<string, never>>(`${app.baseUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}
const errorOf = async (body: unknown, headers?: Record<string, string>) => {
  const answer = await register(body, headers)
  return [answer.status, answer.json['error']]
}
const read = (clientId: string, token?: string, scheme = 'Bearer') =>
  exchange(`${app.baseUrl}/oauth/register/${clientId}`, {
    headers: token === undefined ? {} : { authorization: `${scheme} ${token}` },
  })

const setupToken = () => newSetupToken(app, principalId)
const registered = async (more: Record<string, unknown> = {}) => {
  const answer = await register(metadata({ software_statement: await setupToken(), ...more }))
  expect(answer.status, answer.text).toBe(201)
  return answer.json as Record<string, string>
}

describe('POST /oauth/register', () => {
  test('G1 a registration returns everything registered, defaults included, and no secret', async () => {
    const seconds = () => Math.floor(app.clock.now().getTime() / 1000)
    const before = seconds()
    const answer = await register(
      metadata({ software_statement: await setupToken(), client_name: 'Helper', purpose: 'Books' }),
    )
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store'])
    const { client_id_issued_at: issuedAt } = answer.json
    // Seconds may pass while the answer is under way.
    expect(issuedAt).toBeGreaterThanOrEqual(before)
    expect(issuedAt).toBeLessThanOrEqual(seconds())
    expect(answer.json).toEqual({
      client_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      client_id_issued_at: issuedAt,
      registration_access_token: expect.stringMatching(/^[\w-]{43}$/),
      registration_client_uri: `${app.baseUrl}/oauth/register/${answer.json['client_id']}`,
      principal_id: principalId,
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'private_key_jwt',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'openid oid4ac:payment payment:execute',
      jwks: { keys: [{ ...key.jwk, kid: 'k1' }] },
      client_name: 'Helper',
      purpose: 'Books',
    })
  })

  test('G1 a registration keeps the requested values instead of the defaults', async () => {
    const asked = {
      redirect_uris: ['https://agent.example/cb?a=b', 'http://[::1]/cb'],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      scope: 'wallet:read audit:read',
    }
    expect(await registered(asked)).toMatchObject(asked)
  })

  test.each<[string, () => unknown]>([
    ['missing', () => undefined],
    ['unknown', () => 'y'.repeat(43)],
    ['malformed', () => 'x'],
    ['no text', () => 7],
    ['a list', () => ['y'.repeat(43)]],
  ])('G2 a setup token that is %s is invalid_software_statement', async (_what, statement) => {
    expect(await errorOf(metadata({ software_statement: statement() }))).toEqual([400, 'invalid_software_statement'])
  })

  test('G2 a used setup token is invalid_software_statement under either name', async () => {
    const token = await setupToken()
    expect((await register(metadata({ setup_token: token }))).status).toBe(201)
    for (const name of ['software_statement', 'setup_token']) {
      expect(await errorOf(metadata({ [name]: token }))).toEqual([400, 'invalid_software_statement'])
    }
  })

  test('G2 a setup token is valid for 24 hours', async () => {
    const [first, second] = [await setupToken(), await setupToken()]
    app.clock.advance({ seconds: 86_390 })
    expect((await register(metadata({ software_statement: first }))).status).toBe(201)
    app.clock.advance({ seconds: 11 })
    expect(await errorOf(metadata({ software_statement: second }))).toEqual([400, 'invalid_software_statement'])
  })

  test.each(['erased', 'processing_restricted'])(
    'G2 the setup token of a person who is %s is refused',
    async (state) => {
      const person = (await newPrincipal(app)).principalId
      const token = await newSetupToken(app, person)
      await app.platform.db.query(sql`UPDATE principals SET ${sql.raw(state)} = true WHERE id = ${person}`)
      expect(await errorOf(metadata({ software_statement: token }))).toEqual([400, 'invalid_software_statement'])
    },
  )

  test('G2 the client is bound to the person of the setup token, even if the body names another', async () => {
    const other = (await newPrincipal(app)).principalId
    expect((await registered({ principal_id: other }))['principal_id']).toBe(principalId)
  })

  test('G3 of many parallel registrations with one setup token exactly one succeeds', async () => {
    const token = await setupToken()
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => register(metadata({ software_statement: token }))),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(11)
    const clients = await app.platform.db.query(
      sql`SELECT c.id FROM clients c JOIN setup_tokens t ON t.consumed_by = c.id WHERE t.token_hash = ${createHash('sha256').update(token).digest('base64url')}`,
    )
    expect(clients).toHaveLength(1)
  })

  test('a setup token may narrow the scopes', async () => {
    const token = await newSetupToken(app, principalId, 'openid oid4ac:payment')
    expect(await errorOf(metadata({ software_statement: token, scope: ALL_SCOPES }))).toEqual([
      400,
      'invalid_client_metadata',
    ])
    const answer = await register(metadata({ software_statement: token, scope: 'openid oid4ac:payment' }))
    expect(answer.json['scope']).toBe('openid oid4ac:payment')
  })
})

describe('metadata that is refused', () => {
  let token: string
  let rsa: JWK[]
  let privateJwk: JWK
  let secondKey: Key
  beforeAll(async () => {
    token = await setupToken()
    const pairs = await Promise.all([
      generateKeyPair('RS256', { extractable: true }),
      generateKeyPair('RS256', { extractable: true, modulusLength: 2048 }),
    ])
    rsa = await Promise.all(pairs.map(({ publicKey }) => exportJWK(publicKey)))
    privateJwk = await exportJWK(key.privateKey)
    secondKey = await newKey()
  })

  test.each<[string, unknown]>([
    ['missing', undefined],
    ['null', null],
    ['empty', []],
    ['no list', 'https://a.example/cb'],
    ['of no texts', [7]],
    ['with a fragment', ['https://a.example/#f']],
    ['with an empty fragment', ['https://a.example/#']],
    ['of another scheme', ['javascript:alert(1)']],
    ['data', ['data:text/html,x']],
    ['an app scheme', ['com.example.app:/cb']],
    ['plain http', ['http://a.example/cb']],
    ['plain http at a name that only looks local', ['http://localhost.a.example/cb']],
    ['with a wildcard', ['https://*.example/']],
    ['with userinfo', ['https://u:p@a.example/']],
    ['relative', ['/cb']],
    ['with code', ['https://a.example/cb?code=1']],
    ['with an encoded state', ['https://a.example/cb?a=1&st%61te=']],
    ['with iss', ['https://a.example/cb?iss']],
    ['with error on a loopback host', ['http://127.0.0.1:8765/cb?error=x']],
    ['one good and one bad', [REDIRECT_URI, 'http://a.example/cb']],
    ['too many', Array.from({ length: 11 }, (_, index) => `https://a.example/${index}`)],
  ])('G5 redirect_uris %s is invalid_redirect_uri', async (_what, uris) => {
    const body = metadata({ redirect_uris: uris, software_statement: token })
    expect(await errorOf(body)).toEqual([400, 'invalid_redirect_uri'])
  })

  const x = 'A'.repeat(43)
  test.each<[string, () => Record<string, unknown>]>([
    ['no jwks', () => ({ jwks: undefined })],
    ['no keys', () => ({ jwks: { keys: [] } })],
    ['jwks that is no key set', () => ({ jwks: [key.jwk] })],
    ['a private key', () => ({ jwks: { keys: [privateJwk] } })],
    ['a symmetric key', () => ({ jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } })],
    ['RSA keys', () => ({ jwks: { keys: rsa } })],
    ['Ed448', () => ({ jwks: { keys: [{ kty: 'OKP', crv: 'Ed448', x: 'A'.repeat(76) }] } })],
    ['X25519', () => ({ jwks: { keys: [{ kty: 'OKP', crv: 'X25519', x }] } })],
    ['P-384', () => ({ jwks: { keys: [{ kty: 'EC', crv: 'P-384', x: 'A'.repeat(64), y: 'A'.repeat(64) }] } })],
    ['a point off its curve', () => ({ jwks: { keys: [{ kty: 'EC', crv: 'P-256', x, y: x }] } })],
    ['a truncated key', () => ({ jwks: { keys: [{ ...key.jwk, x: 'AAAA' }] } })],
    ['a key for encryption', () => ({ jwks: { keys: [{ ...key.jwk, use: 'enc' }] } })],
    [
      'a kid twice',
      () => ({
        jwks: {
          keys: [
            { ...key.jwk, kid: 'a' },
            { ...secondKey.jwk, kid: 'a' },
          ],
        },
      }),
    ],
    ['eleven keys', () => ({ jwks: { keys: Array.from({ length: 11 }, () => key.jwk) } })],
    ['jwks and jwks_uri', () => ({ jwks_uri: 'https://a.example/jwks' })],
  ])('G6 %s is invalid_client_metadata', async (_what, more) => {
    const body = metadata({ ...more(), software_statement: token })
    expect(await errorOf(body)).toEqual([400, 'invalid_client_metadata'])
  })

  test.each<[string, Record<string, unknown>]>([
    ['no authentication', { token_endpoint_auth_method: 'none' }],
    ['client_secret_basic', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['client_secret_post', { token_endpoint_auth_method: 'client_secret_post' }],
    ['client_secret_jwt', { token_endpoint_auth_method: 'client_secret_jwt' }],
    ['tls_client_auth', { token_endpoint_auth_method: 'tls_client_auth' }],
    ['another grant', { grant_types: ['client_credentials'] }],
    ['another grant beside ours', { grant_types: ['authorization_code', 'implicit'] }],
    ['code without its grant', { grant_types: ['refresh_token'], response_types: ['code'] }],
    ['no grants', { grant_types: [] }],
    ['grants that are no list', { grant_types: 'authorization_code' }],
    ['the grant without code', { grant_types: ['authorization_code'], response_types: ['none'] }],
    ['another response type', { response_types: ['token'] }],
    ['another response type beside ours', { response_types: ['code', 'code id_token'] }],
    ['no response types', { response_types: [] }],
    ['an unknown scope', { scope: 'openid admin' }],
    ['scopes as a list', { scope: ['openid'] }],
    ['a name of 201 characters', { client_name: 'x'.repeat(201) }],
    ['a name that turns its direction', { client_name: 'Tallow\u202eskooB' }],
    ['a name that is no text', { client_name: { en: 'x' } }],
    ['a purpose of 501 characters', { purpose: 'x'.repeat(501) }],
  ])('G7 %s is invalid_client_metadata', async (_what, more) => {
    expect(await errorOf(metadata({ ...more, software_statement: token }))).toEqual([400, 'invalid_client_metadata'])
  })

  test('G10 a jwks_uri is refused and never fetched', async () => {
    let visits = 0
    const server = createServer((_request, response) => {
      visits += 1
      response.end(JSON.stringify({ keys: [key.jwk] }))
    })
    await new Promise<void>((resolve) => server.listen(0, resolve))
    const jwksUri = `http://localhost:${(server.address() as AddressInfo).port}/jwks`
    for (const jwks of [undefined, { keys: [key.jwk] }]) {
      const body = metadata({ jwks, jwks_uri: jwksUri, software_statement: token })
      expect(await errorOf(body)).toEqual([400, 'invalid_client_metadata'])
    }
    server.close()
    expect(visits).toBe(0)
  })

  test('G4 none of these refusals has consumed the setup token', async () => {
    expect((await register(metadata({ software_statement: token }))).status).toBe(201)
  })
})

describe('registration over HTTP', () => {
  test('G8 unknown metadata is ignored, and members that only the server sets cannot be sent', async () => {
    const mine = {
      client_id: 'mine',
      client_secret: 'secret',
      client_id_issued_at: 1,
      registration_access_token: 'z'.repeat(43),
      registration_client_uri: 'https://else.example',
      logo_uri: 'https://x.example/l.png',
      'client_name#de': 'Helfer',
      constructor: 'x',
    }
    const answer = await registered(mine)
    for (const [name, value] of Object.entries(mine)) expect(answer[name], name).not.toBe(value)
    expect(Object.keys(answer)).not.toContain('logo_uri')
    expect(Object.keys(answer)).not.toContain('client_secret')
    expect((await read(answer['client_id'] ?? '', mine.registration_access_token)).status).toBe(401)
  })

  test.each(['{', '[]', '"x"', 'null', '7', '', '{"a":"\\ud800"}'])(
    'G9 the body %j is invalid_client_metadata',
    async (body) => {
      expect(await errorOf(body)).toEqual([400, 'invalid_client_metadata'])
    },
  )

  test.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'])(
    'G9 a body of type %s is invalid_client_metadata',
    async (type) => {
      expect(await errorOf('a=b', { 'content-type': type })).toEqual([400, 'invalid_client_metadata'])
    },
  )

  test.each(['PUT', 'PATCH', 'DELETE'])('G13 %s cannot change a registration', async (method) => {
    const { client_id: id, registration_access_token: token } = await registered()
    const own = await exchange(`${app.baseUrl}/oauth/register/${id}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
    })
    expect([own.status, own.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    const all = await exchange(`${app.baseUrl}/oauth/register`, { method })
    expect([all.status, all.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
    expect((await read(id ?? '', token)).status).toBe(200)
  })
})

describe('GET /oauth/register/{client_id}', () => {
  test.each(['Bearer', 'bearer', 'BEARER'])(
    'G11, G14 the holder of the token reads the registration under the scheme %s',
    async (scheme) => {
      const answer = await registered({ client_name: 'Helper' })
      const again = await read(answer['client_id'] ?? '', answer['registration_access_token'], scheme)
      expect([again.status, again.headers.get('cache-control')]).toEqual([200, 'no-store'])
      expect(again.json).toEqual(answer)
    },
  )

  test('G12 a request without a token gets a Bearer challenge without an error code', async () => {
    const { client_id: id } = await registered()
    const without = await read(id ?? '')
    expect([without.status, without.headers.get('www-authenticate')]).toEqual([401, `Bearer realm="${app.baseUrl}"`])
  })

  test("G12 a wrong token and another client's token are answered as for an unknown client, and nothing is revoked", async () => {
    const one = await registered()
    const two = await registered()
    const unknown = await read('nobody', two['registration_access_token'])
    for (const token of [two['registration_access_token'], 'y'.repeat(43), 'x', '']) {
      const answer = await read(one['client_id'] ?? '', token)
      expect([answer.status, answer.text]).toEqual([401, unknown.text])
      expect(answer.headers.get('www-authenticate')).toBe(unknown.headers.get('www-authenticate'))
    }
    expect(unknown.status).toBe(401)
    expect(unknown.headers.get('www-authenticate')).toBe(`Bearer realm="${app.baseUrl}", error="invalid_token"`)
    expect((await read(two['client_id'] ?? '', two['registration_access_token'])).status).toBe(200)
  })

  test('G12 another scheme and the token of a revoked agent are refused', async () => {
    const one = await registered()
    const scheme = await read(one['client_id'] ?? '', one['registration_access_token'], 'DPoP')
    expect([scheme.status, scheme.json['error']]).toEqual([401, 'invalid_token'])
    const person = await Person.signIn(app, principalId)
    await person.call('POST', `/wallet/agents/${one['client_id']}/revoke`)
    const revoked = await read(one['client_id'] ?? '', one['registration_access_token'])
    expect([revoked.status, revoked.json['error']]).toEqual([401, 'invalid_token'])
  })
})

describe('POST /wallet/setup-tokens', () => {
  type Wallet = Awaited<ReturnType<typeof newWalletClient>>
  async function mint(wallet: Wallet, body: Record<string, unknown>, withProof = true) {
    const url = `${app.baseUrl}/wallet/setup-tokens`
    const dpop = await newKey()
    const send = async (nonce?: string) =>
      exchange(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(withProof ? { dpop: await dpopProof(app, dpop, { method: 'POST', url, nonce }) } : {}),
        },
        body: JSON.stringify({
          client_id: wallet.clientId,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: await clientAssertion(app, wallet),
          ...body,
        }),
      })
    const first = await send()
    return withProof ? send(first.headers.get('dpop-nonce') ?? '') : first
  }

  test('a wallet client mints setup tokens for its people and creates people that do not exist yet', async () => {
    const wallet = await newWalletClient(app)
    const answer = await mint(wallet, { principal_id: 'person-of-the-wallet' })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store'])
    const token = String(answer.json['setup_token'])
    expect(answer.json).toEqual({
      setup_token: expect.stringMatching(/^[\w-]{43}$/),
      expires_in: 86_400,
      qr_payload: `oid4ac://register?setup_token=${token}`,
    })
    expect((await register(metadata({ software_statement: token }))).json['principal_id']).toBe('person-of-the-wallet')
    const other = await mint(await newWalletClient(app), { principal_id: 'person-of-the-wallet' })
    expect([other.status, other.json['error']]).toEqual([404, 'not_found'])
  })

  test('a setup-token request without proof, with a bad key or without principal gets the documented error', async () => {
    const wallet = await newWalletClient(app)
    expect((await mint(wallet, { principal_id: 'p' }, false)).json).toMatchObject({ error: 'invalid_dpop_proof' })
    expect((await mint({ ...wallet, key: await newKey() }, { principal_id: 'p' })).json).toMatchObject({
      error: 'invalid_client',
    })
    const missing = await mint(wallet, {})
    expect([missing.status, missing.json['detail']]).toMatchObject([
      422,
      [{ loc: ['body', 'principal_id'], type: 'missing' }],
    ])
    const es256 = { clientId: wallet.clientId, key: await newKey('ES256') }
    expect((await mint(es256, { principal_id: 'p' })).json).toMatchObject({ error: 'invalid_client' })
  })
})
