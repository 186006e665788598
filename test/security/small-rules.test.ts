/** Decisions D29, D33 and C20: types and blanks in headers, redirect URIs, doubled parameters, and resources. */
import { describe, expect, test } from 'vitest'
import { readyAgent, withApp } from '../oauth/setup'
import {
  type Agent,
  askAboutToken,
  clientAssertion,
  dpopProof,
  exchange,
  handmadeJws,
  newKey,
  newPrincipal,
  newSetupToken,
  Person,
} from '../support/actors'
import type { App } from '../support/app'

let app: App
let agent: Agent
withApp(async (started) => {
  app = started
  agent = await readyAgent(app)
})

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe('the typ of a JWT', () => {
  test.each(['dpop+jwt', 'DPoP+JWT', 'application/dpop+jwt', 'APPLICATION/DPOP+JWT'])(
    'D29 a proof of typ %s is taken',
    async (typ) => {
      const { form } = await agent.purchase()
      const url = `${app.baseUrl}/oauth/par`
      const dpop = await agent.proof('POST', url, { nonce: await agent.freshNonce(), header: { typ } })
      const pushed = await agent.mint('/oauth/par', form, { dpop })
      expect(pushed.status, pushed.text).toBe(201)
    },
  )

  test.each(['JWT', 'jwt', 'application/jwt', 'Client-Authentication+JWT', 'application/client-authentication+jwt'])(
    'D29 an assertion of typ %s is taken',
    async (typ) => {
      const { form } = await agent.purchase()
      const pushed = await agent.mint('/oauth/par', {
        ...form,
        client_assertion: await clientAssertion(app, agent, {}, { typ }),
      })
      expect(pushed.status, pushed.text).toBe(201)
    },
  )

  test.each(['KB+JWT', 'application/kb+jwt'])('D29 a key binding of typ %s is taken', async (typ) => {
    const { mandate_jwt: mandate, merchant } = await agent.buy()
    const { nonce } = (await exchange<{ nonce: string }>(`${app.baseUrl}/merchant_test/nonce`)).json
    const sd_hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(mandate))).toString('base64url')
    const claims = { iat: Math.floor(app.clock.now().getTime() / 1000), aud: merchant, nonce, sd_hash }
    const presentation = mandate + handmadeJws({ alg: 'EdDSA', typ }, claims, agent.dpopKey)
    const verified = await exchange(`${app.baseUrl}/merchant_test/verify-mandate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ presentation, line_items: [{ sku: 'book', qty: 1, unit_price_minor: 1200 }] }),
    })
    expect([verified.status, verified.text]).toEqual([200, expect.stringContaining('mandate_id')])
  })
})

describe('the Authorization header', () => {
  test.each([1, 2, 9])('D29 %i spaces after the scheme are taken', async (count) => {
    const blanks = ' '.repeat(count)
    const person = await Person.signIn(app, agent.principalId)
    const url = `${app.baseUrl}/wallet/limits`
    const dpop = await dpopProof(app, person.key, { method: 'GET', url, accessToken: person.token })
    const limits = await exchange(url, { headers: { authorization: `DPoP${blanks}${person.token}`, dpop } })
    expect(limits.status, limits.text).toBe(200)
    const operator = { authorization: `Bearer${blanks}${app.operatorToken}` }
    expect((await exchange(`${app.baseUrl}/operator/switches`, { headers: operator })).status).toBe(200)
    const registered = await register({})
    const { client_id: id, registration_access_token: token } = registered.json
    const headers = { authorization: `bearer${blanks}${token}` }
    expect((await exchange(`${app.baseUrl}/oauth/register/${id}`, { headers })).status).toBe(200)
  })

  test('D29 two tokens after the scheme are refused', async () => {
    const headers = { authorization: `Bearer ${app.operatorToken} x` }
    expect((await exchange(`${app.baseUrl}/operator/switches`, { headers })).status).toBe(401)
  })
})

async function register(metadata: Record<string, unknown>) {
  const { principalId } = await newPrincipal(app)
  const key = await newKey()
  return exchange<Record<string, string>>(`${app.baseUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: ['https://a.example/cb?keep=1&codes=2'],
      jwks: { keys: [key.jwk] },
      software_statement: await newSetupToken(app, principalId),
      ...metadata,
    }),
  })
}

