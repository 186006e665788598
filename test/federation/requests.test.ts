/** Decisions B2 to B4, B7 and B9 to B11: what the addresses of the federation refuse, and how. */
import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exchange, handmadeJws, newKey, newWalletClient, operate } from '../support/actors'
import { type App, startApp } from '../support/app'
import { ask, type Claims, claimsOf, enrol, patch } from './entities'

const OPERATOR_TOKEN = 'federation-test-operator-token-0123456789abcdef'
const MARK = 'https://marks.example/verified'
const OTHER_MARK = 'https://marks.example/other'

let app: App
beforeAll(async () => {
  app = await startApp({
    env: { SWITCH_FEDERATION: 'true', OPERATOR_TOKEN, TRUST_MARK_TTL_SECONDS: '600' },
    seed: false,
  })
})
afterAll(() => app.close())

let count = 0
async function newShop(marks: readonly string[] = [MARK]) {
  count += 1
  const entity = { id: `https://shop-${count}.example`, jwks: { keys: [{ ...(await newKey()).jwk, kid: 'one' }] } }
  expect((await enrol(app, entity, { trust_mark_ids: marks })).status).toBe(201)
  return entity
}
const issue = (sub: string, id = MARK) => ask(app, '/federation/trust-mark', { sub, trust_mark_id: id })
const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` }
const send = (method: string, path: string, headers: Record<string, string> = operator) =>
  exchange<Claims & { detail: { loc: string[] }[] }>(`${app.baseUrl}${path}`, { method, headers })
const revoke = (sub: string, id = MARK) =>
  send('POST', `/federation/trust-mark/revoke?${new URLSearchParams({ sub, trust_mark_id: id })}`)
const STATUS = '/federation/trust-mark-status'
const SIGNED = { accept: 'application/trust-mark-status-response+jwt' }
const postStatus = (trustMark: string) =>
  exchange(`${app.baseUrl}${STATUS}`, { method: 'POST', body: new URLSearchParams({ trust_mark: trustMark }) })
const outcomeOf = ({ status, json, text }: Awaited<ReturnType<typeof postStatus>>) =>
  status === 200 ? claimsOf({ text })['status'] : [status, json['error']]

/** An error has both members, is JSON, and is not kept. */
function expectWholeError({ json, headers }: Awaited<ReturnType<typeof send>>): void {
  expect(json).toMatchObject({ error: expect.any(String), error_description: expect.any(String) })
  expect(headers.get('content-type')).toBe('application/json')
  expect(headers.get('cache-control')).toBe('no-store')
}

describe('B4 parameters', () => {
  test.each<[string, string, string, string]>([
    ['fetch', 'GET', '/federation/fetch?', 'sub'],
    ['list', 'GET', '/federation/list?trust_marked=true&trust_marked=true', 'trust_marked'],
    ['list', 'GET', '/federation/list?trust_mark_type=a&trust_mark_type=b', 'trust_mark_type'],
    ['list', 'GET', '/federation/list?trust_mark_id=a&trust_mark_id=a', 'trust_mark_id'],
    ['trust-mark', 'GET', '/federation/trust-mark?trust_mark_id=a', 'sub'],
    ['trust-mark', 'GET', '/federation/trust-mark?trust_mark_id=a&sub=', 'sub'],
    ['trust-mark', 'GET', '/federation/trust-mark?trust_mark_id=a&sub=b&sub=b', 'sub'],
    ['trust-mark', 'GET', '/federation/trust-mark?sub=b&trust_mark_id=', 'trust_mark_id'],
    ['trust-mark', 'GET', '/federation/trust-mark?sub=b&trust_mark_id=a&trust_mark_id=a', 'trust_mark_id'],
    ['trust-mark', 'GET', '/federation/trust-mark?sub=b&trust_mark_type=a&trust_mark_type=a', 'trust_mark_type'],
    ['revoke', 'POST', '/federation/trust-mark/revoke?trust_mark_id=a', 'sub'],
    ['revoke', 'POST', '/federation/trust-mark/revoke?trust_mark_id=a&sub=', 'sub'],
    ['revoke', 'POST', '/federation/trust-mark/revoke?trust_mark_id=a&sub=b&sub=c', 'sub'],
    ['revoke', 'POST', '/federation/trust-mark/revoke?sub=b', 'trust_mark_id'],
    ['revoke', 'POST', '/federation/trust-mark/revoke?sub=b&trust_mark_id=', 'trust_mark_id'],
    ['revoke', 'POST', '/federation/trust-mark/revoke?sub=b&trust_mark_id=a&trust_mark_id=a', 'trust_mark_id'],
    ['resolve', 'GET', '/federation/resolve?anchor=a', 'sub'],
    ['resolve', 'GET', '/federation/resolve?anchor=a&sub=', 'sub'],
    ['resolve', 'GET', '/federation/resolve?anchor=a&sub=b&sub=b', 'sub'],
    ['resolve', 'GET', '/federation/resolve?sub=b', 'anchor'],
    ['resolve', 'GET', '/federation/resolve?sub=b&anchor=', 'anchor'],
    ['resolve', 'GET', '/federation/resolve?sub=b&anchor=a&anchor=a', 'anchor'],
  ])('B4 %s refuses %s %s for its parameter %s', async (_name, method, path, parameter) => {
    const answer = await send(method, path)
    expect([answer.status, answer.json.detail[0]?.loc]).toEqual([422, ['query', parameter]])
    expectWholeError(answer)
  })

  test('B4 parameters that no address knows are ignored, also twice', async () => {
    const { id: sub } = await newShop()
    const { text } = await issue(sub)
    const withMore = (query: Record<string, string>) => `${new URLSearchParams(query)}&iss=a&iss=b&__proto__=c`
    const asked = await Promise.all([
      send('GET', `/.well-known/openid-federation?${withMore({})}`),
      send('GET', `/federation/fetch?${withMore({ sub })}`),
      send('GET', `/federation/list?${withMore({})}`),
      send('GET', `/federation/trust-mark?${withMore({ sub, trust_mark_id: MARK })}`),
      send('GET', `${STATUS}?${withMore({ trust_mark: text })}`),
    ])
    expect(asked[4].json).toEqual({ active: true })
    const revoked = await send('POST', `/federation/trust-mark/revoke?${withMore({ sub, trust_mark_id: MARK })}`)
    expect([...asked, revoked].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    const unresolved = await send('GET', `/federation/resolve?${withMore({ sub, anchor: app.baseUrl })}`)
    // Known and enrolled, but nothing answers at its address.
    expect([unresolved.status, unresolved.json['error']]).toEqual([400, 'invalid_trust_chain'])
  })

  test('B10 a trust mark is inactive when a parameter cannot be decoded, is long, or has many others beside it', async () => {
    const { id: sub } = await newShop()
    const { text } = await issue(sub)
    const good = `${new URLSearchParams({ sub, trust_mark_id: MARK })}`
    expect((await send('GET', `${STATUS}?${good}`)).json).toEqual({ active: true })
    const queries = [
      ...['%ff', '%00', '%zz', '%'].flatMap((bad) => [
        `sub=${bad}&trust_mark_id=${encodeURIComponent(MARK)}`,
        `${good}&trust_mark_type=${bad}`,
        `${good}&trust_mark=${bad}`,
        `trust_mark=${text}&sub=${bad}`,
      ]),
      `trust_mark=${'x'.repeat(8_000)}`,
      `sub=${sub}${'&other=1'.repeat(300)}`,
    ]
    for (const query of queries) {
      const { status, json } = await send('GET', `${STATUS}?${query}`)
      expect([query, status, json]).toEqual([query, 200, { active: false }])
    }
  })

  test('B4 every error has both members, is JSON and is not kept', async () => {
    const wallet = await newWalletClient(app)
    const markQuery = new URLSearchParams({ sub: 'https://unknown.example', trust_mark_id: MARK })
    const errors: [number, string, string, Record<string, string>?][] = [
      [404, 'GET', `/federation/fetch?sub=${encodeURIComponent(app.baseUrl)}`],
      [404, 'GET', '/federation/fetch?sub=https://unknown.example'],
      [400, 'GET', '/federation/list?intermediate=true'],
      [404, 'GET', `/federation/trust-mark?${markQuery}`],
      [400, 'GET', '/federation/trust-mark?sub=a&trust_mark_id=b&trust_mark_type=c'],
      [400, 'GET', `${STATUS}?trust_mark=garbage`, SIGNED],
      [404, 'POST', `/federation/trust-mark/revoke?${markQuery}`],
      [401, 'POST', `/federation/trust-mark/revoke?${markQuery}`, {}],
      [401, 'POST', `/federation/trust-mark/revoke?${markQuery}`, { authorization: `Bearer ${wallet.clientId}` }],
      [400, 'GET', '/federation/resolve?sub=a&anchor=https://other.example'],
      [404, 'GET', `/federation/resolve?${new URLSearchParams({ sub: 'https://10.0.0.1', anchor: app.baseUrl })}`],
      [405, 'DELETE', '/federation/list'],
    ]
    for (const [status, method, path, headers] of errors) {
      const answer = await send(method, path, headers)
      expect([path, answer.status]).toEqual([path, status])
      expectWholeError(answer)
    }
    expectWholeError((await exchange(`${app.baseUrl}${STATUS}`, { method: 'POST', body: 'x' })) as never)
  })
})

describe('B7 the filters of the list', () => {
  const listed = async (query: Record<string, string>) => (await ask<string[]>(app, '/federation/list', query)).json
  const isMarked = async (sub: string) => {
    const lists = [{ trust_marked: 'true' }, { trust_mark_type: MARK }, { trust_mark_id: MARK }].map(listed)
    const held = (await Promise.all(lists)).map((list) => list.includes(sub))
    expect((await listed({ trust_marked: 'false' })).includes(sub)).toBe(!held[0])
    return held
  }
  const ALL = [true, true, true]
  const NONE = [false, false, false]

  test('B7, B9 a mark that is revoked, or reinstated and not issued again, counts in no filter', async () => {
    const { id } = await newShop()
    await issue(id)
    expect(await isMarked(id)).toEqual(ALL)
    await revoke(id)
    expect(await isMarked(id)).toEqual(NONE)
    expect((await patch(app, id, { reinstate_trust_mark_ids: [MARK] })).status).toBe(200)
    expect(await isMarked(id)).toEqual(NONE)
    await issue(id)
    expect(await isMarked(id)).toEqual(ALL)
  })

  test('B7 a mark that the subordinate may not hold any more, or that expired, counts in no filter', async () => {
    const [{ id }, other] = [await newShop(), await newShop()]
    await issue(id)
    await patch(app, id, { trust_mark_ids: [OTHER_MARK] })
    expect(await isMarked(id)).toEqual(NONE)
    await issue(other.id)
    app.clock.advance({ seconds: 595 })
    expect(await isMarked(other.id)).toEqual(ALL)
    app.clock.advance({ seconds: 6 })
    expect(await isMarked(other.id)).toEqual(NONE)
  })

  test('B7 two names of the filter by mark must agree', async () => {
    const both = (type: string) => ask(app, '/federation/list', { trust_mark_id: MARK, trust_mark_type: type })
    const [same, different] = [await both(MARK), await both(OTHER_MARK)]
    expect([same.status, different.status, different.json['error']]).toEqual([200, 400, 'invalid_request'])
  })
})

describe('B9 to B11 the status of a mark', () => {
  test('B9, B10 a mark that is reinstated and not issued again is not active', async () => {
    const { id: sub } = await newShop()
    const isActive = async () => (await ask(app, STATUS, { sub, trust_mark_id: MARK })).json['active']
    await issue(sub)
    await revoke(sub)
    await patch(app, sub, { reinstate_trust_mark_ids: [MARK] })
    expect(await isActive()).toBe(false)
    await issue(sub)
    expect(await isActive()).toBe(true)
  })

  test('B11 a mark whose signature is wrong under a key of ours is invalid', async () => {
    const { text } = await issue((await newShop()).id)
    const forged = handmadeJws(decodeProtectedHeader(text), claimsOf({ text }), await newKey())
    expect(outcomeOf(await postStatus(forged))).toBe('invalid')
    expect(outcomeOf(await postStatus(text))).toBe('active')
  })

  test('B11 a mark that its subordinate may not hold any more is revoked', async () => {
    const { id } = await newShop([MARK, OTHER_MARK])
    const { text } = await issue(id)
    await patch(app, id, { trust_mark_ids: [OTHER_MARK] })
    expect(outcomeOf(await postStatus(text))).toBe('revoked')
  })

  test('B11 GET with the media type of the signed answer answers and refuses as POST does', async () => {
    const { id } = await newShop()
    const { text } = await issue(id)
    const get = (query: Record<string, string>) => ask(app, STATUS, query, SIGNED)
    const foreign = handmadeJws(
      decodeProtectedHeader(text),
      { ...claimsOf({ text }), iss: 'https://x.example' },
      await newKey(),
    )
    const unknown = handmadeJws(
      decodeProtectedHeader(text),
      { ...claimsOf({ text }), sub: 'https://x.example' },
      await newKey(),
    )
    for (const mark of [text, foreign, unknown, 'garbage', `${text}.x`]) {
      expect(outcomeOf(await get({ trust_mark: mark }))).toEqual(outcomeOf(await postStatus(mark)))
    }
    expect(outcomeOf(await get({ trust_mark: foreign }))).toEqual([404, 'not_found'])
    expect(outcomeOf(await get({ trust_mark: 'garbage' }))).toEqual([400, 'invalid_request'])
    await revoke(id)
    expect(outcomeOf(await get({ trust_mark: text }))).toBe('revoked')
    expect((await get({ trust_mark: text, sub: id })).json).toEqual({ active: false })
  })
})

test.each<[string, Claims]>([
  ['keys that are empty', { jwks: { keys: [] } }],
  ['keys without kid', { jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) }] } }],
  ['keys that are symmetric', { jwks: { keys: [{ kty: 'oct', k: 'AAAA', kid: 'a' }] } }],
  ['no keys', { jwks: null }],
  ['a policy of no shape', { metadata_policy: { openid_relying_party: { scope: 'x' } } }],
  ['an unknown operator', { metadata_policy: { openid_relying_party: { scope: { regexp: 'x' } } } }],
  ['forbidden operators', { metadata_policy: { openid_relying_party: { scope: { one_of: ['a'], add: ['a'] } } } }],
  ['a mark that is no URL', { trust_mark_ids: ['verified'] }],
  ['a mark twice', { trust_mark_ids: [MARK, MARK] }],
  ['no marks', { trust_mark_ids: null }],
  ['a negative path length', { constraints: { max_path_length: -1 } }],
  ['no entity types', { entity_types: [] }],
  ['an unknown status', { status: 'gone' }],
  ['an unknown member', { entity_id: 'https://other.example' }],
])('B2, B3 a change to %s is refused with 422 and changes nothing', async (_title, changes) => {
  const { id } = await newShop()
  const before = await operate<{ subordinates: Claims[] }>(app, 'GET', '/federation/subordinates')
  expect((await patch(app, id, { ...changes })).status).toBe(422)
  const after = await operate<{ subordinates: Claims[] }>(app, 'GET', '/federation/subordinates')
  expect(after.json).toEqual(before.json)
})
