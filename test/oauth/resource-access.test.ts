import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { operations } from '@/server/operations'
import {
  Agent,
  type Answer,
  dpopProof,
  exchange,
  newKey,
  newPrincipal,
  Person,
  type ProofOptions,
} from '../support/actors'
import type { App } from '../support/app'
import { readyAgent, withApp } from './setup'

/** Every address that takes an access token, with the scope that it wants. */
const endpoints = operations.flatMap(({ endpoint: { method, path, access } }) =>
  access.actor === 'wallet' || access.actor === 'agent'
    ? [{ operation: `${method} ${path}`, method, path: path.replaceAll(/\{\w+\}/g, 'x'), scope: access.scope }]
    : [],
)
const walletEndpoints = endpoints.filter(({ path }) => path !== '/settlement/settle')
const walletScopes = ['wallet:read', 'wallet:write', 'audit:read', 'privacy:dsar']

interface Challenge {
  readonly scheme: string
  readonly parameters: Record<string, string>
}

/** The challenges of RFC 9110 section 11.6.1; throws when one is not written as `Scheme name="value", name="value"`. */
function challengesOf({ headers }: Answer): Challenge[] {
  const challenges = (headers.get('www-authenticate') ?? '').split(/, (?=[A-Za-z]+ )/)
  return challenges.map((challenge) => {
    const [, scheme = '', rest = ''] = /^([A-Za-z]+) (.+)$/.exec(challenge) ?? []
    const parameters = rest.split(', ').map((parameter) => {
      const [, name, value] = /^([a-z_]+)="([\x20\x21\x23-\x5b\x5d-\x7e]*)"$/.exec(parameter) ?? []
      if (name === undefined || value === undefined) throw new Error(`no parameter: ${parameter} in ${challenge}`)
      return [name, value]
    })
    return { scheme, parameters: Object.fromEntries(parameters) }
  })
}

const schemesOf = (answer: Answer) => challengesOf(answer).map(({ scheme }) => scheme)
const errorsOf = (answer: Answer) => challengesOf(answer).map(({ parameters }) => parameters['error'])

/** A 401 whose body says invalid_token and whose DPoP challenge says why. */
function expectRefusal(answer: Answer, error: string | undefined, hint?: string) {
  expect([answer.status, answer.json['error'], errorsOf(answer)[0]], hint).toEqual([401, 'invalid_token', error])
}

let app: App
/** A request with exactly the given headers; POST brings an empty JSON object unless told otherwise. */
function send(method: string, path: string, headers: Record<string, string>, body: string = '{}') {
  const content = method === 'GET' ? {} : { body }
  return exchange(app.baseUrl + path, {
    method,
    headers: { ...(method === 'GET' ? {} : { 'content-type': 'application/json' }), ...headers },
    ...content,
  })
}

/** A proof of the person for the given address; `more` may spoil it. */
const proofOf = (person: Person, method: string, path: string, more: Partial<ProofOptions> = {}) =>
  dpopProof(app, person.key, { method, url: app.baseUrl + path.split('?')[0], accessToken: person.token, ...more })

const visit = (person: Person, proof: string, scheme = 'DPoP') =>
  send('GET', '/wallet/agents', { authorization: `${scheme} ${person.token}`, dpop: proof })

