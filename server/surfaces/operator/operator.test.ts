import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  Agent,
  clientAssertion,
  exchange,
  newKey,
  newPrincipal,
  newWalletClient,
  operate,
  Person,
} from '@/test/support/actors'
import { type App, startApp } from '@/test/support/app'

let app: App

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

type Body = Record<string, unknown>
const call = (method: string, path: string, body?: unknown) => operate<Body>(app, method, path, body)
const post = (path: string, body: unknown) => call('POST', path, body)

describe('who may call', () => {
  test.each([
    ['no token', undefined],
    ['another token', 'Bearer nonsense'],
    ['another scheme', 'DPoP nonsense'],
  ])('%s is 401', async (_name, authorization) => {
    const answer = await exchange(`${app.baseUrl}/operator/switches`, {
      headers: authorization === undefined ? {} : { authorization },
    })
    expect(answer.status).toBe(401)
    expect(answer.json).toMatchObject({ error: 'invalid_token' })
    expect(answer.headers.get('www-authenticate')).toContain('Bearer')
  })
})

describe('switches', () => {
  test('all eight switches are listed with their defaults', async () => {
    const { status, json } = await call('GET', '/switches')
    expect(status).toBe(200)
    expect(json['switches']).toHaveLength(8)
    expect(json['switches']).toContainEqual({ name: 'federation', enabled: false, default: false })
    expect(json['switches']).toContainEqual({ name: 'settlement', enabled: true, default: true })
  })

  test('a switch that is set works at once and is set back', async () => {
    const off = await call('PUT', '/switches/status_list', { enabled: false })
    expect([off.status, off.json]).toEqual([200, { name: 'status_list', enabled: false, default: true }])
    expect((await exchange(`${app.baseUrl}/oauth/status-list/1`)).status).toBe(503)
    await call('PUT', '/switches/status_list', { enabled: true })
    expect((await exchange(`${app.baseUrl}/oauth/status-list/1`)).status).toBe(200)
  })

  test('an unknown switch is 404, a body that is no switch position 422', async () => {
    expect((await call('PUT', '/switches/everything', { enabled: false })).status).toBe(404)
    for (const body of [{}, { enabled: 'off' }, { enabled: true, why: 'x' }]) {
      expect((await call('PUT', '/switches/settlement', body)).status).toBe(422)
    }
  })
})

describe('wallet clients', () => {
  test('a wallet client reads its own audit chain, by default', async () => {
    const wallet = await newWalletClient(app)
    const url = `${app.baseUrl}/audit/${wallet.clientId}/range?client_id=${wallet.clientId}`
    const headers = { authorization: `PrivateKeyJwt ${await clientAssertion(app, wallet)}` }
    expect((await exchange(url, { headers })).status).toBe(200)
  })

  test('a wallet client takes public Ed25519 keys alone: 422', async () => {
    const [ed25519, p256] = [await newKey(), await newKey('ES256')]
    const bad = [{ keys: [] }, { keys: [p256.jwk] }, { keys: [{ ...ed25519.jwk, d: 'x' }] }, { keys: 'x' }, {}]
    for (const jwks of bad) {
      const { status, json } = await post('/wallet-clients', { name: 'Bank', jwks })
      expect(status).toBe(422)
      expect(json['detail']).toMatchObject([{ loc: ['body', 'jwks'] }])
    }
  })

  test('unknown scopes are 400, missing and strange members 422', async () => {
    const jwks = { keys: [(await newKey()).jwk] }
    expect((await post('/wallet-clients', { name: 'Bank', jwks, scope: 'all' })).status).toBe(400)
    for (const body of [{ jwks }, { name: ' ', jwks }, { name: 'a\u0000b', jwks }, { name: 'Bank', jwks, x: 1 }]) {
      expect((await post('/wallet-clients', body)).status).toBe(422)
    }
  })
})

describe('principals', () => {
  test('a principal is created under a wallet client, with an e-mail address that is unique there', async () => {
    const [one, other] = [await newWalletClient(app), await newWalletClient(app)]
    const person = { wallet_client_id: one.clientId, email: 'grace@example.com', display_name: 'Grace' }
    const created = await post('/principals', person)
    expect([created.status, Object.keys(created.json)]).toEqual([201, ['principal_id']])
    const again = await post('/principals', { ...person, email: 'GRACE@example.com' })
    expect([again.status, again.json['error']]).toEqual([409, 'conflict'])
    expect((await post('/principals', { ...person, wallet_client_id: other.clientId })).status).toBe(201)
    expect((await post('/principals', { wallet_client_id: one.clientId })).status).toBe(201)
  })

  test('an unknown wallet client is 404', async () => {
    expect((await post('/principals', { wallet_client_id: 'nobody' })).status).toBe(404)
  })

  test.each([
    [{}],
    [{ wallet_client_id: 'portal', email: 'nonsense' }],
    [{ wallet_client_id: 'portal', display_name: 'a\nb' }],
    [{ wallet_client_id: 'portal', admin: true }],
    [{ wallet_client_id: 5 }],
  ])('%j is 422', async (body) => {
    expect((await post('/principals', body)).status).toBe(422)
  })
})

