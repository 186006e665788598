import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import {
  Agent,
  askAboutToken,
  clientAssertion,
  newKey,
  newSetupToken,
  newWalletClient,
  Person,
  type TokenAnswer,
} from '../support/actors'
import type { App } from '../support/app'
import { type Form, readyAgent, withApp } from './setup'

let app: App
let agent: Agent
withApp(async (started) => {
  app = started
  agent = await readyAgent(app)
})

type Caller = Pick<Agent, 'clientId' | 'key'>

const ask = (endpoint: 'introspect' | 'revoke', caller: Caller, form: Form) =>
  askAboutToken(app, endpoint, caller, form)

const introspect = async (token: string, caller: Caller = agent) => (await ask('introspect', caller, { token })).json
const inactive = { active: false }

/** Callers that are not who they say they are. */
const impostors: [string, (one: Agent) => Promise<Form>][] = [
  [
    'an assertion by another key',
    async (one) => ({ client_assertion: await clientAssertion(app, { ...one, key: await newKey() }) }),
  ],
  ['an assertion that has expired', async (one) => ({ client_assertion: await one.assertion({ exp: 1 }) })],
  ['no assertion', async () => ({ client_assertion: undefined })],
  ["another client's client_id", async () => ({ client_id: (await readyAgent(app)).clientId })],
]