describe('access to the resource endpoints', () => {
  let agent: Agent
  let person: Person
  withApp(async (started) => {
    app = started
    agent = await readyAgent(app)
    person = await Person.signIn(app, agent.principalId, walletScopes.join(' '))
  })

  test.each(endpoints)(
    'X1 $operation without a token gets a challenge with the schemes and no error code',
    async ({ method, path }) => {
      const answer = await send(method, path, {})
      expect([answer.status, answer.json['error'], answer.headers.get('cache-control')]).toEqual([
        401,
        'invalid_token',
        'no-store',
      ])
      const offered = path === '/settlement/settle' ? ['DPoP'] : ['DPoP', 'Bearer']
      expect([schemesOf(answer), errorsOf(answer)]).toEqual([offered, offered.map(() => undefined)])
      expect(challengesOf(answer)[0]?.parameters['algs']).toBe('EdDSA Ed25519 ES256')
    },
  )

  test.each(['DPoP', 'dpop', 'DPOP', 'dPoP'])(
    'X2 a token in the scheme %s with a proof is accepted',
    async (scheme) => {
      const answer = await visit(person, await proofOf(person, 'GET', '/wallet/agents'), scheme)
      expect(answer.status, answer.text).toBe(200)
      const tokens = await agent.buy()
      const url = `${app.baseUrl}/settlement/settle`
      const settled = await agent.settle(tokens.access_token, tokens.mandate_jwt, `x2-${scheme}`)
      expect(settled.status, settled.text).toBe(200)
      const dpop = await dpopProof(app, agent.dpopKey, { method: 'POST', url, accessToken: tokens.access_token })
      const body = JSON.stringify({ mandate: tokens.mandate_jwt, idempotency_key: `x2-${scheme}` })
      const headers = { authorization: `${scheme} ${tokens.access_token}`, dpop }
      expect((await send('POST', '/settlement/settle', headers, body)).status).toBe(200)
    },
  )

  test.each(endpoints)('X3 $operation refuses the DPoP scheme without a proof', async ({ method, path }) => {
    const tokens = path === '/settlement/settle' ? (await agent.buy()).access_token : person.token
    expectRefusal(await send(method, path, { authorization: `DPoP ${tokens}` }), 'invalid_dpop_proof')
  })

  test.each(['Bearer', 'bearer', 'BEARER'])(
    'X4 a wallet endpoint accepts the scheme %s without a proof',
    async (scheme) => {
      const answer = await send('GET', '/wallet/agents', { authorization: `${scheme} ${person.token}` })
      expect(answer.status, answer.text).toBe(200)
    },
  )

  test('X4 a proof beside a Bearer token must be valid', async () => {
    const good = await proofOf(person, 'GET', '/wallet/agents')
    expect((await visit(person, good, 'Bearer')).status).toBe(200)
    expectRefusal(await visit(person, good, 'Bearer'), 'invalid_dpop_proof', 'replayed')
    const forOther = await proofOf(person, 'GET', '/wallet/limits')
    expectRefusal(await visit(person, forOther, 'Bearer'), 'invalid_dpop_proof', 'other address')
    const otherKey = await dpopProof(app, await newKey(), {
      method: 'GET',
      url: `${app.baseUrl}/wallet/agents`,
      accessToken: person.token,
    })
    expectRefusal(await visit(person, otherKey, 'Bearer'), 'invalid_token', 'other key')
    expectRefusal(await visit(person, 'nonsense', 'Bearer'), 'invalid_dpop_proof', 'nonsense')
  })

  test('X4 settlement never accepts Bearer, with or without a proof', async () => {
    const tokens = await agent.buy()
    const body = JSON.stringify({ mandate: tokens.mandate_jwt, idempotency_key: 'bearer' })
    const authorization = `Bearer ${tokens.access_token}`
    const without = await send('POST', '/settlement/settle', { authorization }, body)
    const url = `${app.baseUrl}/settlement/settle`
    const dpop = await dpopProof(app, agent.dpopKey, { method: 'POST', url, accessToken: tokens.access_token })
    const withProof = await send('POST', '/settlement/settle', { authorization, dpop }, body)
    for (const answer of [without, withProof]) {
      expectRefusal(answer, 'invalid_token')
      expect(schemesOf(answer)).toEqual(['DPoP'])
    }
    expect((await agent.settle(tokens.access_token, tokens.mandate_jwt, 'bearer')).status).toBe(200)
  })

  test.each([
    ['Basic', 'Basic dXNlcjpwYXNz'],
    ['no scheme', 'x'],
    ['no token', 'DPoP'],
    ['two tokens', 'DPoP a b'],
    ['a comma', 'DPoP a,b'],
  ])('X4 an Authorization header with %s is refused', async (_, authorization) => {
    expectRefusal(await send('GET', '/wallet/agents', { authorization }), 'invalid_token')
  })

  const hash = (token: string) => createHash('sha256').update(token)
  test.each([
    ['missing', () => undefined],
    ['that of another token', () => hash('other').digest('base64url')],
    ['padded', (token: string) => hash(token).digest('base64')],
    ['padded base64url', (token: string) => `${hash(token).digest('base64url')}=`],
    ['hexadecimal', (token: string) => hash(token).digest('hex')],
    ['the token itself', (token: string) => token],
    ['a list', (token: string) => [hash(token).digest('base64url')]],
  ])('X5 an ath that is %s is refused', async (_, ath) => {
    const claims = { ath: ath(person.token) }
    expectRefusal(await visit(person, await proofOf(person, 'GET', '/wallet/agents', { claims })), 'invalid_dpop_proof')
    const tokens = await agent.buy()
    const proof = await agent.proof('POST', `${app.baseUrl}/settlement/settle`, {
      nonce: undefined,
      claims: { ath: ath(tokens.access_token) },
    })
    const body = { mandate: tokens.mandate_jwt, idempotency_key: 'ath' }
    const settle = await agent.call('POST', '/settlement/settle', tokens.access_token, body, { dpop: proof })
    expectRefusal(settle, 'invalid_dpop_proof')
  })

  test('X6 a proof by a key other than that of the token is invalid_token', async () => {
    const key = await newKey()
    const url = `${app.baseUrl}/wallet/agents`
    const proof = await dpopProof(app, key, { method: 'GET', url, accessToken: person.token })
    expectRefusal(await visit(person, proof), 'invalid_token')
    const tokens = await agent.buy()
    const thief = new Agent(app, agent.clientId, agent.key, key, agent.principalId)
    expectRefusal(await thief.settle(tokens.access_token, tokens.mandate_jwt, 'thief'), 'invalid_token')
    expect((await agent.settle(tokens.access_token, tokens.mandate_jwt, 'thief')).status).toBe(200)
  })

  test.each([
    ['htm', { htm: 'POST' }],
    ['htm', { htm: 'get' }],
    ['htu', { htu: 'http://localhost/wallet/agents' }],
    ['htu', { htu: 'https://else.example/wallet/agents' }],
    ['htu', { htu: undefined }],
    ['jti', { jti: undefined }],
    ['iat', { iat: undefined }],
  ])('X7 a proof with a wrong %s is refused with invalid_dpop_proof in the challenge', async (_, claims) => {
    expectRefusal(await visit(person, await proofOf(person, 'GET', '/wallet/agents', { claims })), 'invalid_dpop_proof')
  })

  test('X7 a proof is valid for one path and a short time', async () => {
    for (const path of ['/wallet/agents/', '/wallet', '/wallet/agents/x', '/WALLET/AGENTS']) {
      const proof = await proofOf(person, 'GET', path)
      expectRefusal(await visit(person, proof), 'invalid_dpop_proof', path)
    }
    const now = Math.floor(app.clock.now().getTime() / 1000)
    for (const [offset, isGood] of [
      [-65, false],
      [-50, true],
      [50, true],
      [65, false],
    ] as const) {
      const answer = await visit(
        person,
        await proofOf(person, 'GET', '/wallet/agents', { claims: { iat: now + offset } }),
      )
      expect([offset, answer.status]).toEqual([offset, isGood ? 200 : 401])
    }
  })

  test('X7 a proof can be used once, also under parallel use and at another address', async () => {
    const proof = await proofOf(person, 'GET', '/wallet/agents')
    const answers = await Promise.all(Array.from({ length: 8 }, () => visit(person, proof)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200)) expectRefusal(answer, 'invalid_dpop_proof')
    const jti = 'one-for-two-addresses'
    expect((await visit(person, await proofOf(person, 'GET', '/wallet/agents', { claims: { jti } }))).status).toBe(200)
    const dpop = await proofOf(person, 'GET', '/wallet/limits', { claims: { jti } })
    const second = await send('GET', '/wallet/limits', { authorization: `DPoP ${person.token}`, dpop })
    expectRefusal(second, 'invalid_dpop_proof')
  })

  test('X7 a stale nonce is challenged with a fresh one that is accepted; no nonce is accepted too', async () => {
    const stale = await visit(person, await proofOf(person, 'GET', '/wallet/agents', { nonce: 'stale' }))
    expectRefusal(stale, 'use_dpop_nonce')
    const nonce = stale.headers.get('dpop-nonce') ?? ''
    expect(nonce).toMatch(/^[\x21\x23-\x5b\x5d-\x7e]+$/)
    expect((await visit(person, await proofOf(person, 'GET', '/wallet/agents', { nonce }))).status).toBe(200)
    expect((await visit(person, await proofOf(person, 'GET', '/wallet/agents'))).status).toBe(200)
  })

  test('X7 the query of the address is not part of the proof', async () => {
    const path = '/wallet/payment-history?limit=1'
    const dpop = await proofOf(person, 'GET', path)
    const answer = await send('GET', path, { authorization: `DPoP ${person.token}`, dpop })
    expect(answer.status, answer.text).toBe(200)
  })

  test('X8 a value that is no access token is refused', async () => {
    const { code } = await agent.code()
    const tokens = await agent.buy()
    const spare = await agent.buy()
    const settled = await agent.settle<Record<string, string>>(tokens.access_token, tokens.mandate_jwt, 'receipt')
    const others = {
      'refresh token': tokens.refresh_token,
      code,
      mandate: tokens.mandate_jwt,
      'signed part of the mandate': tokens.mandate_jwt.split('~')[0] ?? '',
      receipt: settled.json['receipt_jws'] ?? '',
      'client assertion': await agent.assertion(),
      'DPoP proof': await agent.proof('GET', `${app.baseUrl}/wallet/agents`),
      'two parts': spare.access_token.split('.').slice(0, 2).join('.'),
      'four parts': `${spare.access_token}.x`,
      'very long': `${spare.access_token}${'A'.repeat(6_000)}`,
      'operator token': app.operatorToken,
    }
    for (const [name, token] of Object.entries(others)) {
      expectRefusal(await agent.call('GET', '/wallet/agents', token), 'invalid_token', name)
      expectRefusal(await agent.settle(token, spare.mandate_jwt, 'no-token'), 'invalid_token', name)
      const asBearer = await send('GET', '/wallet/agents', { authorization: `Bearer ${token}` })
      expectRefusal(asBearer, 'invalid_token', name)
    }
    expect((await agent.settle(spare.access_token, spare.mandate_jwt, 'no-token')).status).toBe(200)
  })

  test('X8 a token for another resource is refused; settlement accepts a token for the merchant', async () => {
    // No pushed request may name another resource, so the families are given one.
    const extra = 'https://extra.example'
    const addResource = () =>
      app.platform.db.query(
        sql`UPDATE token_families SET resources = resources || ${JSON.stringify([extra])}::jsonb WHERE client_id = ${agent.clientId}`,
      )
    const bought = await agent.buy()
    await addResource()
    const foreign = (await agent.refresh(bought.refresh_token, { resource: extra })).json
    const refused = await agent.settle(foreign.access_token, bought.mandate_jwt, 'audience')
    expect([refused.status, refused.json['error']]).toEqual([401, 'invalid_token'])
    const merchants = (await agent.refresh(foreign.refresh_token, { resource: bought.merchant })).json
    expect((await agent.settle(merchants.access_token, bought.mandate_jwt, 'audience')).status).toBe(200)

    const access = await agent.walletAccess('wallet:read')
    const asked = await agent.push(access.form)
    await person.decide((await person.pending())[0]?.['authorization_id'], 'approve')
    const redirect = await agent.authorize(asked.json.request_uri)
    const given = (await agent.redeem(redirect.result['code'] ?? '', access.verifier)).json
    await addResource()
    const narrow = (await agent.refresh(given.refresh_token, { resource: extra })).json
    expectRefusal(await agent.call('GET', '/wallet/agents', narrow.access_token), 'invalid_token')
    const full = (await agent.refresh(narrow.refresh_token)).json
    expect((await agent.call('GET', '/wallet/agents', full.access_token)).status).toBe(200)
  })

  test('X8 the issuer with a trailing slash counts as the same resource', async () => {
    const access = await agent.walletAccess('wallet:read')
    const asked = await agent.push({ ...access.form, resource: new URL(app.baseUrl).href })
    const [waiting] = await person.pending()
    if (waiting !== undefined) await person.decide(waiting['authorization_id'], 'approve')
    const { result } = await agent.authorize(asked.json.request_uri)
    const { access_token: token } = (await agent.redeem(result['code'] ?? '', access.verifier)).json
    expect((await agent.call('GET', '/wallet/agents', token)).status).toBe(200)
  })

  test.each(walletEndpoints)('X9 $operation requires $scope and names it', async ({ method, path, scope }) => {
    const { principalId } = await newPrincipal(app)
    const others = walletScopes.filter((name) => name !== scope).join(' ')
    const without = await Person.signIn(app, principalId, others)
    const dpop = await proofOf(without, method, path)
    const answer = await send(method, path, { authorization: `DPoP ${without.token}`, dpop })
    expect([answer.status, answer.json['error']]).toEqual([403, 'insufficient_scope'])
    expect(challengesOf(answer)).toEqual(
      ['DPoP', 'Bearer'].map((scheme) => ({
        scheme,
        parameters: { realm: app.baseUrl, error: 'insufficient_scope', scope },
      })),
    )
    const only = await Person.signIn(app, principalId, scope ?? '')
    const proof = await proofOf(only, method, path)
    const allowed = await send(method, path, { authorization: `DPoP ${only.token}`, dpop: proof })
    expect([401, 403]).not.toContain(allowed.status)
  })

  test('X9 settlement requires payment:execute, which a wallet session never has', async () => {
    const { form, verifier } = await agent.purchase()
    const pushed = await agent.push({ ...form, scope: 'openid oid4ac:payment' })
    const { result } = await agent.authorize(pushed.json.request_uri)
    const tokens = (await agent.redeem(result['code'] ?? '', verifier)).json
    const settle = await agent.settle(tokens.access_token, tokens.mandate_jwt, 'scope')
    const body = { mandate: tokens.mandate_jwt, idempotency_key: 'scope' }
    for (const answer of [settle, await person.call('POST', '/settlement/settle', body)]) {
      expect([answer.status, answer.json['error']]).toEqual([403, 'insufficient_scope'])
      expect(challengesOf(answer)).toEqual([
        {
          scheme: 'DPoP',
          parameters: { realm: app.baseUrl, error: 'insufficient_scope', scope: 'payment:execute' },
        },
      ])
    }
  })

  test.each(walletEndpoints)('X10 $operation refuses an agent-only token', async ({ method, path }) => {
    const { access_token: token } = await agent.buy()
    expectRefusal(await agent.call(method, path, token, method === 'GET' ? undefined : {}), 'invalid_token')
    expectRefusal(await send(method, path, { authorization: `Bearer ${token}` }), 'invalid_token')
  })

  test('X11 a token in the query or the body is not read', async () => {
    const query = `?access_token=${person.token}`
    const { access_token: token, mandate_jwt: mandate } = await agent.buy()
    const settlement = JSON.stringify({ mandate, idempotency_key: 'body', access_token: token })
    const answers = [
      await send('GET', `/wallet/agents${query}`, {}),
      await send('GET', `/wallet/agents${query}`, { dpop: await proofOf(person, 'GET', '/wallet/agents') }),
      await send('POST', '/wallet/limits', {}, JSON.stringify({ access_token: person.token })),
      await send('POST', '/settlement/settle', {}, settlement),
    ]
    for (const answer of answers) expectRefusal(answer, undefined)
  })

  test('X12 every challenge is quoted, has the issuer as realm, and appears once per scheme', async () => {
    const authorization = `DPoP ${person.token}`
    const reader = await Person.signIn(app, agent.principalId, 'wallet:read')
    const answers = [
      await send('GET', '/wallet/agents', {}),
      await send('GET', '/wallet/agents', { authorization }),
      await send('GET', '/wallet/agents', { authorization: 'DPoP a"b\\c' }),
      await send('GET', '/wallet/agents', { authorization: 'Bearer x' }),
      await visit(person, await proofOf(person, 'GET', '/wallet/agents', { nonce: '"\\' })),
      await reader.call('POST', '/wallet/limits', {}),
    ]
    for (const answer of answers) {
      const challenges = challengesOf(answer)
      expect(challenges.map(({ scheme }) => scheme)).toEqual(['DPoP', 'Bearer'])
      for (const { parameters } of challenges) expect(parameters['realm']).toBe(app.baseUrl)
    }
    // RFC 6750 knows nothing of proofs: what is wrong with one is no error of the Bearer scheme.
    expect(errorsOf(answers[1] as Answer)).toEqual(['invalid_dpop_proof', undefined])
    expect(errorsOf(answers[3] as Answer)).toEqual(['invalid_token', 'invalid_token'])
  })
})

describe('with REQUIRE_DPOP', () => {
  let person: Person
  withApp(
    async (started) => {
      app = started
      person = await Person.signIn(app, (await newPrincipal(app)).principalId, walletScopes.join(' '))
    },
    { REQUIRE_DPOP: 'true' },
  )

  test.each(endpoints)(
    'X4 $operation neither accepts nor offers Bearer under REQUIRE_DPOP',
    async ({ method, path }) => {
      const bearer = await send(method, path, { authorization: `Bearer ${person.token}` })
      expectRefusal(bearer, 'invalid_token')
      const nothing = await send(method, path, {})
      expect([schemesOf(bearer), schemesOf(nothing)]).toEqual([['DPoP'], ['DPoP']])
    },
  )

  test('X4 under REQUIRE_DPOP the DPoP scheme is accepted, and insufficient_scope is challenged for it alone', async () => {
    expect((await visit(person, await proofOf(person, 'GET', '/wallet/agents'))).status).toBe(200)
    const reader = await Person.signIn(app, person.principalId, 'wallet:read')
    const answer = await reader.call('POST', '/wallet/limits', {})
    expect([answer.status, schemesOf(answer)]).toEqual([403, ['DPoP']])
  })
})
