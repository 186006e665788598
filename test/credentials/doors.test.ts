/** Decisions A2, A3, A6 and A7 at each endpoint that a backend or a wallet calls. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Agent, clientAssertion, exchange, newPrincipal, newWalletClient, operate } from '../support/actors'
import { type App, startApp } from '../support/app'

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
type Headers = Record<string, string>

let open: App
let closed: App
let atPublicAddress: App
beforeAll(async () => {
  open = await startApp()
  closed = await startApp({ env: { OPERATOR_TOKEN: randomBytes(32).toString('hex') } })
  atPublicAddress = await startApp({ env: { BASE_URL: 'https://play.example.com', SANDBOX_PUBLIC: 'true' } })
})
afterAll(() => Promise.all([open.close(), closed.close(), atPublicAddress.close()]))

/** The endpoints for backends, and what an empty request with a good credential is answered. */
const BACKEND: readonly [method: string, path: string, atWorst: number][] = [
  ['POST', '/oid4vci/credential-offer', 422],
  ['POST', '/eudiw/request', 422],
  ['POST', '/eudiw/verify', 422],
  ['GET', '/eudiw/response/unknown', 404],
]
const OFFER = JSON.stringify({
  credential_configuration_id: 'service_age_verified_buyer',
  subject: { age_equal_or_over: { 18: true } },
})
/** The operator's endpoints of credentials and federations that take a body. */
const OPERATED: readonly [method: string, path: string][] = [
  ['PUT', '/operator/trust-lists/eu'],
  ['PUT', '/operator/relying-party'],
  ['POST', '/operator/federation/subordinates'],
]
const POSTED = BACKEND.filter(([method]) => method === 'POST').map(([, path]) => path)

interface SentRequest {
  readonly body?: string
  readonly headers?: Headers
}

async function send(
  app: App,
  [method, path]: readonly [string, string],
  { body = '{}', headers = {} }: SentRequest = {},
) {
  const sent = method === 'GET' ? { headers } : { headers: { 'content-type': JSON_TYPE, ...headers }, body }
  const answer = await exchange<{ error?: string }>(app.baseUrl + path, { method, ...sent })
  return { ...answer, outcome: `${answer.status} ${answer.json.error ?? 'detail'}` }
}

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` })
const asserted = async (app: App, client: Parameters<typeof clientAssertion>[1]): Promise<Headers> => ({
  'x-client-id': client.clientId,
  'x-client-assertion': await clientAssertion(app, client),
})

describe('who may call', () => {
  test.each(BACKEND)('A2 %s %s is open in a sandbox without OPERATOR_TOKEN', async (method, path, atWorst) => {
    expect((await send(open, [method, path])).status).toBe(atWorst)
    expect((await send(open, [method, path], { headers: bearer(open.operatorToken) })).status).toBe(atWorst)
  })

  test.each(BACKEND)('A2 %s %s is closed in a public sandbox without OPERATOR_TOKEN', async (method, path, atWorst) => {
    const { platform, operatorToken } = atPublicAddress
    const local = { ...atPublicAddress, baseUrl: `http://127.0.0.1:${platform.config.port}` }
    const refused = await send(local, [method, path])
    expect(refused.outcome).toBe('401 invalid_client')
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer/)
    expect((await send(local, [method, path], { headers: bearer(operatorToken) })).status).toBe(atWorst)
  })

  test.each(BACKEND)('A2 %s %s checks a credential that is sent to the open sandbox too', async (method, path) => {
    const client = await newWalletClient(open)
    const other = await newWalletClient(open)
    const wrong: Headers[] = [
      bearer('wrong'),
      bearer(''),
      { authorization: 'Basic eA==' },
      { authorization: `DPoP ${open.operatorToken}` },
      { ...(await asserted(open, client)), 'x-client-id': other.clientId },
      { 'x-client-id': client.clientId, 'x-client-assertion': 'x' },
      { 'x-client-id': client.clientId },
    ]
    for (const headers of wrong) {
      const answer = await send(open, [method, path], { headers })
      expect([headers, answer.outcome]).toEqual([headers, '401 invalid_client'])
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
    }
  })

  test.each(BACKEND)(
    'A3 %s %s takes the operator token or a wallet client, never both',
    async (method, path, atWorst) => {
      const client = await newWalletClient(closed)
      const call = async (headers: Headers) => (await send(closed, [method, path], { headers })).outcome
      expect(await call({})).toBe('401 invalid_client')
      expect((await send(closed, [method, path], { headers: bearer(closed.operatorToken) })).status).toBe(atWorst)
      expect((await send(closed, [method, path], { headers: await asserted(closed, client) })).status).toBe(atWorst)
      const both = { ...bearer(closed.operatorToken), ...(await asserted(closed, client)) }
      expect(await call(both)).toBe('400 invalid_request')
    },
  )

  test.each(BACKEND)('A3 %s %s refuses the assertion of an agent', async (method, path) => {
    const agent = await Agent.register(closed, (await newPrincipal(closed)).principalId)
    const answer = await send(closed, [method, path], { headers: await asserted(closed, agent) })
    expect(answer.outcome).toBe('401 invalid_client')
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })
})

test('A3 an assertion is accepted for one answered request', async () => {
  const headers = await asserted(closed, await newWalletClient(closed))
  const offer = ['POST', '/oid4vci/credential-offer'] as const
  expect((await send(closed, offer, { headers })).status, 'a refused body uses nothing up').toBe(422)
  expect((await send(closed, offer, { headers, body: OFFER })).status).toBe(200)
  expect((await send(closed, offer, { headers, body: OFFER })).outcome).toBe('401 invalid_client')
})

