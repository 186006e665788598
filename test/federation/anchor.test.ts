/** Decisions A4, A8 and B1 to B12: this server as a trust anchor that issues statements and trust marks. */
import { randomBytes } from 'node:crypto'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import {
  clientAssertion,
  countStatuses,
  exchange,
  handmadeJws,
  newKey,
  newWalletClient,
  operate,
} from '../support/actors'
import { type App, startApp } from '../support/app'
import { openTestDatabase } from '../support/database'
import { ask, type Claims, claimsOf, ENTITY_STATEMENT, enrol, patch } from './entities'

const OPERATOR_TOKEN = 'federation-test-operator-token-0123456789abcdef'
const MARK = 'https://marks.example/verified'
const OTHER_MARK = 'https://marks.example/other'

let app: App
let shop: { id: string; jwks: { keys: Claims[] } }
beforeAll(async () => {
  app = await startApp({ env: { SWITCH_FEDERATION: 'true', OPERATOR_TOKEN, TRUST_MARK_TTL_SECONDS: '600' } })
})
afterAll(() => app.close())

let count = 0
async function newShop(more: Claims = {}) {
  const key = await newKey()
  count += 1
  const entity = { id: `https://shop-${count}.example`, jwks: { keys: [{ ...key.jwk, kid: `kid-${count}` }] } }
  expect((await enrol(app, entity, more)).status).toBe(201)
  return entity
}
beforeEach(async () => {
  shop = await newShop({ trust_mark_ids: [MARK, OTHER_MARK] })
})

const configuration = async () => {
  const answer = await exchange(`${app.baseUrl}/.well-known/openid-federation`)
  expect(answer.status).toBe(200)
  return { answer, claims: claimsOf(answer) as Claims & { iat: number; exp: number; jwks: { keys: Claims[] } } }
}
const markOf = (sub: string, id = MARK) => ask(app, '/federation/trust-mark', { sub, trust_mark_id: id })
const isActive = async (query: Record<string, string>) =>
  (await ask(app, '/federation/trust-mark-status', query)).json['active']
const postStatus = (form: Record<string, string>) =>
  exchange(`${app.baseUrl}/federation/trust-mark-status`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form),
  })
const signedStatus = async (mark: string) => {
  const answer = await postStatus({ trust_mark: mark })
  return answer.status === 200 ? claimsOf(answer)['status'] : answer.json['error']
}
const revoke = (query: Record<string, string>, headers: Record<string, string> = {}) =>
  exchange(`${app.baseUrl}/federation/trust-mark/revoke?${new URLSearchParams(query)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${app.operatorToken}`, ...headers },
  })

