import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
  REDIRECT_URI,
} from '../actors'
import { type App, startApp } from '../app'

let app: App
let principalId: string
let key: Key
beforeAll(async () => {
  app = await startApp()
  principalId = (await newPrincipal(app)).principalId
  key = await newKey()
})
afterAll(() => app.close())

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

describe('POST /oauth/register', () => {
  test('G1 everything registered comes back, defaults included; G8 what is unknown does not', async () => {
    const answer = await register(
      metadata({
        software_statement: await newSetupToken(app, principalId),
        client_name: 'Helper',
        purpose: 'Books',
        client_id: 'mine',
        logo_uri: 'https://x.example/l.png',
      }),
    )
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(answer.json).toEqual({
      client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      client_id_issued_at: expect.any(Number),
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

  test('G2 a missing, unknown, used or expired setup token is invalid_software_statement', async () => {
    const token = await newSetupToken(app, principalId)
    expect((await register(metadata({ setup_token: token }))).status).toBe(201)
    const late = await newSetupToken(app, principalId)
    app.clock.advance({ seconds: 86_401 })
    for (const statement of [undefined, 'x', 'y'.repeat(43), 7, token, late]) {
      expect(await errorOf(metadata({ software_statement: statement }))).toEqual([400, 'invalid_software_statement'])
    }
  })

  test('G3 of many with one setup token one wins', async () => {
    const token = await newSetupToken(app, principalId)
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => register(metadata({ software_statement: token }))),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(11)
  })

  test('G4, G5, G6, G7 bad metadata has its code and leaves the setup token usable', async () => {
    const token = await newSetupToken(app, principalId)
    const privateJwk = await exportJWK(key.privateKey)
    const rsa = await exportJWK((await generateKeyPair('RS256', { extractable: true })).publicKey)
    const uris = [
      undefined,
      [],
      'x',
      ['https://a.example/#f'],
      ['javascript:alert(1)'],
      ['http://a.example/cb'],
      ['https://*.example/'],
      ['https://u:p@a.example/'],
    ]
    for (const redirectUris of uris) {
      expect(await errorOf(metadata({ redirect_uris: redirectUris, software_statement: token }))).toEqual([
        400,
        'invalid_redirect_uri',
      ])
    }
    const bad: Record<string, unknown>[] = [
      { jwks: undefined },
      { jwks: { keys: [] } },
      { jwks: { keys: [privateJwk] } },
      { jwks: { keys: [rsa] } },
      { jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } },
      {
        jwks: {
          keys: [
            { ...key.jwk, kid: 'a' },
            { ...(await newKey()).jwk, kid: 'a' },
          ],
        },
      },
      { jwks_uri: 'https://a.example/jwks' },
      { token_endpoint_auth_method: 'none' },
      { grant_types: ['client_credentials'] },
      { grant_types: ['refresh_token'] },
      { response_types: ['token'] },
      { scope: 'openid admin' },
      { client_name: 'x'.repeat(201) },
      { client_name: 'Tallow\u202eskooB' },
    ]
    for (const more of bad) {
      expect(await errorOf(metadata({ ...more, software_statement: token })), JSON.stringify(more)).toEqual([
        400,
        'invalid_client_metadata',
      ])
    }
    expect((await register(metadata({ software_statement: token }))).status).toBe(201)
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

  test('G9 no JSON object is invalid_client_metadata; G13 other methods are 405', async () => {
    for (const body of ['{', '[]', '"x"', '']) expect(await errorOf(body)).toEqual([400, 'invalid_client_metadata'])
    expect(await errorOf('a=b', { 'content-type': 'application/x-www-form-urlencoded' })).toEqual([
      400,
      'invalid_client_metadata',
    ])
    const answer = await exchange(`${app.baseUrl}/oauth/register/x`, { method: 'DELETE' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })
})

describe('GET /oauth/register/{client_id}', () => {
  test('G11, G14 the holder reads what was registered, with the same token', async () => {
    const { json } = await register(metadata({ software_statement: await newSetupToken(app, principalId) }))
    const again = await read(json['client_id'] ?? '', json['registration_access_token'], 'bearer')
    expect([again.status, again.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(again.json).toEqual(json)
  })

  test('G12 no token, a wrong one, another client and an unknown client are 401', async () => {
    const one = (await register(metadata({ software_statement: await newSetupToken(app, principalId) }))).json
    const two = (await register(metadata({ software_statement: await newSetupToken(app, principalId) }))).json
    const without = await read(one['client_id'] ?? '')
    expect([without.status, without.headers.get('www-authenticate')]).toEqual([401, `Bearer realm="${app.baseUrl}"`])
    const foreign = await read(one['client_id'] ?? '', two['registration_access_token'])
    const unknown = await read('nobody', two['registration_access_token'])
    expect([foreign.status, foreign.text]).toEqual([unknown.status, unknown.text])
    expect(foreign.headers.get('www-authenticate')).toContain('error="invalid_token"')
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

  test('a wallet client mints for its people, and creates those whom nobody has', async () => {
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

  test('without proof, with a bad key, or without principal it refuses in the documented words', async () => {
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
