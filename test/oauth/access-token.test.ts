import { createPublicKey } from 'node:crypto'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  Agent,
  type Answer,
  askAboutToken,
  dpopProof,
  exchange,
  type Key,
  newKey,
  newPrincipal,
  newWalletClient,
  operate,
  Person,
  type TokenAnswer,
} from '../support/actors'
import type { App } from '../support/app'
import { walletTokens, withApp } from './setup'

let app: App
let wallet: Awaited<ReturnType<typeof newWalletClient>>
let agent: Agent
let email: string
let person: Person
withApp(async (started) => {
  app = started
  wallet = await newWalletClient(app)
  const principal = await newPrincipal(app, { approval_rule: 'above_limits', wallet_client_id: wallet.clientId })
  email = principal.email
  agent = await Agent.register(app, principal.principalId)
  person = await Person.signIn(app, principal.principalId)
})

const seconds = () => Math.floor(app.clock.now().getTime() / 1000)
const publishedKeys = async () => (await exchange<JSONWebKeySet>(`${app.baseUrl}/oauth/jwks.json`)).json

describe('an access token', () => {
  test('J1 an access token verifies with another implementation and has only typ, alg and kid in its header', async () => {
    const { access_token: token, merchant } = await agent.buy()
    const jwks = await publishedKeys()
    const { protectedHeader } = await jwtVerify(token, createLocalJWKSet(jwks), {
      typ: 'at+jwt',
      algorithms: ['EdDSA'],
      issuer: app.baseUrl,
      audience: merchant,
      currentDate: app.clock.now(),
    })
    expect(protectedHeader).toEqual({ typ: 'at+jwt', alg: 'EdDSA', kid: expect.any(String) })
    expect(jwks.keys.map(({ kid }) => kid)).toContain(protectedHeader.kid)
  })

  test('J2 an access token holds exactly the documented claims and nothing personal', async () => {
    const before = seconds()
    const tokens = await agent.buy()
    const claims = decodeJwt(tokens.access_token)
    expect(claims).toEqual({
      iss: app.baseUrl,
      sub: agent.clientId,
      aud: [tokens.merchant, app.baseUrl],
      client_id: agent.clientId,
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: (claims.iat ?? 0) + 300,
      scope: 'openid oid4ac:payment payment:execute',
      cnf: { jkt: agent.dpopKey.jkt },
      auth_time: expect.any(Number),
      acr: expect.any(String),
      authorization_details: tokens.authorization_details,
      mandate_id: tokens.mandate_id,
    })
    expect(claims.iat).toBeGreaterThanOrEqual(before)
    expect(claims.iat).toBeLessThanOrEqual(seconds())
    expect(claims['auth_time']).toBeLessThanOrEqual(claims.iat ?? 0)
    for (const personal of [email, agent.principalId]) expect(JSON.stringify(claims)).not.toContain(personal)
  })

  test('J2 each access token of a family has its own jti', async () => {
    const [one, two] = [await agent.buy(), await agent.buy()]
    const three = (await agent.refresh(two.refresh_token)).json
    const ids = [one, two, three].map(({ access_token: token }) => decodeJwt(token).jti)
    expect(new Set(ids).size).toBe(3)
  })

  test('J3 aud is a string for one resource and an array for several, and never the client', async () => {
    const { form, verifier, merchant } = await agent.purchase()
    const pushed = await agent.push({ ...form, resource: [merchant, app.baseUrl] })
    const { result } = await agent.authorize(pushed.json.request_uri)
    const several = (await agent.redeem(result['code'] ?? '', verifier)).json
    expect(decodeJwt(several.access_token).aud).toEqual([merchant, app.baseUrl])
    const one = (await agent.refresh(several.refresh_token, { resource: merchant })).json
    expect(decodeJwt(one.access_token).aud).toBe(merchant)
    const same = (await agent.refresh(one.refresh_token, { resource: app.baseUrl })).json
    expect(decodeJwt(same.access_token).aud).toBe(app.baseUrl)
  })

  test('J4 sub is the agent in payment tokens and the person in wallet tokens', async () => {
    const payment = decodeJwt((await agent.buy()).access_token)
    const access = decodeJwt((await walletTokens(agent, 'wallet:read audit:read')).access_token)
    const session = decodeJwt(person.token)
    expect([payment.sub, payment['client_id']]).toEqual([agent.clientId, agent.clientId])
    expect([access.sub, access['client_id']]).toEqual([agent.principalId, agent.clientId])
    expect(session.sub).toBe(agent.principalId)
    expect(access).toMatchObject({
      scope: 'wallet:read audit:read',
      aud: app.baseUrl,
      cnf: { jkt: agent.dpopKey.jkt },
      authorization_details: [{ type: 'oid4ac_wallet', actions: ['read', 'audit'] }],
    })
    expect(access).not.toHaveProperty('mandate_id')
  })
})

