/** Sentences of decisions A1 to A8 and B1 to B15 that have no place in the larger suites. */
import { createLocalJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Outbound } from '@/server/base/core/platform'
import { Collector } from '@/server/credentials/federation/collector'
import { resolveSubject } from '@/server/credentials/federation/resolve-subject'
import { Agent, clientAssertion, exchange, newPrincipal, operate } from '../support/actors'
import { type App, startApp } from '../support/app'
import {
  ask,
  type Claims,
  claimsOf,
  type Entity,
  enrol,
  type Federation,
  patch,
  resolve,
  startFederation,
  vouchFor,
} from './entities'

const OPERATOR_TOKEN = 'federation-test-operator-token-0123456789abcdef'
const MARK = 'https://marks.example/verified'

let app: App
let federation: Federation
beforeAll(async () => {
  app = await startApp({ env: { SWITCH_FEDERATION: 'true', OPERATOR_TOKEN } })
  federation = await startFederation(app)
})
afterAll(async () => {
  await federation.close()
  await app.close()
})

let count = 0
async function newEntity(hints: readonly string[]): Promise<Entity> {
  count += 1
  return federation.entity(`entity-${count}`, { hints })
}
async function newDirect(more: Claims = {}): Promise<Entity> {
  const entity = await newEntity([app.baseUrl])
  expect((await enrol(app, entity, more)).status).toBe(201)
  return entity
}
async function newBelow(superior: Entity): Promise<Entity> {
  const entity = await newEntity([superior.id])
  vouchFor(superior, entity)
  return entity
}
const newMarked = () => newDirect({ trust_mark_ids: [MARK] })
const issue = (sub: string) => ask(app, '/federation/trust-mark', { sub, trust_mark_id: MARK })
const revokeUrl = (target: App, sub: string) =>
  `${target.baseUrl}/federation/trust-mark/revoke?${new URLSearchParams({ sub, trust_mark_id: MARK })}`
const revoke = (sub: string, headers: Record<string, string> = { authorization: `Bearer ${OPERATOR_TOKEN}` }) =>
  exchange(revokeUrl(app, sub), { method: 'POST', headers })
const statusUrl = () => `${app.baseUrl}/federation/trust-mark-status`
const signedStatus = async (mark: string) =>
  claimsOf(await exchange(statusUrl(), { method: 'POST', body: new URLSearchParams({ trust_mark: mark }) }))['status']
const outcomeOf = async (sub: string) => {
  const { status, json } = await resolve(app, sub)
  return [status, json['error']]
}
const OK = [200, undefined]
const CHAIN = [400, 'invalid_trust_chain']
const SUBJECT = [404, 'invalid_subject']

describe('who may ask for what', () => {
  test('A2 a sandbox without OPERATOR_TOKEN revokes without a credential, but checks one that is sent', async () => {
    const open = await startApp({ env: { SWITCH_FEDERATION: 'true' } })
    const entity = await newEntity([])
    await enrol(open, entity, { trust_mark_ids: [MARK] })
    await ask(open, '/federation/trust-mark', { sub: entity.id, trust_mark_id: MARK })
    const send = async (headers: Record<string, string>) =>
      (await exchange(revokeUrl(open, entity.id), { method: 'POST', headers })).status
    expect([await send({ authorization: 'Bearer wrong' }), await send({})]).toEqual([401, 200])
    await open.close()
  })

  test('A3 the assertion of an agent revokes nothing', async () => {
    const { id } = await newMarked()
    await issue(id)
    const { principalId } = await newPrincipal(app)
    const agent = await Agent.register(app, principalId)
    const assertion = { 'x-client-id': agent.clientId, 'x-client-assertion': await clientAssertion(app, agent) }
    const { status, json, headers } = await revoke(id, assertion)
    expect([status, json['error'], headers.get('www-authenticate')]).toEqual([
      401,
      'invalid_client',
      expect.stringContaining('Bearer'),
    ])
  })

  test('A6 the switch goes before the credential, and the media type before what the body says', async () => {
    const { id } = await newMarked()
    const { text } = await issue(id)
    const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"trust_mark":1}' }
    expect((await exchange(statusUrl(), json)).status).toBe(415)
    const large = { method: 'POST', body: new URLSearchParams({ trust_mark: text + 'a'.repeat(70_000) }) }
    expect((await exchange(statusUrl(), large)).status).toBe(413)
    await operate(app, 'PUT', '/switches/federation', { enabled: false })
    expect((await revoke(id, {})).status).toBe(503)
    await operate(app, 'PUT', '/switches/federation', { enabled: true })
    expect((await revoke(id, {})).status).toBe(401)
  })

  test('A8 no answer may be kept but the entity configuration', async () => {
    const { id } = await newMarked()
    const { text } = await issue(id)
    const answers = await Promise.all([
      ask(app, '/federation/fetch', { sub: id }),
      ask(app, '/federation/fetch', { sub: 'https://unknown.example' }),
      ask(app, '/federation/fetch'),
      ask(app, '/federation/list'),
      issue(id),
      ask(app, '/federation/trust-mark-status', { trust_mark: text }),
      exchange(statusUrl(), { method: 'POST', body: new URLSearchParams({ trust_mark: text }) }),
      resolve(app, id),
      resolve(app, 'https://unknown.example'),
      revoke(id),
    ])
    expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(answers.map(() => 'no-store'))
  })
})

