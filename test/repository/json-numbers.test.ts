import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  Agent,
  type Answer,
  clientForm,
  dpopProof,
  exchange,
  handmadeJws,
  type Key,
  newKey,
  newPrincipal,
  newSetupToken,
  operate,
  Person,
  REDIRECT_URI,
} from '../support/actors'
import { type App, startApp } from '../support/app'
import { timedSignature } from '../support/timed-signature'

/** Where the number goes that a double cannot hold; JSON is text here, since JSON.stringify could not write it. */
const HOLE = '"#"'

const refused = [
  ['2^53 + 1', '9007199254740993'],
  ['2^53', '9007199254740992'],
  ['-(2^53 + 1)', '-9007199254740993'],
  ['a fraction that is rounded away', '9007199254740991.4'],
  ['an amount with a fraction that is rounded away', '1200.00000000000000001'],
  ['an infinity', '1e400'],
  ['a minus infinity', '-1e400'],
  ['what becomes zero', '1e-400'],
] as const

let app: App
let agent: Agent
let person: Person
beforeAll(async () => {
  app = await startApp({ env: { REQUESTS_PER_MINUTE: '0' } })
  const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits' })
  agent = await Agent.register(app, principalId)
  person = await Person.signIn(app, principalId)
})
afterAll(() => app.close())

const outcome = ({ status, json }: Answer) => [status, json['error']]
const fill = (template: unknown, literal: string) => JSON.stringify(template).replace(HOLE, literal)

/** POST of a JSON text with a token in the DPoP scheme. */
async function post(path: string, { token, key }: { token: string; key: Person['key'] }, body: string) {
  const url = app.baseUrl + path
  const proof = await dpopProof(app, key, { method: 'POST', url, accessToken: token })
  return exchange(url, {
    method: 'POST',
    headers: { authorization: `DPoP ${token}`, dpop: proof, 'content-type': 'application/json' },
    body,
  })
}

const now = () => Math.floor(app.clock.now().getTime() / 1000)