describe('introspection', () => {
  test('I1 an active access token is described with its claims', async () => {
    const tokens = await agent.buy()
    const answer = await ask('introspect', agent, { token: tokens.access_token })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(answer.json).toEqual({ active: true, token_type: 'DPoP', ...decodeJwt(tokens.access_token) })
    expect(answer.json).toMatchObject({
      iss: app.baseUrl,
      sub: agent.clientId,
      client_id: agent.clientId,
      aud: [tokens.merchant, app.baseUrl],
      scope: 'openid oid4ac:payment payment:execute',
      iat: expect.any(Number),
      exp: expect.any(Number),
      jti: expect.any(String),
      cnf: { jkt: agent.dpopKey.jkt },
      mandate_id: tokens.mandate_id,
      authorization_details: [{ type: 'oid4ac_mandate', amount_minor: 1200 }],
    })
  })

  test('I1 an active refresh token is described with what it can be exchanged for', async () => {
    const tokens = await agent.buy()
    expect(await introspect(tokens.refresh_token)).toMatchObject({
      active: true,
      iss: app.baseUrl,
      sub: agent.clientId,
      client_id: agent.clientId,
      aud: [tokens.merchant, app.baseUrl],
      scope: 'openid oid4ac:payment payment:execute',
      exp: expect.any(Number),
      cnf: { jkt: agent.dpopKey.jkt },
      authorization_details: [{ type: 'oid4ac_mandate' }],
    })
  })

  test('I2 a token that is unknown, forged or damaged is inactive', async () => {
    const { access_token: good } = await agent.buy()
    const [header = '', payload = '', signature = ''] = good.split('.')
    const more = { ...decodeJwt(good), scope: 'wallet:write' }
    const stranger = await newKey()
    const forge = (claims: Record<string, unknown>) =>
      new SignJWT(claims).setProtectedHeader({ ...decodeProtectedHeader(good), alg: 'EdDSA' }).sign(stranger.privateKey)
    const dead = [
      ['garbage', 'x'],
      ['very long', 'y'.repeat(60_000)],
      ['of a foreign issuer', await forge({ ...decodeJwt(good), iss: 'https://else.example' })],
      ['with a foreign signature', await forge(decodeJwt(good))],
      ['with other claims', [header, Buffer.from(JSON.stringify(more)).toString('base64url'), signature].join('.')],
      [
        'with one byte changed',
        [header, payload, (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)].join('.'),
      ],
      ['without its signature', [header, payload, ''].join('.')],
    ] as const
    for (const [what, token] of dead) expect(await introspect(token), what).toEqual(inactive)
    expect(await introspect(good)).toMatchObject({ active: true })
  })

  test('I2 each kind of token is inactive once it has expired', async () => {
    const tokens = await agent.buy()
    app.clock.advance({ seconds: 301 })
    expect(await introspect(tokens.access_token)).toEqual(inactive)
    expect(await introspect(tokens.refresh_token)).toMatchObject({ active: true })
    app.clock.advance({ seconds: 86_400 })
    expect(await introspect(tokens.refresh_token)).toEqual(inactive)
    agent.forgetNonce()
  })

  test('I2 a refresh token that was exchanged is inactive, its successor is not', async () => {
    const tokens = await agent.buy()
    const { json: next } = await agent.refresh(tokens.refresh_token)
    expect(await introspect(tokens.refresh_token)).toEqual(inactive)
    expect(await introspect(next.refresh_token)).toMatchObject({ active: true })
  })

  test.each(['access_token', 'refresh_token'] as const)(
    'I3 token_type_hint does not change the answer about the %s',
    async (kind) => {
      const { [kind]: token } = await agent.buy()
      const plain = await ask('introspect', agent, { token })
      expect(plain.json).toMatchObject({ active: true })
      for (const hint of ['access_token', 'refresh_token', 'nonsense', '__proto__']) {
        expect((await ask('introspect', agent, { token, token_type_hint: hint })).text).toBe(plain.text)
      }
    },
  )

  test.each([
    ['token', undefined],
    ['token', ''],
    ['client_id', undefined],
  ])('I4 a missing %s (%j) is 422 with OAuth members and details', async (name, value) => {
    const answer = await ask('introspect', agent, { token: 'x', [name]: value })
    expect([answer.status, answer.json]).toMatchObject([
      422,
      {
        error: 'invalid_request',
        error_description: expect.any(String),
        detail: [{ loc: ['body', name], type: 'missing', msg: expect.any(String) }],
      },
    ])
  })

  test('I4 a doubled token is 400 invalid_request', async () => {
    const answer = await ask('introspect', agent, { token: ['x', 'x'] })
    expect([answer.status, answer.json['error']]).toEqual([400, 'invalid_request'])
  })

  test.each(impostors)('I5 a caller with %s is 401 invalid_client and learns nothing', async (_what, change) => {
    const { access_token: token } = await agent.buy()
    const answer = await ask('introspect', agent, { token, ...(await change(agent)) })
    expect([answer.status, answer.json]).toEqual([
      401,
      { error: 'invalid_client', error_description: expect.any(String), error_uri: expect.any(String) },
    ])
  })

  test('I6 an agent sees its own tokens and a wallet client those of its tenant, and no others', async () => {
    const wallet = await newWalletClient(app)
    const tenantAgent = await readyAgent(app, { wallet_client_id: wallet.clientId })
    const sibling = await Agent.register(app, tenantAgent.principalId)
    const tokens = await tenantAgent.buy({ merchant: 'https://shop.example' })
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect(await introspect(token, wallet)).toMatchObject({ active: true })
      for (const other of [agent, sibling, await newWalletClient(app)]) {
        expect(await introspect(token, other)).toEqual(inactive)
      }
    }
  })

  test('I7 client_id is that of the token, not that of the caller', async () => {
    const wallet = await newWalletClient(app)
    const tenantAgent = await readyAgent(app, { wallet_client_id: wallet.clientId })
    const tokens = await tenantAgent.buy({ merchant: 'https://shop.example' })
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect(await introspect(token, wallet)).toMatchObject({ client_id: tenantAgent.clientId })
    }
  })

  test('I8 a code, a request_uri, a setup token and a mandate are inactive', async () => {
    const { code } = await agent.code()
    const pushed = await agent.push((await agent.purchase()).form)
    const setupToken = await newSetupToken(app, agent.principalId)
    const { mandate_jwt: mandate } = await agent.buy()
    for (const token of [code, pushed.json.request_uri, setupToken, mandate]) {
      expect(await introspect(token)).toEqual(inactive)
    }
  })

  test.each<[string, (one: Agent, tokens: TokenAnswer) => Promise<unknown>]>([
    ['revoked by its client', (one, tokens) => ask('revoke', one, { token: tokens.refresh_token })],
    [
      'of a family that a reused refresh token ended',
      async (one, { refresh_token: token }) => [await one.refresh(token), await one.refresh(token)],
    ],
    [
      'of an agent that the person revoked',
      async (one) => (await Person.signIn(app, one.principalId)).call('POST', `/wallet/agents/${one.clientId}/revoke`),
    ],
  ])('I9 an access token %s is inactive although its signature is valid', async (_what, end) => {
    const wallet = await newWalletClient(app)
    const one = await readyAgent(app, { wallet_client_id: wallet.clientId })
    const tokens = await one.buy({ merchant: 'https://shop.example' })
    await end(one, tokens)
    const jwks = createRemoteJWKSet(new URL(`${app.baseUrl}/oauth/jwks.json`))
    const verified = await jwtVerify(tokens.access_token, jwks, { typ: 'at+jwt', currentDate: app.clock.now() })
    expect(verified.payload['client_id']).toBe(one.clientId)
    expect(await introspect(tokens.access_token, wallet)).toEqual(inactive)
    expect(await introspect(tokens.refresh_token, wallet)).toEqual(inactive)
  })
})

/** The empty 200 that tells nothing (RFC 7009 section 2.2). */
async function revoke(token: string, caller: Caller = agent, more: Form = {}) {
  const answer = await ask('revoke', caller, { token, ...more })
  expect([answer.status, answer.text, answer.headers.get('cache-control')]).toEqual([200, '', 'no-store'])
}

async function expectDead(one: Agent, tokens: TokenAnswer) {
  expect(await introspect(tokens.access_token, one)).toEqual(inactive)
  expect(await introspect(tokens.refresh_token, one)).toEqual(inactive)
  expect((await one.refresh(tokens.refresh_token)).json).toMatchObject({ error: 'invalid_grant' })
}