test('B1 no lifetime is shorter than ten seconds', async () => {
  for (const name of ['FEDERATION_STATEMENT_TTL_SECONDS', 'TRUST_MARK_TTL_SECONDS']) {
    await expect(startApp({ env: { [name]: '9' } })).rejects.toThrow(name)
  }
})

test('B3 the entity_id in a path is percent-encoded once', async () => {
  const { id } = await newDirect()
  const twice = encodeURIComponent(encodeURIComponent(id))
  const { status, json } = await operate(app, 'PATCH', `/federation/subordinates/${twice}`, { status: 'suspended' })
  expect([status, json['error']]).toEqual([404, 'not_found'])
  expect((await patch(app, id, { status: 'suspended' })).status).toBe(200)
})

test('B9, B10 a mark from before a revocation is inactive however it is asked for after the mark was reinstated', async () => {
  const { id } = await newMarked()
  const { text } = await issue(id)
  await revoke(id)
  expect((await patch(app, id, { reinstate_trust_mark_ids: [MARK] })).status).toBe(200)
  const isActive = async (query: Record<string, string>) =>
    (await ask(app, '/federation/trust-mark-status', query)).json['active']
  expect(await isActive({ trust_mark: text })).toBe(false)
  expect(await isActive({ trust_mark: text, sub: id, trust_mark_id: MARK, trust_mark_type: MARK })).toBe(false)
  expect(await signedStatus(text)).toBe('revoked')
})

test('B11, B12 the mark of a suspended subordinate counts as revoked, and can be revoked', async () => {
  const { id } = await newMarked()
  const { text } = await issue(id)
  await patch(app, id, { status: 'suspended' })
  expect(await signedStatus(text)).toBe('revoked')
  expect((await revoke(id)).status).toBe(200)
  await patch(app, id, { status: 'active' })
  expect(await signedStatus(text)).toBe('revoked')
})

