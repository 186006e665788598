import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { sweepExpired } from '@/server/sweep'
import {
  Agent,
  type Answer,
  clientAssertion,
  clientForm,
  dpopProof,
  exchange,
  handmadeJws,
  type Key,
  newKey,
  newPrincipal,
  newSetupToken,
  newWalletClient,
  operate,
  Person,
  REDIRECT_URI,
} from '../support/actors'
import type { App } from '../support/app'
import { type Form, readyAgent, withApp } from './setup'

let app: App
let agent: Agent
let wallet: Awaited<ReturnType<typeof newWalletClient>>
let walletDpopKey: Key

async function prepare(started: App) {
  app = started
  agent = await newAgent()
  wallet = await newWalletClient(app)
  walletDpopKey = await newKey()
}

const newAgent = (metadata: Record<string, unknown> = {}) => readyAgent(app, { metadata })

/** An agent whose registered keys are these, and which signs with the first of them. */
async function agentWithKeys(key: Key, ...others: Key[]) {
  const keys = [key, ...others].map(({ jwk }, index) => ({ ...jwk, kid: `key-${index + 1}` }))
  const { clientId, dpopKey, principalId } = await newAgent({ jwks: { keys } })
  return new Agent(app, clientId, key, dpopKey, principalId)
}

const paths = ['/oauth/par', '/oauth/token', '/oauth/introspect', '/oauth/revoke', '/wallet/setup-tokens'] as const
type Path = (typeof paths)[number]
type Client = Pick<Agent, 'clientId' | 'key'>

const success = {
  '/oauth/par': 201,
  '/oauth/token': 200,
  '/oauth/introspect': 200,
  '/oauth/revoke': 200,
  '/wallet/setup-tokens': 201,
}
const clientOf = (path: Path): Client => (path === '/wallet/setup-tokens' ? wallet : agent)

/** A request that succeeds, but for what `form` and `headers` change. */
async function send(
  path: Path,
  form: Form,
  headers: Record<string, string> = {},
  client: Client = clientOf(path),
): Promise<Answer> {
  if (path === '/wallet/setup-tokens') return mintSetupToken(form, headers)
  if (path === '/oauth/introspect' || path === '/oauth/revoke') {
    return exchange(app.baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: await clientForm(app, client, { token: 'unknown', ...form }),
    })
  }
  if (path === '/oauth/par') return agent.mint(path, { ...(await agent.purchase()).form, ...form }, headers)
  const { code, verifier } = await agent.code()
  const grant = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: REDIRECT_URI }
  return agent.mint(path, { ...grant, ...form }, headers)
}

async function mintSetupToken(form: Record<string, unknown>, headers: Record<string, string> = {}): Promise<Answer> {
  const url = `${app.baseUrl}/wallet/setup-tokens`
  const proof = { method: 'POST', url, nonce: await agent.freshNonce() }
  return exchange(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      dpop: await dpopProof(app, walletDpopKey, proof),
      ...headers,
    },
    body: JSON.stringify({
      client_id: wallet.clientId,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: form['client_assertion'] ?? (await clientAssertion(app, wallet)),
      principal_id: `person-${randomUUID()}`,
      ...form,
    }),
  })
}

const now = () => Math.floor(app.clock.now().getTime() / 1000)
const outcome = ({ status, json }: Answer) => [status, json['error']]
const INVALID_CLIENT = [401, 'invalid_client']