describe.each(refused)('%s', (_name, literal) => {
  test('a settlement with this number is 400, and the mandate can still be settled', async () => {
    const { access_token: token, mandate_jwt: mandate } = await agent.buy()
    const key = randomUUID()
    const order = { mandate, idempotency_key: key, application_fee_minor: '#' }
    const answer = await post('/settlement/settle', { token, key: agent.dpopKey }, fill(order, literal))
    expect(outcome(answer), answer.text).toEqual([400, 'invalid_request'])
    const settled = await agent.settle(token, mandate, key)
    expect(settled.status, settled.text).toBe(200)
  })

  test('a limit with this number is 400, and the limits stay as they are', async () => {
    const { token, key } = person
    const limits = { currency: 'EUR', daily_cap_minor: 90_000 }
    expect((await person.call('POST', '/wallet/limits', limits)).status).toBe(200)
    const body = fill({ currency: 'EUR', daily_cap_minor: '#' }, literal)
    const answer = await post('/wallet/limits', { token, key }, body)
    expect(outcome(answer), answer.text).toEqual([400, 'invalid_request'])
    expect(answer.json['error_description']).toContain('number')
    expect((await person.call('GET', '/wallet/limits')).json).toMatchObject(limits)
  })

  test('authorization_details with this number are invalid_authorization_details', async () => {
    const { form } = await agent.purchase({ amount_minor: 1200 })
    const details = form.authorization_details.replace('"amount_minor":1200', `"amount_minor":${literal}`)
    expect(details).toContain(literal)
    expect(outcome(await agent.push({ ...form, authorization_details: details }))).toEqual([
      400,
      'invalid_authorization_details',
    ])
    const items = form.authorization_details.replace('"qty":1', `"qty":${literal}`)
    expect(outcome(await agent.push({ ...form, authorization_details: items }))).toEqual([
      400,
      'invalid_authorization_details',
    ])
  })

  test('a registration with this number is invalid_client_metadata, also in an unknown member', async () => {
    const { jwk } = await newKey()
    const metadata = {
      redirect_uris: [REDIRECT_URI],
      jwks: { keys: [jwk] },
      token_endpoint_auth_method: 'private_key_jwt',
      client_name: 'Test agent',
      scope: 'openid oid4ac:payment',
      software_statement: await newSetupToken(app, person.principalId),
    }
    const register = (body: string) =>
      exchange(`${app.baseUrl}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    const answer = await register(fill({ ...metadata, default_max_age: '#' }, literal))
    expect(outcome(answer), answer.text).toEqual([400, 'invalid_client_metadata'])
    expect((await register(JSON.stringify(metadata))).status).toBe(201)
  })

  test('a signed processor event with this number is 400, and its id stays unused', async () => {
    const id = `evt_${randomUUID()}`
    const send = (body: string) => {
      const signing = { secret: app.platform.config.secrets.processorWebhook, now: app.clock.now() }
      return exchange(`${app.baseUrl}/webhooks/stripe`, {
        method: 'POST',
        headers: { 'processor-signature': timedSignature(body, signing), 'content-type': 'application/json' },
        body,
      })
    }
    const event = { id, type: 'payment_intent.created', created: now(), data: { object: { id: 'pi_1', amount: '#' } } }
    expect(outcome(await send(fill(event, literal)))).toEqual([400, 'invalid_request'])
    const taken = await send(fill(event, '1200'))
    expect([taken.status, taken.json['duplicate']]).toEqual([200, undefined])
  })

  test.each(['exp', 'iat', 'nbf', 'anything'])(
    'a client assertion with this number as %s is 401 invalid_client',
    async (name) => {
      const claims = { iss: agent.clientId, sub: agent.clientId, aud: app.baseUrl, iat: now(), exp: now() + 60 }
      const payload = (number: string) => fill({ ...claims, jti: randomUUID(), [name]: '#' }, number)
      const ask = async (assertion: string) =>
        exchange(`${app.baseUrl}/oauth/introspect`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: await clientForm(app, agent, { client_assertion: assertion, token: 'x' }),
        })
      const header = { alg: agent.key.alg }
      expect(outcome(await ask(handmadeJws(header, payload(literal), agent.key)))).toEqual([401, 'invalid_client'])
      const good = await ask(handmadeJws(header, payload(String(now() + (name === 'exp' ? 60 : 0))), agent.key))
      expect(good.status, good.text).toBe(200)
    },
  )

  test.each(['iat', 'exp', 'anything'])('a DPoP proof with this number as %s is invalid_dpop_proof', async (name) => {
    const remade = (good: string, number: string, key: Key) => {
      const [header = '', payload = ''] = good.split('.').map((part) => Buffer.from(part, 'base64url').toString())
      const claims: Record<string, unknown> = JSON.parse(payload)
      return handmadeJws(header, fill({ ...claims, jti: randomUUID(), [name]: '#' }, number), key)
    }
    const fine = String(now() + (name === 'exp' ? 60 : 0))
    const { token, key } = person
    const url = `${app.baseUrl}/wallet/limits`
    const read = async (number: string) => {
      const proof = remade(await dpopProof(app, key, { method: 'GET', url, accessToken: token }), number, key)
      return exchange(url, { headers: { authorization: `DPoP ${token}`, dpop: proof } })
    }
    expect(outcome(await read(literal))).toEqual([401, 'invalid_token'])
    expect((await read(fine)).status).toBe(200)
    const push = async (number: string) => {
      await agent.freshNonce()
      const proof = remade(await agent.proof('POST', `${app.baseUrl}/oauth/par`), number, agent.dpopKey)
      return agent.mint('/oauth/par', (await agent.purchase()).form, { dpop: proof })
    }
    expect(outcome(await push(literal))).toEqual([400, 'invalid_dpop_proof'])
    expect((await push(fine)).status).toBe(201)
  })

  test('an operator request with this number is 400', async () => {
    expect(literal).not.toBe('')
    const url = `${app.baseUrl}/operator/sandbox/principals`
    const answer = await exchange(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.operatorToken}`, 'content-type': 'application/json' },
      body: fill({ limits: { currency: 'EUR', daily_cap_minor: '#' } }, literal),
    })
    expect(outcome(answer), answer.text).toEqual([400, 'invalid_request'])
  })
})

describe('what a double holds is taken', () => {
  test.each(['1e3', '1.2e3', '1200.0', '1200', '1000000000000'])('the limit %s is accepted', async (literal) => {
    const { token, key } = person
    const answer = await post(
      '/wallet/limits',
      { token, key },
      fill({ currency: 'EUR', daily_cap_minor: '#' }, literal),
    )
    expect(answer.status, answer.text).toBe(200)
    expect(answer.json['daily_cap_minor']).toBe(Number(literal))
  })

  test('a time with a fraction of a second is accepted', async () => {
    const { token, key } = person
    const url = `${app.baseUrl}/wallet/limits`
    const claims = { iat: now() + 0.123_456_7 }
    const proof = await dpopProof(app, key, { method: 'GET', url, accessToken: token, claims })
    expect((await exchange(url, { headers: { authorization: `DPoP ${token}`, dpop: proof } })).status).toBe(200)
  })

  test('a string of many digits stays a string', async () => {
    const name = '9007199254740995, 1e400'
    const answer = await operate(app, 'POST', '/wallet-clients', { name, jwks: { keys: [(await newKey()).jwk] } })
    expect(answer.status, answer.text).toBe(201)
  })
})