describe('the order of refusals', () => {
  const BAD: readonly [name: string, sent: SentRequest][] = [
    ['another media type', { headers: { 'content-type': 'text/plain' } }],
    ['too large a body', { body: `"${'x'.repeat(262_144)}"` }],
    ['no JSON', { body: '{' }],
    ['no object', { body: '[]' }],
    ['nothing of what is needed', {}],
  ]
  const EXPECTED = ['415', '413', '400', '422', '422']

  test.each(POSTED)('A6 POST %s looks at the credential before the body', async (path) => {
    for (const [name, sent] of BAD) {
      const answer = await send(closed, ['POST', path], { ...sent, headers: { ...sent.headers, ...bearer('wrong') } })
      expect([name, answer.outcome]).toEqual([name, '401 invalid_client'])
    }
  })

  test.each(OPERATED)('A6 %s %s looks at the credential before the body', async (method, path) => {
    for (const [name, sent] of BAD) {
      const headers = { ...sent.headers, ...bearer('wrong') }
      const answer = await send(closed, [method, path], { ...sent, headers })
      expect([name, answer.status]).toEqual([name, 401])
    }
  })

  test.each([...POSTED.map((path) => ['POST', path] as const), ...OPERATED])(
    'A6 %s %s: media type and size, JSON, validation',
    async (method, path) => {
      const statuses = await Promise.all(
        BAD.map(async ([, sent]) => {
          const headers = { ...sent.headers, ...bearer(closed.operatorToken) }
          return String((await send(closed, [method, path], { ...sent, headers })).status)
        }),
      )
      expect(statuses).toEqual(EXPECTED)
      const broken = { body: '{', headers: bearer(closed.operatorToken) }
      expect((await send(closed, [method, path], broken)).outcome).toBe('400 invalid_request')
    },
  )

  test.each([
    ['presentation_verify', '/eudiw/verify'],
    ['presentation_verify', '/eudiw/response/unknown'],
    ['presentation_request', '/eudiw/request'],
    ['presentation_request', '/eudiw/request/unknown'],
  ])('A6, D12 the switch %s comes before everything at POST %s', async (name, path) => {
    await operate(closed, 'PUT', `/switches/${name}`, { enabled: false })
    for (const [, sent] of BAD) {
      const answer = await send(closed, ['POST', path], { ...sent, headers: { ...sent.headers, ...bearer('wrong') } })
      expect(answer.outcome).toBe('503 service_unavailable')
    }
    await operate(closed, 'PUT', `/switches/${name}`, { enabled: true })
    expect((await send(closed, ['POST', path])).status).toBeLessThan(500)
  })

  test('D12 issuance has no switch of its own', async () => {
    for (const name of ['presentation_verify', 'presentation_request']) {
      await operate(open, 'PUT', `/switches/${name}`, { enabled: false })
    }
    expect((await send(open, ['POST', '/oid4vci/credential-offer'], { body: OFFER })).status).toBe(200)
    for (const name of ['presentation_verify', 'presentation_request']) {
      await operate(open, 'PUT', `/switches/${name}`, { enabled: true })
    }
  })
})

describe('sizes', () => {
  /** An object of this many bytes. */
  const filled = (bytes: number) => JSON.stringify({ x: 'a'.repeat(bytes - 8) })

  test.each<[path: string, most: number, status: number]>([
    ['/oid4vci/credential-offer', 65_536, 422],
    ['/oid4vci/credential', 65_536, 401],
    ['/eudiw/request', 65_536, 422],
    ['/eudiw/request/unknown', 65_536, 404],
    ['/eudiw/verify', 262_144, 422],
  ])('A7 POST %s takes a body of %d bytes and none that is larger', async (path, most, status) => {
    expect(filled(most)).toHaveLength(most)
    expect((await send(open, ['POST', path], { body: filled(most) })).status).toBe(status)
    const refused = await send(open, ['POST', path], { body: filled(most + 1) })
    expect(refused.outcome).toBe('413 body_too_large')
  })

  test('A7 POST /eudiw/response takes a form of 256 KiB and none that is larger', async () => {
    const form = (bytes: number) => ({ body: `response=${'a'.repeat(bytes - 9)}`, headers: { 'content-type': FORM } })
    expect((await send(open, ['POST', '/eudiw/response/unknown'], form(262_144))).status).toBe(404)
    expect((await send(open, ['POST', '/eudiw/response/unknown'], form(262_145))).outcome).toBe('413 body_too_large')
  })
})

test('A10 openapi.json lists the addresses', async () => {
  const { json } = await exchange<{ paths: Record<string, object> }>(`${open.baseUrl}/openapi.json`)
  const listed = Object.entries(json.paths).flatMap(([path, item]) => Object.keys(item).map((one) => `${one} ${path}`))
  expect(listed).toEqual(
    expect.arrayContaining([
      'post /eudiw/response/{request_id}',
      'get /eudiw/response/{request_id}',
      'post /oid4vci/nonce',
      'get /oid4vci/credential-offer/{offer_id}',
      'get /.well-known/openid-credential-issuer',
      'post /federation/trust-mark-status',
      'put /operator/trust-lists/{region}',
      'put /operator/relying-party',
      'post /operator/credentials/{credential_id}/revoke',
    ]),
  )
})