describe('paths', () => {
  test('A1 hints to private addresses, small ports and addresses with user information are not followed', async () => {
    const leaf = await newEntity([
      'http://10.0.0.1:8080',
      'http://169.254.169.254:8080',
      'http://127.0.0.1:80',
      `http://me@127.0.0.1:${federation.port}/entity-1`,
      `ftp://127.0.0.1:${federation.port}/entity-1`,
    ])
    federation.asked.length = 0
    expect(await outcomeOf(leaf.id)).toEqual(SUBJECT)
    expect(federation.asked).toHaveLength(1)
  })

  test('A1 an entity with a fragment, or at an address that is special, is never asked', async () => {
    const { id } = await newEntity([app.baseUrl])
    const name = id.split('/').at(-1)
    const here = ['0.0.0.0', '[::]', '[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]', '127.0.0.2'].map(
      (host) => `http://${host}:${federation.port}/${name}`,
    )
    const ranges = ['0.1.2.3', '10.1.2.3', '100.64.0.1', '169.254.1.1', '172.16.0.1', '192.168.1.1', '198.18.0.1']
    const others = [...ranges, '224.0.0.1', '[fc00::1]', '[fe80::1]', '[::ffff:10.0.0.1]', '[ff02::1]']
    const elsewhere = others.flatMap((host) => [`https://${host}`, `http://${host}:8080`])
    federation.asked.length = 0
    for (const sub of [`${id}#x`, `${id}#`, ...here, ...elsewhere]) {
      expect([sub, await outcomeOf(sub)]).toEqual([sub, SUBJECT])
    }
    expect(federation.asked).toEqual([])
  })

  test('B13 the configuration of an entity whose id ends with a slash is below it without the slash', async () => {
    const plain = await newEntity([app.baseUrl])
    const slashed = { id: `${plain.id}/`, jwks: plain.jwks }
    Object.assign(plain.claims, { iss: slashed.id, sub: slashed.id })
    expect((await enrol(app, slashed)).status).toBe(201)
    federation.asked.length = 0
    expect(await outcomeOf(slashed.id)).toEqual(OK)
    expect(federation.asked[0]).toMatch(/^entity-\d+\/\.well-known\/openid-federation$/)
  })

  test('B13 the eighth hint is followed, the ninth is not', async () => {
    const top = await newDirect()
    const elsewhere = Array.from({ length: 8 }, (_, index) => `${federation.origin}/nowhere-${index}`)
    const [eighth, ninth] = [await newEntity(elsewhere), await newEntity(elsewhere)]
    eighth.claims['authority_hints'] = [...elsewhere.slice(0, 7), top.id]
    ninth.claims['authority_hints'] = [...elsewhere, top.id]
    for (const entity of [eighth, ninth]) vouchFor(top, entity)
    expect([await outcomeOf(eighth.id), await outcomeOf(ninth.id)]).toEqual([OK, SUBJECT])
  })

  test('B13 several paths over the same entities ask each address once', async () => {
    const top = await newDirect()
    const [left, right] = [await newBelow(top), await newBelow(top)]
    const leaf = await newEntity([left.id, right.id])
    for (const superior of [left, right]) vouchFor(superior, leaf, { exp: 1 })
    federation.asked.length = 0
    expect(await outcomeOf(leaf.id)).toEqual(CHAIN)
    expect(new Set(federation.asked).size).toBe(federation.asked.length)
  })

  test.each<[string, Claims]>([
    ['crit', { crit: ['exp'] }],
    ['another typ', { typ: 'JWT' }],
    ['an unknown kid', { kid: 'unknown' }],
  ])('B14 a leaf below an intermediate whose header has %s breaks a path that exists', async (_title, header) => {
    const leaf = await newBelow(await newDirect())
    leaf.header = header
    expect(await outcomeOf(leaf.id)).toEqual(CHAIN)
  })

  test('B15 what this server says is checked against its own keys, and is never fetched', async () => {
    const leaf = await newBelow(await newDirect())
    const asked: string[] = []
    const outbound: Outbound = {
      ...app.platform.outbound,
      get: (url, options) => {
        asked.push(url)
        return app.platform.outbound.get(url, options)
      },
    }
    const now = app.clock.now()
    const call = { platform: { ...app.platform, outbound }, now }
    const { chain } = await resolveSubject(call, new Collector(outbound), leaf.id)
    expect(asked.filter((url) => url.startsWith(app.baseUrl))).toEqual([])
    expect(asked).toHaveLength(3)
    const keys = createLocalJWKSet({ keys: app.platform.keys.jwks('federation') } as never)
    const ours = chain.filter(({ iss }) => iss === app.baseUrl)
    expect(ours.map(({ sub }) => sub)).toEqual([leaf.claims['authority_hints'], app.baseUrl].flat())
    for (const { compact } of ours) await jwtVerify(compact, keys, { currentDate: now })
  })

  test('B17 entities resolve however many marks the operator lets others hold', async () => {
    const leaf = await newBelow(await newDirect())
    const nameOf = (index: number) => `https://marks.example/${index}/${'m'.repeat(1_900)}`
    const large = await Promise.all(
      Array.from({ length: 6 }, (_, turn) =>
        newDirect({ trust_mark_ids: Array.from({ length: 30 }, (_one, index) => nameOf(turn * 30 + index)) }),
      ),
    )
    const { text } = await exchange(`${app.baseUrl}/.well-known/openid-federation`)
    expect(text.length).toBeGreaterThan(300_000)
    expect(await outcomeOf(leaf.id)).toEqual(OK)
    for (const { id } of large) await patch(app, id, { status: 'suspended' })
  })

  test('B15 clocks may differ by a minute, and no answer has expired when it is given', async () => {
    const now = Math.floor(app.clock.now().getTime() / 1000)
    const [late, early] = [await newDirect(), await newDirect()]
    late.claims['exp'] = now - 45
    early.claims['iat'] = now + 45
    expect(await outcomeOf(early.id)).toEqual(OK)
    expect(claimsOf(await resolve(app, late.id))['exp']).toBe(now + 15)
  })
})