describe('private_key_jwt', () => {
  let otherKey: Key
  let ecKey: Key
  let rsaKey: Key
  withApp(async (started) => {
    await prepare(started)
    ;[otherKey, ecKey, rsaKey] = await Promise.all([newKey(), newKey('ES256'), newKey('RS256')])
  })

  /** What the client would sign, for signing it otherwise. */
  const claimsOf = async (client: Client) => decodeJwt(await clientAssertion(app, client))

  type Claims = () => Record<string, unknown>
  const badClaims: [string, Claims][] = [
    ['C2 the token endpoint as aud', () => ({ aud: `${app.baseUrl}/oauth/token` })],
    ['C2 the PAR endpoint as aud', () => ({ aud: `${app.baseUrl}/oauth/par` })],
    ['C3 the issuer in an array as aud', () => ({ aud: [app.baseUrl] })],
    ['C4 another issuer as aud', () => ({ aud: 'https://as.example' })],
    ['C4 no aud', () => ({ aud: undefined })],
    ['C4 the issuer and a slash as aud', () => ({ aud: `${app.baseUrl}/` })],
    ['C5 no exp', () => ({ exp: undefined })],
    ['C5 exp in the past beyond any skew', () => ({ exp: now() - 70 })],
    ['C5 exp more than 300 s ahead', () => ({ exp: now() + 330 })],
    ['C5 exp in ten years', () => ({ exp: now() + 315_360_000 })],
    ['C5 exp as a string', () => ({ exp: String(now() + 60) })],
    ['C6 iat more than 60 s ahead', () => ({ iat: now() + 70 })],
    ['C6 nbf more than 60 s ahead', () => ({ nbf: now() + 70 })],
    ['C7 no jti', () => ({ jti: undefined })],
    ['C7 an empty jti', () => ({ jti: '' })],
    ['C7 a number as jti', () => ({ jti: 7 })],
    ['C8 a jti of 257 characters', () => ({ jti: 'j'.repeat(257) })],
    ['C9 no sub', () => ({ sub: undefined })],
    ['C9 no iss', () => ({ iss: undefined })],
    ['C9 an iss that is not the sub', () => ({ iss: app.baseUrl })],
  ]

  const badForms: [string, (client: Client) => string | Promise<string>][] = [
    ['C10 alg none without signature', async (c) => handmadeJws({ alg: 'none' }, await claimsOf(c), () => Buffer.of())],
    ['C10 alg none with the right signature', async (c) => handmadeJws({ alg: 'none' }, await claimsOf(c), c.key)],
    ['C10 no alg', async (c) => handmadeJws({ typ: 'JWT' }, await claimsOf(c), c.key)],
    [
      'C10 HS256 keyed with the public JWK',
      async (c) => handmadeJws({ alg: 'HS256' }, await claimsOf(c), hmac(JSON.stringify(c.key.jwk))),
    ],
    [
      'C10 HS256 keyed with the bytes of the public key',
      async (c) => handmadeJws({ alg: 'HS256' }, await claimsOf(c), hmac(Buffer.from(c.key.jwk.x ?? '', 'base64url'))),
    ],
    ['C10 RS256', (c) => clientAssertion(app, { ...c, key: rsaKey })],
    ['C10 ES256 by a key that is not registered', (c) => clientAssertion(app, { ...c, key: ecKey })],
    ['C10 ES256 over the Ed25519 key', async (c) => handmadeJws({ alg: 'ES256' }, await claimsOf(c), c.key)],
    ['C12 an unknown kid', (c) => clientAssertion(app, c, {}, { kid: 'unknown' })],
    [
      'C12 a stranger who sends the key along',
      (c) => clientAssertion(app, { ...c, key: otherKey }, {}, { jwk: otherKey.jwk }),
    ],
    ['C13 an unknown crit', async (c) => handmadeJws({ alg: c.key.alg, crit: ['x'], x: 1 }, await claimsOf(c), c.key)],
    ['C13 an empty crit', async (c) => handmadeJws({ alg: c.key.alg, crit: [] }, await claimsOf(c), c.key)],
    ['C15 a signature by an unregistered key', (c) => clientAssertion(app, { ...c, key: otherKey })],
    [
      'C15 another payload under the signature',
      async (c) => swapPayload(await clientAssertion(app, c), { exp: now() + 200 }),
    ],
    ['C15 a value that is no JWT', () => 'garbage'],
    ['C15 three empty parts', () => '..'],
    ['C15 three parts that are no JSON', () => 'a.b.c'],
    ['C15 an array as payload', (c) => handmadeJws({ alg: c.key.alg }, [], c.key)],
    ['C15 padded base64', async (c) => `${await clientAssertion(app, c)}==`],
    ['C15 more than 8 KiB', (c) => clientAssertion(app, c, { pad: 'x'.repeat(8_192) })],
    ['C17 typ dpop+jwt', (c) => clientAssertion(app, c, {}, { typ: 'dpop+jwt' })],
    ['C17 typ at+jwt', (c) => clientAssertion(app, c, {}, { typ: 'at+jwt' })],
    ['C17 typ kb+jwt', (c) => clientAssertion(app, c, {}, { typ: 'kb+jwt' })],
  ]

  const good: [string, Claims, Record<string, unknown>][] = [
    ['C1 the issuer as aud', () => ({ aud: app.baseUrl }), {}],
    ['C5 exp 300 s ahead', () => ({ exp: now() + 300 }), {}],
    ['C6 iat 10 s ahead', () => ({ iat: now() + 10 }), {}],
    ['C6 nbf 10 s ahead', () => ({ nbf: now() + 10 }), {}],
    ['C8 a jti of 256 characters', () => ({ jti: randomUUID().padEnd(256, 'j') }), {}],
    ['C11 EdDSA', () => ({}), { alg: 'EdDSA' }],
    ['C11 Ed25519, the name of RFC 9864', () => ({}), { alg: 'Ed25519' }],
    ['C17 typ JWT', () => ({}), { typ: 'JWT' }],
    ['C17 typ in lower case', () => ({}), { typ: 'jwt' }],
    ['C17 the long typ', () => ({}), { typ: 'application/client-authentication+jwt' }],
    ['C17 typ client-authentication+jwt', () => ({}), { typ: 'client-authentication+jwt' }],
  ]

  describe.each(paths)('%s', (path) => {
    test.each(badClaims)('%s is 401 invalid_client', async (_name, claims) => {
      const assertion = await clientAssertion(app, clientOf(path), claims())
      expect(outcome(await send(path, { client_assertion: assertion }))).toEqual(INVALID_CLIENT)
    })

    test.each(badForms)('%s is 401 invalid_client', async (_name, sign) => {
      const assertion = await sign(clientOf(path))
      expect(outcome(await send(path, { client_assertion: assertion }))).toEqual(INVALID_CLIENT)
    })

    test.each(good)('%s is accepted', async (_name, claims, header) => {
      const assertion = await clientAssertion(app, clientOf(path), claims(), header)
      const answer = await send(path, { client_assertion: assertion })
      expect(answer.status, answer.text).toBe(success[path])
    })

    test("C9 a client_id that is not the sub is 401 invalid_client, also when it is another client's", async () => {
      const { clientId } = await newAgent()
      expect(outcome(await send(path, { client_id: clientId }))).toEqual(INVALID_CLIENT)
      expect(outcome(await send(path, { client_id: randomUUID() }))).toEqual(INVALID_CLIENT)
    })

    test.each([
      ['missing', undefined],
      ['empty', ''],
      ['for SAML', 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer'],
    ])('C14 a client_assertion_type that is %s is 400 invalid_request', async (_name, type) => {
      expect(outcome(await send(path, { client_assertion_type: type }))).toEqual([400, 'invalid_request'])
    })

    test('C16 a second kind of client authentication is 400 invalid_request', async () => {
      expect(outcome(await send(path, { client_secret: 'secret' }))).toEqual([400, 'invalid_request'])
      const basic = Buffer.from(`${clientOf(path).clientId}:secret`).toString('base64')
      expect(outcome(await send(path, {}, { authorization: `Basic ${basic}` }))).toEqual([400, 'invalid_request'])
    })

    test('C15 an unknown client is refused byte for byte like a bad signature', async () => {
      const known = clientOf(path).clientId
      const variations = [{}, { typ: 'dpop+jwt' }, { kid: 'unknown' }, { alg: 'Ed25519' }]
      for (const header of variations) {
        const answers = [known, randomUUID()].map(async (clientId) => {
          const assertion = await clientAssertion(app, { clientId, key: otherKey }, { aud: 'x' }, header)
          return lastingParts(await send(path, { client_id: clientId, client_assertion: assertion }))
        })
        const [badSignature, unknownClient] = await Promise.all(answers)
        expect(unknownClient).toEqual(badSignature)
        expect(unknownClient).toMatchObject({ status: 401 })
      }
    })

    test('C19 a client that tries Basic is challenged for it and refused', async () => {
      const none = { client_assertion: undefined, client_assertion_type: undefined }
      const answer = await send(path, none, { authorization: 'Basic eDp5' })
      expect(outcome(answer)).toEqual(INVALID_CLIENT)
      expect(answer.headers.get('www-authenticate')).toBe(`Basic realm="${app.baseUrl}"`)
    })

    test('C19 a 401 is JSON, is not cached, and asks for no password', async () => {
      const answer = await send(path, { client_assertion: 'garbage' })
      expect(outcome(answer)).toEqual(INVALID_CLIENT)
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('www-authenticate') ?? '').not.toMatch(/basic/i)
    })

    test('C7 of many parallel uses of one assertion exactly one succeeds', async () => {
      const assertion = await clientAssertion(app, clientOf(path))
      const answers = await Promise.all(Array.from({ length: 8 }, () => send(path, { client_assertion: assertion })))
      expect(answers.filter(({ status }) => status === success[path])).toHaveLength(1)
      expect(answers.filter((answer) => outcome(answer).join() === INVALID_CLIENT.join())).toHaveLength(7)
    })

    test('C7 an assertion that was used at one endpoint is refused at every other', async () => {
      const client = clientOf(path)
      const assertion = await clientAssertion(app, client)
      expect((await send(path, { client_assertion: assertion })).status).toBe(success[path])
      const own = client === agent ? paths.filter((one) => one !== '/wallet/setup-tokens') : paths.slice(2)
      for (const other of own) {
        const again = await send(other, { client_assertion: assertion }, {}, client)
        expect(outcome(again), other).toEqual(INVALID_CLIENT)
      }
    })
  })

  test('C7 a jti belongs to its client: another client may use the same', async () => {
    const jti = randomUUID()
    for (const client of [agent, wallet, await newAgent()]) {
      const assertion = await clientAssertion(app, client, { jti })
      const answer = await send('/oauth/introspect', { client_assertion: assertion }, {}, client)
      expect(answer.status, answer.text).toBe(200)
    }
  })

  test('C11 an Ed448 key is refused at registration', async () => {
    const jwk = generateKeyPairSync('ed448').publicKey.export({ format: 'jwk' })
    expect(await registrationOf([jwk])).toEqual([400, 'invalid_client_metadata'])
  })

  test('C12 kid selects the key; without kid any key that fits the algorithm is tried', async () => {
    const [first, second, ec] = await Promise.all([newKey(), newKey(), newKey('ES256')])
    const client = await agentWithKeys(first, second, ec)
    const ask = async (key: Key, header: Record<string, unknown>) => {
      const assertion = await clientAssertion(app, { ...client, clientId: client.clientId, key }, {}, header)
      return (await send('/oauth/introspect', { client_assertion: assertion }, {}, client)).status
    }
    for (const key of [first, second, ec]) expect(await ask(key, {})).toBe(200)
    expect(await ask(first, { kid: 'key-1' })).toBe(200)
    expect(await ask(second, { kid: 'key-2' })).toBe(200)
    expect(await ask(ec, { kid: 'key-3' })).toBe(200)
    expect(await ask(first, { kid: 'key-2' })).toBe(401)
    expect(await ask(ec, { kid: 'key-1' })).toBe(401)
    expect(await ask(first, { kid: 'key-3' })).toBe(401)
  })

  test('C12 keys for another use or algorithm cannot be registered', async () => {
    const { jwk } = await newKey()
    expect(await registrationOf([{ ...jwk, use: 'enc' }])).toEqual([400, 'invalid_client_metadata'])
    expect(await registrationOf([{ ...jwk, alg: 'ES256' }])).toEqual([400, 'invalid_client_metadata'])
  })

  test('C12 jku, x5u and jwk of the header are never followed', async () => {
    const visits: string[] = []
    const server = createServer((request, response) => {
      visits.push(request.url ?? '')
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [otherKey.jwk] }))
    })
    await new Promise<void>((resolve) => server.listen(0, resolve))
    const url = `http://localhost:${(server.address() as AddressInfo).port}/jwks.json`
    const header = { jku: url, x5u: url, jwk: otherKey.jwk }
    const stranger = await clientAssertion(app, { clientId: agent.clientId, key: otherKey }, {}, header)
    expect(outcome(await send('/oauth/par', { client_assertion: stranger }))).toEqual(INVALID_CLIENT)
    const own = await clientAssertion(app, agent, {}, header)
    expect((await send('/oauth/par', { client_assertion: own })).status).toBe(201)
    await new Promise((resolve) => server.close(resolve))
    expect(visits).toEqual([])
  })

  test('C14 a client_assertion_type that is not a string is 400 invalid_request', async () => {
    expect(outcome(await mintSetupToken({ client_assertion_type: 1 }))).toEqual([400, 'invalid_request'])
  })

  test.each(['/oauth/introspect', '/wallet/setup-tokens'] as const)(
    'D20, C7 a form that %s refuses consumes neither assertion nor proof',
    async (path) => {
      const assertion = await clientAssertion(app, clientOf(path))
      const url = app.baseUrl + path
      const proof = await dpopProof(app, walletDpopKey, { method: 'POST', url, nonce: await agent.freshNonce() })
      const [missing, given] = [{ token: undefined, principal_id: undefined }, {}].map((form) => ({
        ...form,
        client_assertion: assertion,
      }))
      expect((await send(path, missing ?? {}, { dpop: proof })).status).toBe(422)
      expect((await send(path, given ?? {}, { dpop: proof })).status).toBe(success[path])
      expect(outcome(await send(path, given ?? {}))).toEqual(INVALID_CLIENT)
    },
  )

  test('C18 a revoked agent is 401 invalid_client at every endpoint, also with a code from before', async () => {
    const revoked = await newAgent()
    const [{ code, verifier }, { form }] = [await revoked.code(), await revoked.purchase()]
    const tokens = await revoked.buy()
    const person = await Person.signIn(app, revoked.principalId)
    expect((await person.call('POST', `/wallet/agents/${revoked.clientId}/revoke`)).status).toBe(200)
    expect(outcome(await revoked.push(form))).toEqual(INVALID_CLIENT)
    expect(outcome((await revoked.redeem(code, verifier)) as never)).toEqual(INVALID_CLIENT)
    expect(outcome((await revoked.refresh(tokens.refresh_token)) as never)).toEqual(INVALID_CLIENT)
    expect(outcome((await revoked.refresh('unknown')) as never)).toEqual(INVALID_CLIENT)
    expect(outcome(await revoked.mint('/oauth/par', {}))).toEqual(INVALID_CLIENT)
    expect(outcome(await revoked.mint('/oauth/introspect', {}))).toEqual(INVALID_CLIENT)
    for (const path of ['/oauth/introspect', '/oauth/revoke'] as const) {
      expect(outcome(await send(path, { token: tokens.access_token }, {}, revoked))).toEqual(INVALID_CLIENT)
    }
  })

  test('C7 a used assertion stays refused until it expires, also after a sweep', async () => {
    const exp = now() + 290
    const [used, unused] = [await clientAssertion(app, agent, { exp }), await clientAssertion(app, agent, { exp })]
    expect((await send('/oauth/introspect', { client_assertion: used })).status).toBe(200)
    app.clock.advance({ seconds: 270 })
    agent.forgetNonce()
    await sweepExpired(app.platform)
    expect(outcome(await send('/oauth/introspect', { client_assertion: used }))).toEqual(INVALID_CLIENT)
    expect((await send('/oauth/introspect', { client_assertion: unused })).status).toBe(200)
  })
})