interface Holder {
  readonly token: string
  readonly key: Key
}

/** One address per group of endpoints that take an access token. */
const groups = [
  { group: 'wallet, reading', method: 'GET', path: '/wallet/agents' },
  { group: 'wallet, writing', method: 'POST', path: '/wallet/limits' },
  { group: 'consent', method: 'GET', path: '/oauth/consent/scan/pending' },
  { group: 'audit', method: 'GET', path: '/wallet/audit-chain' },
  { group: 'payments', method: 'GET', path: '/wallet/payment-history' },
] as const

async function visit({ token, key }: Holder, method: string, path: string, body: object = {}): Promise<Answer> {
  const url = app.baseUrl + path
  return exchange(url, {
    method,
    headers: {
      authorization: `DPoP ${token}`,
      dpop: await dpopProof(app, key, { method, url, accessToken: token }),
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
    },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
  })
}

const introspect = async (token: string) =>
  (await askAboutToken(app, 'introspect', wallet, { token, client_id: wallet.clientId })).json

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const parts = (token: string) => token.split('.') as [string, string, string]

/** Signs with the service's own key, so that only what was changed can be the reason of a refusal. */
function resign(token: string, claims: Record<string, unknown>, header: Record<string, unknown> = {}): Promise<string> {
  const { privateKey } = app.platform.keys.current('access_token')
  const protectedHeader = { ...decodeProtectedHeader(token), ...header } as { alg: string }
  return new SignJWT({ ...decodeJwt(token), ...claims }).setProtectedHeader(protectedHeader).sign(privateKey)
}

/** Signed with HMAC under the public key, in each form that a library may pass to the check. */
async function hmacUnder(token: string, form: 'raw' | 'pem' | 'der' | 'jwk'): Promise<string> {
  const { kid } = decodeProtectedHeader(token)
  const jwk = (await publishedKeys()).keys.find((key) => key.kid === kid) ?? { kty: '' }
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
  const secrets = {
    raw: Buffer.from(String(jwk['x']), 'base64url'),
    pem: Buffer.from(key.export({ type: 'spki', format: 'pem' })),
    der: key.export({ type: 'spki', format: 'der' }),
    jwk: Buffer.from(JSON.stringify(jwk)),
  }
  const protectedHeader = { ...decodeProtectedHeader(token), alg: 'HS256' }
  return new SignJWT(decodeJwt(token)).setProtectedHeader(protectedHeader).sign(new Uint8Array(secrets[form]))
}

/** Signed by a key of the forger, who brings it along in the header. */
async function byForeignKey(token: string, header: Record<string, unknown> = {}): Promise<string> {
  const { privateKey, jwk } = await newKey()
  const protectedHeader = { ...decodeProtectedHeader(token), jwk, ...header } as { alg: string }
  return new SignJWT(decodeJwt(token)).setProtectedHeader(protectedHeader).sign(privateKey)
}

/** Signed by a key of ours that is for something else. */
function byKeyFor(purpose: 'mandate' | 'receipt', token: string): Promise<string> {
  const { kid, privateKey } = app.platform.keys.current(purpose)
  const protectedHeader = { ...decodeProtectedHeader(token), kid } as { alg: string }
  return new SignJWT(decodeJwt(token)).setProtectedHeader(protectedHeader).sign(privateKey)
}

function withPayload(token: string, change: Record<string, unknown>): string {
  const [header, , signature] = parts(token)
  return [header, encode({ ...decodeJwt(token), ...change }), signature].join('.')
}