describe('revocation', () => {
  test.each([
    ['V1', 'refresh_token'],
    ['V2', 'access_token'],
  ] as const)('%s revoking the %s ends the family everywhere', async (_line, kind) => {
    const tokens = await agent.buy()
    const other = await agent.buy()
    await revoke(tokens[kind])
    await expectDead(agent, tokens)
    expect((await agent.settle(tokens.access_token, tokens.mandate_jwt, `after-${kind}`)).status).toBe(401)
    expect(await introspect(other.refresh_token)).toMatchObject({ active: true })
  })

  test('V2 revoking the access token of a refresh ends the family as well', async () => {
    const tokens = await agent.buy()
    const { json: next } = await agent.refresh(tokens.refresh_token)
    await revoke(next.access_token)
    await expectDead(agent, next)
    expect(await introspect(tokens.access_token)).toEqual(inactive)
  })

  test('V3 an unknown, malformed, revoked or expired token gets the same empty 200', async () => {
    const tokens = await agent.buy()
    await revoke(tokens.refresh_token)
    for (const token of ['unknown', 'a.b.c', 'y'.repeat(60_000), tokens.refresh_token, tokens.access_token]) {
      await revoke(token)
    }
    const late = await agent.buy()
    app.clock.advance({ seconds: 86_401 })
    agent.forgetNonce()
    await revoke(late.access_token)
    await revoke(late.refresh_token)
  })

  test('V4 the token of another client gets the empty 200 and lives on', async () => {
    const tokens = await agent.buy()
    for (const other of [await readyAgent(app), await newWalletClient(app)]) {
      await revoke(tokens.refresh_token, other)
      await revoke(tokens.access_token, other)
    }
    expect(await introspect(tokens.access_token)).toMatchObject({ active: true })
    expect((await agent.refresh(tokens.refresh_token)).status).toBe(200)
  })

  test('V4 a wallet client may revoke what belongs to its tenant', async () => {
    const wallet = await newWalletClient(app)
    const tenantAgent = await readyAgent(app, { wallet_client_id: wallet.clientId })
    const tokens = await tenantAgent.buy({ merchant: 'https://shop.example' })
    await revoke(tokens.refresh_token, wallet)
    await expectDead(tenantAgent, tokens)
  })

  test.each([
    ['access_token', 'refresh_token'],
    ['refresh_token', 'access_token'],
    ['refresh_token', 'nonsense'],
  ] as const)('V5 the %s is revoked under the hint %s', async (kind, hint) => {
    const tokens = await agent.buy()
    await revoke(tokens[kind], agent, { token_type_hint: hint })
    await expectDead(agent, tokens)
  })

  test.each([[undefined], [''], [['x', 'x']]])(
    'V6 a revocation with the token %j is 400 invalid_request',
    async (token) => {
      const answer = await ask('revoke', agent, { token })
      expect([answer.status, answer.json['error']]).toEqual([400, 'invalid_request'])
    },
  )

  test.each(impostors)('V7 a caller with %s is 401 invalid_client and revokes nothing', async (_what, change) => {
    const tokens = await agent.buy()
    const answer = await ask('revoke', agent, { token: tokens.refresh_token, ...(await change(agent)) })
    expect([answer.status, answer.json['error']]).toEqual([401, 'invalid_client'])
    expect(await introspect(tokens.refresh_token)).toMatchObject({ active: true })
  })

  test('V8 no token of a refresh survives the revocation of its parent, in either order', async () => {
    for (const kind of ['refresh_token', 'access_token'] as const) {
      const tokens = await agent.buy()
      const { json: child } = await agent.refresh(tokens.refresh_token)
      await revoke(tokens[kind])
      await expectDead(agent, child)
    }
    for (let round = 0; round < 6; round += 1) {
      const tokens = await agent.buy()
      const [child] = await Promise.all([agent.refresh(tokens.refresh_token), revoke(tokens.refresh_token)])
      expect([200, 400]).toContain(child.status)
      if (child.status === 200) await expectDead(agent, child.json)
      await expectDead(agent, tokens)
    }
  })

  test('a token family that is revoked repeatedly has one audit entry', async () => {
    const tokens = await agent.buy()
    await Promise.all(Array.from({ length: 8 }, () => ask('revoke', agent, { token: tokens.refresh_token })))
    const entries = await app.platform.db.query(
      sql`SELECT seq FROM audit_entries WHERE event = 'oid4ac.token.revoked' AND payload LIKE '%revocation_request%'
          AND payload LIKE '%' || (SELECT family_id FROM mandates WHERE id = ${tokens.mandate_id}) || '%'`,
    )
    expect(entries).toHaveLength(1)
  })
})

describe('when the database goes away', () => {
  test('V9 without its database the service answers 503 with Retry-After', async () => {
    const { refresh_token: token } = await agent.buy()
    // The last test of this file, since nothing can be asked of this service afterwards.
    await app.platform.db.close()
    for (const endpoint of ['revoke', 'introspect'] as const) {
      const answer = await ask(endpoint, agent, { token })
      expect([answer.status, answer.json['error']]).toEqual([503, 'service_unavailable'])
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    }
  })
})