/** `LEGACY_RS256_UNTIL` lets agents that cannot do better sign assertions with RS256 for a while, and nothing else. */
describe('C10 the RS256 window', () => {
  const until = Math.floor(Date.now() / 1000) + 3_600
  let rsaKey: Key
  let legacy: Agent
  withApp(
    async (started) => {
      await prepare(started)
      rsaKey = await newKey('RS256')
      legacy = await agentWithKeys(rsaKey)
    },
    { LEGACY_RS256_UNTIL: new Date(until * 1000).toISOString() },
  )

  const introspect = async (client: Client) => outcome(await send('/oauth/introspect', {}, {}, client))

  test('C10 in the RS256 window an agent registers an RSA key and signs with RS256 everywhere', async () => {
    expect((await legacy.buy()).token_type).toBe('DPoP')
    expect(await introspect(legacy)).toEqual([200, undefined])
    expect((await send('/oauth/revoke', {}, {}, legacy)).status).toBe(200)
  })

  test("C10 the RS256 window admits only RS256 by the agent's own key of at least 2048 bits", async () => {
    const pss = handmadeJws({ alg: 'PS256' }, decodeJwt(await legacy.assertion()), rsaKey)
    expect(outcome(await send('/oauth/introspect', { client_assertion: pss }, {}, legacy))).toEqual(INVALID_CLIENT)
    expect(await introspect({ clientId: agent.clientId, key: rsaKey })).toEqual(INVALID_CLIENT)
    expect(await introspect({ clientId: legacy.clientId, key: await newKey('RS256') })).toEqual(INVALID_CLIENT)
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })
    expect(await registrationOf([short])).toEqual([400, 'invalid_client_metadata'])
  })

  test('C10 the RS256 window is closed to wallet clients', async () => {
    const refused = await operate(app, 'POST', '/wallet-clients', { name: 'RSA', jwks: { keys: [rsaKey.jwk] } })
    expect(refused.status).toBe(422)
    const assertion = await clientAssertion(app, { ...wallet, key: rsaKey })
    expect(outcome(await mintSetupToken({ client_assertion: assertion }))).toEqual(INVALID_CLIENT)
  })

  test('D5 the RS256 window is closed to DPoP proofs', async () => {
    const { form } = await legacy.purchase()
    await legacy.freshNonce()
    const url = `${app.baseUrl}/oauth/par`
    const own = decodeJwt(await legacy.proof('POST', url))
    const dpop = await dpopProof(app, rsaKey, { method: 'POST', url, claims: own })
    expect(outcome(await legacy.mint('/oauth/par', form, { dpop }))).toEqual([400, 'invalid_dpop_proof'])
  })

  test('C10 after the RS256 window neither key nor signature is accepted', async () => {
    app.clock.advance({ seconds: until - now() - 10 })
    expect(await introspect(legacy)).toEqual([200, undefined])
    app.clock.advance({ seconds: 10 })
    expect(await introspect(legacy)).toEqual(INVALID_CLIENT)
    legacy.forgetNonce()
    expect(outcome((await legacy.push((await legacy.purchase()).form)) as never)).toEqual(INVALID_CLIENT)
    expect(await registrationOf([rsaKey.jwk])).toEqual([400, 'invalid_client_metadata'])
  })
})

function hmac(secret: string | Buffer) {
  return (input: Buffer) => createHmac('sha256', secret).update(input).digest()
}

function swapPayload(jws: string, claims: Record<string, unknown>): string {
  const [header, , signature] = jws.split('.')
  const payload = Buffer.from(JSON.stringify({ ...decodeJwt(jws), ...claims })).toString('base64url')
  return `${header}.${payload}.${signature}`
}

/** What two answers must have in common to be indistinguishable. */
function lastingParts({ status, headers, text }: Answer) {
  const passing = new Set(['date', 'x-request-id'])
  return { status, text, headers: [...headers].filter(([name]) => !passing.has(name)) }
}

async function registrationOf(keys: readonly object[]) {
  const { principalId } = await newPrincipal(app)
  const answer = await exchange(`${app.baseUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: [REDIRECT_URI],
      jwks: { keys },
      software_statement: await newSetupToken(app, principalId),
    }),
  })
  return outcome(answer)
}