function withHeader(token: string, change: Record<string, unknown>, signature = parts(token)[2]): string {
  return [encode({ ...decodeProtectedHeader(token), ...change }), parts(token)[1], signature].join('.')
}

/** What each forger makes of a good token; `other` is another good token of the same holder. */
const forgeries: Readonly<Record<string, (token: string, other: string) => string | Promise<string>>> = {
  'a changed scope': (token) => withPayload(token, { scope: 'wallet:read wallet:write audit:read payment:execute' }),
  'a changed exp': (token) => withPayload(token, { exp: seconds() + 3_600 }),
  'the signature of another token': (token, other) => [...parts(token).slice(0, 2), parts(other)[2]].join('.'),
  'one flipped bit in the signature': (token) => {
    const [header, payload, signature] = parts(token)
    const bytes = Buffer.from(signature, 'base64url')
    bytes[0] = (bytes[0] ?? 0) ^ 1
    return [header, payload, bytes.toString('base64url')].join('.')
  },
  'no signature': (token) => `${parts(token).slice(0, 2).join('.')}.`,
  'alg none': (token) => withHeader(token, { alg: 'none' }, ''),
  'alg none and a signature': (token) => withHeader(token, { alg: 'none' }),
  'alg NONE': (token) => withHeader(token, { alg: 'NONE' }, ''),
  'HS256 under the bytes of the public key': (token) => hmacUnder(token, 'raw'),
  'HS256 under the public key as PEM': (token) => hmacUnder(token, 'pem'),
  'HS256 under the public key as DER': (token) => hmacUnder(token, 'der'),
  'HS256 under the public JWK': (token) => hmacUnder(token, 'jwk'),
  'no typ': (token) => resign(token, {}, { typ: undefined }),
  'typ JWT': (token) => resign(token, {}, { typ: 'JWT' }),
  'typ of a receipt': (token) => resign(token, {}, { typ: 'payment-receipt+jwt' }),
  'no kid': (token) => resign(token, {}, { kid: undefined }),
  'an unknown kid': (token) => resign(token, {}, { kid: 'unknown' }),
  'a critical extension': (token) => withHeader(token, { crit: ['exp'] }),
  'a foreign signature under our kid': (token) => byForeignKey(token),
  'a foreign signature without a kid': (token) => byForeignKey(token, { kid: undefined }),
  'our signature with the key for mandates': (token) => byKeyFor('mandate', token),
  'our signature with the key for receipts': (token) => byKeyFor('receipt', token),
  'an exp one second ago': (token) => resign(token, { exp: seconds() - 1 }),
  'an exp of this very second': (token) => resign(token, { exp: seconds() }),
  'no exp': (token) => resign(token, { exp: undefined }),
  'an exp as a string': (token) => resign(token, { exp: String(seconds() + 300) }),
  'an iat in two minutes': (token) => resign(token, { iat: seconds() + 120 }),
  'another issuer': (token) => resign(token, { iss: 'https://else.example' }),
  'our issuer with a slash': (token) => resign(token, { iss: `${app.baseUrl}/` }),
  'no issuer': (token) => resign(token, { iss: undefined }),
  'no binding to a key': (token) => resign(token, { cnf: undefined }),
  'an empty binding': (token) => resign(token, { cnf: {} }),
  'no jti': (token) => resign(token, { jti: undefined }),
  'a jti of no family': (token) => resign(token, { jti: 'unknown.x' }),
}