describe('merchants', () => {
  const shop = (audience: string) => ({
    merchant_audience: audience,
    business_name: 'Shop',
    country: 'IE',
    accepts_currency: ['EUR'],
  })

  test('a merchant is stored under its canonical audience, which is unique in any spelling', async () => {
    const created = await post('/merchants', shop('HTTPS://Shop.Example:443/a/../b'))
    expect(created.status).toBe(201)
    expect(created.json).toMatchObject({
      merchant_audience: 'https://shop.example/b',
      accepts_rail: ['card'],
      verification_status: 'pending',
      verified_at: null,
      connected_account_id: null,
    })
    expect((await post('/merchants', shop('https://shop.example/b'))).status).toBe(409)
  })

  test('PATCH changes what is named; verified_at is the start of the present verification', async () => {
    const { json } = await post('/merchants', { ...shop('https://patched.example'), connected_account_id: 'acct_1' })
    const path = `/merchants/${String(json['id'])}`
    const verified = await call('PATCH', path, { verification_status: 'verified' })
    expect(verified.json).toMatchObject({ ...json, verification_status: 'verified', verified_at: expect.any(String) })
    const renamed = await call('PATCH', path, { business_name: 'New', connected_account_id: null })
    expect(renamed.json).toMatchObject({ business_name: 'New', connected_account_id: null })
    expect(renamed.json['verified_at']).toBe(verified.json['verified_at'])
    expect((await call('PATCH', path, { verification_status: 'suspended' })).json['verified_at']).toBeNull()
    expect((await call('PATCH', path, { merchant_audience: 'https://shop.example/c/' })).status).toBe(200)
    expect((await call('PATCH', path, { merchant_audience: 'https://shop.example/b' })).status).toBe(409)
  })

  test('unknown merchants are 404', async () => {
    expect((await call('PATCH', '/merchants/nothing', { country: 'DE' })).status).toBe(404)
  })

  test('the pages of merchants hold each of them once', async () => {
    const all = await call('GET', '/merchants?page_size=100')
    const total = Number(all.json['total'])
    expect(all.json['merchants']).toHaveLength(total)
    const second = await call('GET', `/merchants?page_size=1&page=2`)
    expect(second.json).toMatchObject({
      page: 2,
      page_size: 1,
      total,
      merchants: [(all.json['merchants'] as Body[])[1]],
    })
    expect((await call('GET', '/merchants?page=100000')).json['merchants']).toEqual([])
    for (const query of ['page=0', 'page_size=101', 'page=x']) {
      expect((await call('GET', `/merchants?${query}`)).status).toBe(422)
    }
  })

  test.each([
    [{ merchant_audience: 'ftp://shop.example' }],
    [{ merchant_audience: 'https://shop.example/#x' }],
    [{ country: 'ie' }],
    [{ accepts_currency: [] }],
    [{ accepts_currency: ['EUR', 'EUR'] }],
    [{ accepts_currency: ['XXX'] }],
    [{ accepts_rail: ['CARD'] }],
    [{ verification_status: 'maybe' }],
    [{ verified_at: '2026-01-01T00:00:00Z' }],
  ])('%j is 422', async (change) => {
    expect((await post('/merchants', { ...shop('https://bad.example'), ...change })).status).toBe(422)
  })
})

describe('sandbox people', () => {
  test('a sandbox person is ready to pay', async () => {
    const limits = { daily_cap_minor: 9_000, currency: 'EUR' }
    const { status, json } = await post('/sandbox/principals', { limits, approval_rule: 'every_purchase' })
    expect(status).toBe(201)
    const person = await Person.signIn(app, String(json['principal_id']))
    expect((await person.call('GET', '/wallet/limits')).json).toMatchObject(limits)
    expect((await person.call('GET', '/wallet/cards')).json).toMatchObject({
      cards: [{ id: json['card_id'], last4: '4242', is_default: true }],
    })
  })

  test('a sandbox person may belong to another wallet client and have another card', async () => {
    const wallet = await newWalletClient(app)
    const body = { wallet_client_id: wallet.clientId, card: 'decline', email: 'joan@example.com' }
    const { status, json } = await post('/sandbox/principals', body)
    expect([status, json['email']]).toEqual([201, 'joan@example.com'])
    expect((await post('/sandbox/principals', body)).status).toBe(409)
    expect((await post('/sandbox/principals', { wallet_client_id: 'nobody' })).status).toBe(404)
  })

  test('a refused sandbox person leaves no rows behind', async () => {
    const person = { email: 'edsger@example.com', limits: { daily_cap_minor: -1, currency: 'EUR' } }
    const refused = await post('/sandbox/principals', person)
    expect(refused.status).toBe(422)
    expect(refused.json['detail']).toMatchObject([{ loc: ['body', 'limits', 'daily_cap_minor'] }])
    expect((await post('/sandbox/principals', { email: person.email })).status).toBe(201)
  })

  test.each([[{ card: 'platinum' }], [{ approval_rule: 'never' }], [{ limits: { cap: 1 } }], [{ role: 'admin' }]])(
    '%j is 422',
    async (body) => {
      expect((await post('/sandbox/principals', body)).status).toBe(422)
    },
  )

  test('setup tokens and wallet sessions for an unknown person are 404', async () => {
    const { json } = await post('/sandbox/principals', {})
    const token = await post('/sandbox/setup-tokens', { principal_id: json['principal_id'], scope: 'openid' })
    expect([token.status, token.json['expires_in']]).toEqual([201, 86_400])
    expect((await post('/sandbox/setup-tokens', { principal_id: 'nobody' })).status).toBe(404)
    const dpop_jwk = (await newKey('ES256')).jwk
    const session = { principal_id: 'nobody', scope: 'wallet:read', dpop_jwk }
    expect((await post('/sandbox/wallet-sessions', session)).status).toBe(404)
    const mixed = { ...session, principal_id: json['principal_id'], scope: 'wallet:read openid' }
    expect((await post('/sandbox/wallet-sessions', mixed)).status).toBe(400)
    expect((await post('/sandbox/wallet-sessions', { ...mixed, dpop_jwk: { kty: 'oct' } })).status).toBe(422)
  })
})