describe('the entity configuration', () => {
  test('B5 the configuration is signed by a listed key and carries one metadata object per type', async () => {
    const { answer, claims } = await configuration()
    expect(answer.headers.get('content-type')).toBe(ENTITY_STATEMENT)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
    const keys = createLocalJWKSet(claims.jwks as never)
    const { protectedHeader } = await jwtVerify(answer.text, keys, { issuer: app.baseUrl, subject: app.baseUrl })
    expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'entity-statement+jwt', kid: expect.any(String) })
    expect(claims.exp - claims.iat).toBe(86_400)
    const metadata = claims['metadata'] as Record<string, Claims>
    expect(metadata['federation_entity']).toEqual({
      organization_name: 'Countersign',
      federation_fetch_endpoint: `${app.baseUrl}/federation/fetch`,
      federation_list_endpoint: `${app.baseUrl}/federation/list`,
      federation_resolve_endpoint: `${app.baseUrl}/federation/resolve`,
      federation_trust_mark_endpoint: `${app.baseUrl}/federation/trust-mark`,
      federation_trust_mark_status_endpoint: `${app.baseUrl}/federation/trust-mark-status`,
    })
    const server = await exchange(`${app.baseUrl}/.well-known/oauth-authorization-server`)
    expect(metadata['oauth_authorization_server']).toEqual(server.json)
    const issuer = await exchange(`${app.baseUrl}/.well-known/openid-credential-issuer`)
    expect(metadata['openid_credential_issuer']).toEqual(issuer.json)
    for (const name of ['authority_hints', 'trust_anchor_hints', 'metadata_policy', 'constraints', 'trust_marks']) {
      expect(claims).not.toHaveProperty(name)
    }
  })

  test('B5 the configuration lists federation keys only, without private members', async () => {
    const { claims } = await configuration()
    const own = claims.jwks.keys.map(({ kid }) => kid)
    const published = await exchange<{ keys: Claims[] }>(`${app.baseUrl}/oauth/jwks.json`)
    expect(own.filter((kid) => published.json.keys.some((key) => key['kid'] === kid))).toEqual([])
    expect(claims.jwks.keys.every((key) => !('d' in key))).toBe(true)
  })

  test('B5 the configuration names this server as the issuer of each mark that an active subordinate may hold', async () => {
    const lonely = await newShop({ trust_mark_ids: ['https://marks.example/lonely'] })
    const issuers = async () => (await configuration()).claims['trust_mark_issuers'] as Claims
    expect((await issuers())['https://marks.example/lonely']).toEqual([app.baseUrl])
    await patch(app, lonely.id, { status: 'suspended' })
    expect(await issuers()).not.toHaveProperty('https://marks.example/lonely')
  })

  test('B5 a rotation moves the federation key on, and the old one stays listed', async () => {
    const before = (await configuration()).answer
    const { kid } = decodeProtectedHeader(before.text)
    expect((await operate(app, 'POST', '/signing-keys/rotate', {})).status).toBe(200)
    const { answer, claims } = await configuration()
    expect(decodeProtectedHeader(answer.text).kid).not.toBe(kid)
    expect(claims.jwks.keys.map((key) => key['kid'])).toContain(kid)
  })

  test('the federation is off by default, and every address of it answers 503 then', async () => {
    const off = await startApp({ seed: false })
    const paths = ['/.well-known/openid-federation', '/federation/fetch', '/federation/list', '/federation/trust-mark']
    paths.push('/federation/trust-mark-status', '/federation/resolve')
    for (const path of paths) {
      const answer = await exchange(off.baseUrl + path)
      expect([path, answer.status, answer.json['error']]).toEqual([path, 503, 'service_unavailable'])
    }
    for (const path of ['/federation/trust-mark/revoke', '/federation/trust-mark-status']) {
      expect((await exchange(off.baseUrl + path, { method: 'POST' })).status).toBe(503)
    }
    await off.close()
  })
})