describe('a forged access token', () => {
  let payment: TokenAnswer
  let spare: TokenAnswer
  let second: Person
  beforeAll(async () => {
    payment = await agent.buy()
    spare = await agent.buy()
    second = new Person(app, person.principalId, (await Person.signIn(app, person.principalId)).token, person.key)
  })

  const settle = (token: string, key: string) =>
    visit({ token, key: agent.dpopKey }, 'POST', '/settlement/settle', {
      mandate: payment.mandate_jwt,
      idempotency_key: key,
    })

  test.each(Object.entries(forgeries))('J5, X8 an access token with %s is refused everywhere', async (name, forge) => {
    const walletToken = await forge(person.token, second.token)
    for (const { group, method, path } of groups) {
      const answer = await visit({ token: walletToken, key: person.key }, method, path)
      expect([answer.status, answer.json['error']], group).toEqual([401, 'invalid_token'])
      expect(answer.headers.get('www-authenticate'), group).toContain('error="invalid_token"')
    }
    const paymentToken = await forge(payment.access_token, spare.access_token)
    const settled = await settle(paymentToken, name)
    expect([settled.status, settled.json['error']]).toEqual([401, 'invalid_token'])
    expect(settled.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect([await introspect(walletToken), await introspect(paymentToken)]).toEqual([
      { active: false },
      { active: false },
    ])
  })

  test('J5 an access token that is rebuilt without a change stays valid, so only the change is refused', async () => {
    const walletToken = await resign(person.token, { exp: seconds() + 60 })
    for (const { group, method, path } of groups) {
      const answer = await visit({ token: walletToken, key: person.key }, method, path)
      expect([group, answer.status]).toEqual([group, 200])
    }
    const paymentToken = await resign(payment.access_token, {})
    expect((await introspect(paymentToken))['active']).toBe(true)
    expect((await settle(paymentToken, 'unchanged')).status).toBe(200)
  })

  test('J5 an access token for another resource is refused by the wallet', async () => {
    for (const aud of ['https://else.example', ['https://else.example'], `${app.baseUrl}/else`, [], undefined]) {
      const token = await resign(person.token, { aud })
      for (const { method, path } of groups) {
        expect((await visit({ token, key: person.key }, method, path)).status, String(aud)).toBe(401)
      }
    }
    const several = await resign(person.token, { aud: ['https://else.example', app.baseUrl] })
    expect((await visit({ token: several, key: person.key }, 'GET', '/wallet/agents')).status).toBe(200)
  })

  test('J5 a forged access token cannot pass for another person', async () => {
    const { principalId } = await newPrincipal(app)
    const token = await resign(person.token, { sub: principalId })
    expect((await visit({ token, key: person.key }, 'GET', '/wallet/agents')).status).toBe(401)
  })
})

describe('time and keys', () => {
  test('J5, X8 an access token expires after 300 seconds, at the endpoints and at introspection', async () => {
    const tokens = await agent.buy({ merchant: 'https://shop.example' })
    const session = await Person.signIn(app, person.principalId)
    app.clock.advance({ seconds: 270 })
    agent.forgetNonce()
    const next = await agent.buy({ merchant: 'https://shop.example' })
    expect((await introspect(tokens.access_token))['active']).toBe(true)
    expect((await session.call('GET', '/wallet/agents')).status).toBe(200)
    app.clock.advance({ seconds: 35 })
    agent.forgetNonce()
    expect(await introspect(tokens.access_token)).toEqual({ active: false })
    expect((await session.call('GET', '/wallet/agents')).status).toBe(401)
    expect((await agent.settle(tokens.access_token, next.mandate_jwt, 'late')).status).toBe(401)
    expect((await agent.settle(next.access_token, next.mandate_jwt, 'late')).status).toBe(200)
  })

  test('J6 tokens signed by the previous key stay valid everywhere until they expire', async () => {
    const session = await Person.signIn(app, person.principalId)
    const tokens = await agent.buy()
    expect((await operate(app, 'POST', '/signing-keys/rotate', {})).status).toBe(200)
    const next = await agent.buy()
    const kids = [tokens, next].map(({ access_token: token }) => decodeProtectedHeader(token).kid)
    expect(kids[0]).not.toBe(kids[1])
    for (const { group, method, path } of groups) {
      const answer = await visit({ token: session.token, key: session.key }, method, path)
      expect([group, answer.status]).toEqual([group, 200])
    }
    expect((await introspect(tokens.access_token))['active']).toBe(true)
    expect((await agent.settle(tokens.access_token, tokens.mandate_jwt, 'rotated')).status).toBe(200)
    const jwks = createLocalJWKSet(await publishedKeys())
    for (const { access_token: token } of [tokens, next]) {
      const verified = await jwtVerify(token, jwks, { typ: 'at+jwt', currentDate: app.clock.now() })
      expect(verified.payload.iss).toBe(app.baseUrl)
    }
  })
})