describe('the sandbox processor', () => {
  test('confirms a setup intent with the named card, and keeps the first', async () => {
    const { json } = await post('/sandbox/principals', {})
    const person = await Person.signIn(app, String(json['principal_id']))
    const begun = await person.call('POST', '/wallet/setup-intent')
    const body = { setup_intent_id: begun.json['setup_intent_id'], card: 'dispute', deliveries: 0 }
    const confirmed = await post('/sandbox/setup-intents', body)
    expect([confirmed.status, confirmed.json]).toEqual([
      200,
      { setup_intent_id: body.setup_intent_id, status: 'succeeded' },
    ])
    const saved = await person.call('POST', '/wallet/setup-intent/confirm', { setup_intent_id: body.setup_intent_id })
    expect(saved.json).toMatchObject({ status: 'succeeded', reconciled: true })
  })

  test('unknown intents are 404; unknown cards and counts 422', async () => {
    expect((await post('/sandbox/setup-intents', { setup_intent_id: 'seti_x' })).status).toBe(404)
    for (const change of [{ card: 'gold' }, { deliveries: -1 }, { deliveries: 11 }, { deliveries: '1' }]) {
      expect((await post('/sandbox/setup-intents', { setup_intent_id: 'seti_x', ...change })).status).toBe(422)
    }
  })

  test('disputes are about payments: 404 otherwise, 422 for an unknown status', async () => {
    const dispute = { payment_intent_id: 'pi_x', dispute_status: 'pending' }
    expect((await post('/sandbox/disputes', dispute)).status).toBe(404)
    expect((await post('/sandbox/disputes', { ...dispute, dispute_status: 'open' })).status).toBe(422)
  })

  test('a dispute that is closed keeps its result: another one is 409', async () => {
    const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits' })
    const agent = await Agent.register(app, principalId)
    const bought = await agent.buy()
    const { json } = await agent.settle<Body>(bought.access_token, bought.mandate_jwt, 'disputed')
    const move = (dispute_status: string) =>
      post('/sandbox/disputes', { payment_intent_id: json['payment_intent_id'], dispute_status })
    const statuses: number[] = []
    for (const result of ['pending', 'won', 'lost', 'pending', 'won']) statuses.push((await move(result)).status)
    expect(statuses).toEqual([200, 200, 409, 409, 200])
    expect((await move('lost')).json).toMatchObject({ error: 'conflict' })
  })
})

test('passkeys of a person can be reset again and again; an unknown person is 404', async () => {
  const { json } = await post('/sandbox/principals', {})
  const id = String(json['principal_id'])
  for (let turn = 0; turn < 2; turn += 1) {
    const reset = await post(`/principals/${id}/passkeys/reset`, undefined)
    expect([reset.status, reset.json]).toEqual([200, { principal_id: id, passkeys_removed: 0, sessions_ended: 0 }])
  }
  expect((await post('/principals/nobody/passkeys/reset', undefined)).status).toBe(404)
})

test('the operations of the sandbox are not served outside it', async () => {
  const secret = 'abcdefghijklmnopqrstuvwxyz012345'
  const env = {
    SANDBOX: 'false',
    OPERATOR_TOKEN: secret,
    PROCESSOR_WEBHOOK_SECRET: secret,
    RCS_CALLBACK_SECRET: secret,
    KEY_ENCRYPTION_KEY: createHash('sha256').update('operator.test').digest('hex'),
  }
  const live = await startApp({ seed: false, env })
  try {
    const paths = ['principals', 'setup-tokens', 'wallet-sessions', 'setup-intents', 'disputes']
    for (const path of paths) expect((await operate(live, 'POST', `/sandbox/${path}`, {})).status).toBe(404)
    expect((await operate(live, 'GET', '/switches')).status).toBe(200)
  } finally {
    await live.close()
  }
})