describe('the operator', () => {
  const body = (more: Claims = {}) => ({
    entity_id: 'https://new.example',
    entity_types: ['openid_relying_party'],
    jwks: shop.jwks,
    ...more,
  })
  const post = (more: Claims) => operate<Claims>(app, 'POST', '/federation/subordinates', body(more))

  test('B2 enrolling answers the subordinate, and the same entity again is a conflict', async () => {
    const more = {
      entity_id: 'https://full.example/a',
      metadata: { openid_relying_party: { contacts: ['a@b.example'] } },
      metadata_policy: { openid_relying_party: { grant_types: { subset_of: ['authorization_code'] } } },
      constraints: { max_path_length: 1, naming_constraints: { permitted: ['.example'] } },
    }
    const answer = await post(more)
    expect(answer.status).toBe(201)
    const { created_at, updated_at, ...rest } = answer.json
    expect(rest).toEqual({ ...body(more), status: 'active', trust_mark_ids: [] })
    expect(created_at).toBe(updated_at)
    expect((await post(more)).json['error']).toBe('conflict')
    const list = await operate<{ subordinates: Claims[] }>(app, 'GET', '/federation/subordinates')
    expect(list.json.subordinates.find((one) => one['entity_id'] === 'https://full.example/a')).toEqual(answer.json)
  })

  test.each([
    ['http', { entity_id: 'http://shop.example' }],
    ['a query', { entity_id: 'https://shop.example?x=1' }],
    ['a fragment', { entity_id: 'https://shop.example#x' }],
    ['user information', { entity_id: 'https://me@shop.example' }],
    ['a private address', { entity_id: 'https://10.0.0.1' }],
    ['no entity types', { entity_types: [] }],
    ['too many entity types', { entity_types: Array.from({ length: 17 }, (_, index) => `type-${index}`) }],
    ['no keys', { jwks: { keys: [] } }],
    ['an unknown member', { extra: 1 }],
    ['a negative path length', { constraints: { max_path_length: -1 } }],
    ['an unknown constraint', { constraints: { other: 1 } }],
    ['a policy of no shape', { metadata_policy: { openid_relying_party: { grant_types: ['x'] } } }],
    ['an unknown operator', { metadata_policy: { openid_relying_party: { p: { regexp: '.*' } } } }],
    ['forbidden operators', { metadata_policy: { openid_relying_party: { p: { one_of: ['a'], add: ['a'] } } } }],
    ['a mark that is no URL', { trust_mark_ids: ['verified'] }],
    ['a mark over http', { trust_mark_ids: ['http://marks.example/x'] }],
    ['NUL', { metadata: { openid_relying_party: { client_name: 'a\u0000b' } } }],
  ])('B2 an entity with %s is refused with 422', async (_title, more) => {
    const answer = await post(more)
    expect(answer.status).toBe(422)
  })

  test('B2 this server itself, and keys that are private, symmetric, unnamed or of one name, are refused', async () => {
    const [key, other] = await Promise.all([newKey(), newKey()])
    const bad = [
      [{ ...key.jwk }],
      [{ ...key.jwk, kid: 'a', d: 'AAAA' }],
      [{ kty: 'oct', k: 'AAAA', kid: 'a' }],
      [
        { ...key.jwk, kid: 'a' },
        { ...other.jwk, kid: 'a' },
      ],
      [{ kty: 'OKP', crv: 'Ed25519', x: 'AAAA', kid: 'a' }],
    ]
    for (const keys of bad) expect((await post({ jwks: { keys } })).status).toBe(422)
    for (const id of [app.baseUrl, `${app.baseUrl}/`]) expect((await post({ entity_id: id })).status).toBe(422)
  })

  test('B3 a change answers the subordinate, and null removes what may be absent', async () => {
    const first = await patch(app, shop.id, { metadata: { openid_relying_party: { a: 1 } }, entity_types: ['x'] })
    expect(first.json).toMatchObject({ metadata: { openid_relying_party: { a: 1 } }, entity_types: ['x'] })
    const second = await patch(app, shop.id, { metadata: null, constraints: null, metadata_policy: null })
    expect(second.status).toBe(200)
    expect(second.json).not.toHaveProperty('metadata')
    expect((await patch(app, 'https://unknown.example', { status: 'active' })).status).toBe(404)
    expect((await patch(app, shop.id, { entity_id: 'https://x.example' })).status).toBe(422)
  })

  test('B3 suspending can be undone; revoking is final, and the entity id stays taken', async () => {
    const status = async (value: string) => (await patch(app, shop.id, { status: value })).status
    expect([await status('suspended'), await status('active'), await status('revoked')]).toEqual([200, 200, 200])
    expect([await status('active'), await status('suspended'), await status('revoked')]).toEqual([409, 409, 409])
    expect((await enrol(app, shop)).status).toBe(409)
  })

  test('what the operator does with subordinates and marks is in the audit chain', async () => {
    await markOf(shop.id)
    await revoke({ sub: shop.id, trust_mark_id: MARK })
    await patch(app, shop.id, { reinstate_trust_mark_ids: [MARK], status: 'suspended' })
    const rows = await app.platform.db.query<{ payload: string }>(
      sql`SELECT payload FROM audit_entries WHERE event = 'oid4ac.operator.acted' ORDER BY ts, seq`,
    )
    const acts = rows.map(({ payload }) => JSON.parse(payload) as Claims).filter((act) => act['subject_id'] === shop.id)
    expect(acts.map(({ what, to }) => ({ what, to }))).toEqual([
      { what: 'createSubordinate', to: expect.objectContaining({ status: 'active', kids: [expect.any(String)] }) },
      { what: 'revokeTrustMark', to: { status: 'revoked', trust_mark_id: MARK } },
      { what: 'updateSubordinate', to: { status: 'suspended', reinstated_trust_mark_ids: [MARK] } },
    ])
  })
})

test('what the operator changes holds in another process on the same database at once', async () => {
  const database = await openTestDatabase()
  const env = { SWITCH_FEDERATION: 'true', OPERATOR_TOKEN, KEY_ENCRYPTION_KEY: randomBytes(32).toString('hex') }
  const one = await startApp({ env, database, seed: false })
  const other = await startApp({ env, database, seed: false })
  const key = await newKey()
  const entity = { id: 'https://shared.example', jwks: { keys: [{ ...key.jwk, kid: 'shared' }] } }
  await enrol(one, entity, { trust_mark_ids: [MARK] })
  const query = { sub: entity.id, trust_mark_id: MARK }
  expect((await ask(other, '/federation/fetch', { sub: entity.id })).status).toBe(200)
  expect((await ask(other, '/federation/trust-mark', query)).status).toBe(200)
  await patch(one, entity.id, { status: 'suspended' })
  expect((await ask(other, '/federation/fetch', { sub: entity.id })).status).toBe(404)
  expect((await ask(other, '/federation/trust-mark-status', query)).json).toEqual({ active: false })
  await one.close()
  await other.close()
  await database.close()
})