describe('a registered redirect URI', () => {
  test.each(['code', 'state', 'iss', 'error', 'c%6Fde'])('D29 must not contain the parameter %s', async (name) => {
    for (const uri of [`https://a.example/cb?${name}=1`, `http://127.0.0.1:1/cb?x=1&${name}`]) {
      const refused = await register({ redirect_uris: [uri] })
      expect([uri, refused.status, refused.json['error']]).toEqual([uri, 400, 'invalid_redirect_uri'])
    }
  })

  test('D29 may contain others', async () => {
    expect((await register({})).status).toBe(201)
  })
})

describe('a parameter of a form that comes twice', () => {
  const doubled = [
    ['with other values', { state: ['a', 'b'] }],
    ['with the same value', { scope: ['oid4ac:payment', 'oid4ac:payment'] }],
    ['once without a value', { state: ['', 'a'] }],
    ['unknown, with the same value', { mystery: ['1', '1'] }],
  ] as const

  test.each(doubled)('D33 %s is refused', async (_what, more) => {
    const { form } = await agent.purchase()
    const refused = await agent.mint('/oauth/par', { ...form, ...more })
    expect([refused.status, refused.json['error']]).toEqual([400, 'invalid_request'])
  })

  test('D33 is refused at introspection, too', async () => {
    const refused = await askAboutToken(app, 'introspect', agent, { token: ['x', 'x'] })
    expect([refused.status, refused.json['error']]).toEqual([400, 'invalid_request'])
  })

  test('D33 is refused before anyone is authenticated', async () => {
    const body = 'token=a&token=a'
    const refused = await exchange(`${app.baseUrl}/oauth/revoke`, { method: 'POST', headers: FORM, body })
    expect([refused.status, refused.json['error']]).toEqual([400, 'invalid_request'])
  })

  test('D33 resource may come twice, but not with the same value', async () => {
    const { form, merchant } = await agent.purchase()
    expect((await agent.push({ ...form, resource: [merchant, app.baseUrl] })).status).toBe(201)
    const refused = await agent.push({ ...form, resource: [merchant, merchant] })
    expect([refused.status, refused.json]).toMatchObject([400, { error: 'invalid_request' }])
  })
})

describe('a resource beside the merchant', () => {
  test('C20 may be the issuer, and both in any spelling', async () => {
    const { form, merchant } = await agent.purchase()
    const upper = merchant.replace('http:', 'HTTP:')
    for (const resource of [merchant, [merchant, app.baseUrl], [upper, `${app.baseUrl}/`, app.baseUrl]]) {
      const pushed = await agent.push({ ...form, resource })
      expect(pushed.status, pushed.text).toBe(201)
    }
  })

  test('C20 may be nothing else', async () => {
    const { form, merchant } = await agent.purchase()
    const others = ['https://extra.example', `${app.baseUrl}/oauth/token`, `${merchant}/other`, 'urn:example:api']
    for (const other of others) {
      const refused = await agent.push({ ...form, resource: [merchant, app.baseUrl, other] })
      expect([other, refused.status, refused.json]).toMatchObject([other, 400, { error: 'invalid_target' }])
    }
    const access = await agent.walletAccess('wallet:read')
    for (const resource of [[app.baseUrl, 'https://extra.example'], [merchant], merchant]) {
      const refused = await agent.push({ ...access.form, resource })
      expect([refused.status, refused.json]).toMatchObject([400, { error: 'invalid_target' }])
    }
  })
})