describe('fetch and list', () => {
  test('B6 a statement repeats what was registered, signed for a while', async () => {
    const metadata_policy = { openid_relying_party: { grant_types: { default: ['authorization_code'] } } }
    const constraints = { max_path_length: 0 }
    await patch(app, shop.id, { metadata_policy, constraints })
    const answer = await ask(app, '/federation/fetch', { sub: shop.id, iss: app.baseUrl })
    expect(answer.headers.get('content-type')).toBe(ENTITY_STATEMENT)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const claims = claimsOf(answer) as { iat: number; exp: number }
    expect(claims).toEqual({
      iss: app.baseUrl,
      sub: shop.id,
      iat: expect.any(Number),
      exp: claims.iat + 3600,
      jwks: shop.jwks,
      metadata_policy,
      constraints,
      source_endpoint: `${app.baseUrl}/federation/fetch`,
    })
    await jwtVerify(answer.text, createLocalJWKSet((await configuration()).claims.jwks as never))
  })

  test('B6 there is no statement about this server, nor about suspended, revoked and unknown entities', async () => {
    const errorOf = async (sub: string) => {
      const { status, json, headers } = await ask(app, '/federation/fetch', { sub })
      expect(json['error_description']).toEqual(expect.any(String))
      expect(headers.get('content-type')).toBe('application/json')
      return [status, json['error']]
    }
    expect(await errorOf(app.baseUrl)).toEqual([404, 'invalid_request'])
    expect(await errorOf('https://unknown.example')).toEqual([404, 'not_found'])
    for (const status of ['suspended', 'revoked']) {
      await patch(app, shop.id, { status })
      expect(await errorOf(shop.id)).toEqual([404, 'not_found'])
    }
  })

  test('B4 a missing, empty or doubled parameter is refused with its place', async () => {
    for (const query of ['', '?sub=', '?sub=a&sub=b']) {
      const answer = await exchange<{ detail: { loc: string[] }[] }>(`${app.baseUrl}/federation/fetch${query}`)
      expect([answer.status, answer.json.detail[0]?.loc]).toEqual([422, ['query', 'sub']])
    }
    const none = await exchange<{ detail: { loc: string[] }[] }>(`${app.baseUrl}/federation/trust-mark?sub=x`)
    expect([none.status, none.json.detail[0]?.loc]).toEqual([422, ['query', 'trust_mark_id']])
  })

  test('B7 the list is a sorted array of active subordinates that its filters narrow', async () => {
    const list = async (query: Record<string, string | string[]> = {}) =>
      (await ask<string[]>(app, '/federation/list', query)).json
    const all = await list()
    expect(all).toEqual([...all].toSorted())
    expect(all).toContain(shop.id)
    const odd = await newShop({ entity_types: ['odd_type'] })
    expect(await list({ entity_type: 'odd_type' })).toEqual([odd.id])
    expect(await list({ entity_type: ['odd_type', 'openid_relying_party'] })).toContain(shop.id)
    expect(await list({ entity_type: '__proto__' })).toEqual([])
    expect(await list({ trust_marked: 'true' })).not.toContain(shop.id)
    await markOf(shop.id)
    expect(await list({ trust_marked: 'true' })).toContain(shop.id)
    expect(await list({ trust_mark_type: MARK })).toContain(shop.id)
    expect(await list({ trust_mark_id: OTHER_MARK })).not.toContain(shop.id)
    expect(await list({ trust_marked: 'false' })).not.toContain(shop.id)
    await patch(app, shop.id, { status: 'suspended' })
    expect(await list()).not.toContain(shop.id)
    const errors = [{ intermediate: 'true' }, { trust_marked: 'yes' }].map((query) =>
      ask(app, '/federation/list', query),
    )
    expect((await Promise.all(errors)).map(({ status, json }) => [status, json['error']])).toEqual([
      [400, 'unsupported_parameter'],
      [422, 'invalid_request'],
    ])
  })
})

describe('trust marks', () => {
  test('B8 a mark is signed for an eligible subordinate, with one row however often it is issued', async () => {
    expect(await isActive({ sub: shop.id, trust_mark_id: MARK })).toBe(false)
    expect((await revoke({ sub: shop.id, trust_mark_id: MARK })).status).toBe(404)
    const answers = await Promise.all(Array.from({ length: 16 }, () => markOf(shop.id)))
    expect(countStatuses(answers)).toEqual({ 200: 16 })
    const marks = answers.map(({ text }) => claimsOf({ text }))
    expect(new Set(marks.map(({ jti }) => jti)).size).toBe(16)
    const [mark] = marks
    expect(mark).toMatchObject({ iss: app.baseUrl, sub: shop.id, trust_mark_id: MARK, trust_mark_type: MARK })
    expect(Number(mark?.['exp']) - Number(mark?.['iat'])).toBe(600)
    expect(answers[0]?.headers.get('content-type')).toBe('application/trust-mark+jwt')
    const rows = await app.platform.db.query(sql`SELECT * FROM federation_trust_marks WHERE sub = ${shop.id}`)
    expect(rows).toHaveLength(1)
    expect(await isActive({ sub: shop.id, trust_mark_id: MARK })).toBe(true)
  })

  test('B8 a mark that may not be held is 404, and two names of one parameter must agree', async () => {
    expect((await markOf(shop.id, 'https://marks.example/else')).json['error']).toBe('not_found')
    expect((await markOf('https://unknown.example')).json['error']).toBe('not_found')
    const both = (id: string, type: string) =>
      ask(app, '/federation/trust-mark', { sub: shop.id, trust_mark_id: id, trust_mark_type: type })
    expect((await both(MARK, MARK)).status).toBe(200)
    expect((await both(MARK, OTHER_MARK)).json['error']).toBe('invalid_request')
    expect((await ask(app, '/federation/trust-mark', { sub: shop.id, trust_mark_type: MARK })).status).toBe(200)
  })

  test('B12 revoking answers the same again, ends this mark only, and refuses to issue it', async () => {
    const [mark, other] = [(await markOf(shop.id)).text, (await markOf(shop.id, OTHER_MARK)).text]
    const first = await revoke({ sub: shop.id, trust_mark_id: MARK })
    expect(first.json).toEqual({
      sub: shop.id,
      trust_mark_id: MARK,
      trust_mark_type: MARK,
      revoked_at: expect.any(String),
    })
    const again = await Promise.all(Array.from({ length: 16 }, () => revoke({ sub: shop.id, trust_mark_type: MARK })))
    expect(again.every(({ text }) => text === first.text)).toBe(true)
    expect(await isActive({ trust_mark: mark })).toBe(false)
    expect(await isActive({ trust_mark: other })).toBe(true)
    expect((await markOf(shop.id)).status).toBe(404)
    expect((await ask(app, '/federation/fetch', { sub: shop.id })).status).toBe(200)
    await patch(app, shop.id, { status: 'revoked' })
    expect((await revoke({ sub: shop.id, trust_mark_id: OTHER_MARK })).status).toBe(200)
  })

  test('B9 a reinstated mark can be issued again, and those that were signed before stay inactive', async () => {
    expect((await patch(app, shop.id, { reinstate_trust_mark_ids: [MARK] })).status).toBe(404)
    const old = (await markOf(shop.id)).text
    await revoke({ sub: shop.id, trust_mark_id: MARK })
    expect((await patch(app, shop.id, { reinstate_trust_mark_ids: [MARK] })).status).toBe(200)
    const fresh = (await markOf(shop.id)).text
    expect([await signedStatus(old), await signedStatus(fresh)]).toEqual(['revoked', 'active'])
    expect([await isActive({ trust_mark: old }), await isActive({ trust_mark: fresh })]).toEqual([false, true])
  })

  test('B9 a mark is inactive while the subordinate may not hold it', async () => {
    const { text } = await markOf(shop.id)
    const states: unknown[] = []
    for (const ids of [[], [MARK]]) {
      await patch(app, shop.id, { trust_mark_ids: ids })
      states.push(await isActive({ trust_mark: text }))
    }
    for (const status of ['suspended', 'active']) {
      await patch(app, shop.id, { status })
      states.push(await isActive({ sub: shop.id, trust_mark_id: MARK }))
    }
    expect(states).toEqual([false, true, false, true])
  })

  test('B10 everything that is given must agree, and nothing is an error', async () => {
    const { text } = await markOf(shop.id)
    const [header, payload, signature] = text.split('.')
    const key = await newKey()
    const forge = (claims: Claims) =>
      handmadeJws({ alg: 'EdDSA', typ: 'trust-mark+jwt', kid: 'x' }, { ...claimsOf({ text }), ...claims }, key)
    const odd = `${MARK}\u0000`
    const cases: [Record<string, string>, boolean][] = [
      [{ trust_mark: text }, true],
      [{ trust_mark: text, sub: shop.id, trust_mark_id: MARK, trust_mark_type: MARK }, true],
      [{ trust_mark: text, sub: 'https://other.example' }, false],
      [{ trust_mark: text, trust_mark_id: OTHER_MARK }, false],
      [{ trust_mark: `${header}.${payload}.${signature?.split('').toReversed().join('')}` }, false],
      [{ trust_mark: forge({}) }, false],
      [{ trust_mark: forge({ sub: '\u0000' }) }, false],
      [{ trust_mark: forge({ trust_mark_id: odd, trust_mark_type: odd }) }, false],
      [{ trust_mark: forge({ sub: '\ud800' }) }, false],
      [{ trust_mark: 'garbage' }, false],
      [{ sub: shop.id }, false],
      [{ trust_mark_id: MARK }, false],
      [{ sub: shop.id, trust_mark_id: MARK, trust_mark_type: OTHER_MARK }, false],
      [{}, false],
    ]
    for (const [query, active] of cases) {
      const answer = await ask(app, '/federation/trust-mark-status', query)
      expect([query, answer.status, answer.json]).toEqual([query, 200, { active }])
    }
    const doubled = await ask(app, '/federation/trust-mark-status', {
      sub: [shop.id, shop.id],
      trust_mark_id: MARK,
    } as never)
    expect(doubled.json).toEqual({ active: false })
  })

  test('B11 the signed status tells active, expired, revoked and invalid marks apart', async () => {
    const { text } = await markOf(shop.id)
    const answer = await postStatus({ trust_mark: text })
    expect(answer.headers.get('content-type')).toBe('application/trust-mark-status-response+jwt')
    const { payload } = await jwtVerify(answer.text, createLocalJWKSet((await configuration()).claims.jwks as never), {
      typ: 'trust-mark-status-response+jwt',
      currentDate: app.clock.now(),
    })
    expect(payload).toEqual({ iss: app.baseUrl, iat: expect.any(Number), trust_mark: text, status: 'active' })
    const key = await newKey()
    const forge = (claims: Claims, header: Claims = {}) =>
      handmadeJws(
        { alg: 'EdDSA', typ: 'trust-mark+jwt', kid: 'x', ...header },
        { ...claimsOf({ text }), ...claims },
        key,
      )
    expect(await signedStatus(forge({}))).toBe('invalid')
    expect(await signedStatus(forge({ iss: 'https://other.example' }))).toBe('not_found')
    expect(await signedStatus(forge({ sub: 'https://other.example' }))).toBe('not_found')
    expect(await signedStatus(forge({ sub: '\u0000' }))).toBe('not_found')
    expect(await signedStatus(forge({}, { typ: 'jwt' }))).toBe('invalid_request')
    expect(await signedStatus('garbage')).toBe('invalid_request')
    expect((await postStatus({})).status).toBe(400)
    const accept = { accept: 'application/trust-mark-status-response+jwt' }
    const asked = await ask(app, '/federation/trust-mark-status', { trust_mark: text }, accept)
    expect(claimsOf(asked)['status']).toBe('active')
    app.clock.advance({ seconds: 601 })
    expect(await signedStatus(text)).toBe('expired')
    expect(await isActive({ trust_mark: text })).toBe(false)
    await revoke({ sub: shop.id, trust_mark_id: MARK })
    expect(await signedStatus(text)).toBe('revoked')
  })

  test('A4 only the operator token revokes: none is 401, that of a wallet client 403, both together 400', async () => {
    const wallet = await newWalletClient(app)
    const url = `${app.baseUrl}/federation/trust-mark/revoke?sub=${encodeURIComponent(shop.id)}&trust_mark_id=${MARK}`
    await markOf(shop.id)
    const send = async (headers: Record<string, string>) => (await exchange(url, { method: 'POST', headers })).status
    const assertion = { 'x-client-id': wallet.clientId, 'x-client-assertion': await clientAssertion(app, wallet) }
    expect(await send({})).toBe(401)
    expect(await send({ authorization: 'Bearer wrong' })).toBe(401)
    expect(await send(assertion)).toBe(403)
    expect(await send({ ...assertion, authorization: `Bearer ${app.operatorToken}` })).toBe(400)
    expect(await isActive({ sub: shop.id, trust_mark_id: MARK })).toBe(true)
  })
})
