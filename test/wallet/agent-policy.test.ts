import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  Agent,
  type Answer,
  clientAssertion,
  countStatuses,
  exchange,
  type Key,
  newKey,
  newPrincipal,
  newWalletClient,
} from '../support/actors'
import { type App, startApp } from '../support/app'

type Caller = Readonly<{ clientId: string; key: Key }>
type Action = 'deny' | 'allow' | 'list'
type Members = Readonly<Record<string, unknown>>
interface Policy extends Record<string, unknown> {
  readonly merchant_audience: string
  readonly allow_list_required: boolean
  readonly allow: string[]
  readonly deny: string[]
  readonly updated_at: string | null
}

let app: App
let wallet: Caller
let agent: Agent
let stranger: Agent
beforeAll(async () => {
  app = await startApp({ env: { REQUESTS_PER_MINUTE: '0' } })
  const other = await newWalletClient(app)
  wallet = await newWalletClient(app)
  agent = await newAgent(wallet)
  stranger = await newAgent(other)
})
afterAll(() => app.close())

async function newAgent({ clientId }: Caller, target: App = app) {
  const person = await newPrincipal(target, { approval_rule: 'above_limits', wallet_client_id: clientId })
  return Agent.register(target, person.principalId)
}

const once = encodeURIComponent
const twice = (text: string) => once(once(text))
/** A merchant without any rule. */
const newMerchant = () => `https://${randomUUID()}.example`
const sandboxMerchant = () => `${app.baseUrl}/sandbox/merchants/tallow-books`
const pathOf = (segment: string, action: Action) => `/wallet/policy/${segment}/${action}`

interface RequestOptions {
  readonly by?: Caller
  readonly at?: App
}

async function change(
  segment: string,
  action: 'deny' | 'allow',
  members: Members,
  { by = wallet, at = app }: RequestOptions = {},
) {
  return exchange<Policy>(at.baseUrl + pathOf(segment, action), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: by.clientId, client_assertion: await clientAssertion(at, by), ...members }),
  })
}

const deny = (merchant: string, agentClientId: string, asking?: RequestOptions) =>
  change(once(merchant), 'deny', { agent_client_id: agentClientId }, asking)
const allow = (merchant: string, members: Members, asking?: RequestOptions) =>
  change(once(merchant), 'allow', members, asking)

async function read(
  segment: string,
  headers: Record<string, string> = {},
  { by = wallet, at = app }: RequestOptions = {},
) {
  return exchange<Policy>(at.baseUrl + pathOf(segment, 'list'), {
    headers: { 'x-client-id': by.clientId, 'x-client-assertion': await clientAssertion(at, by), ...headers },
  })
}

const list = async (merchant: string, by = wallet) => (await read(once(merchant), {}, { by })).json
const send = (action: Action, segment: string) =>
  action === 'list' ? read(segment) : change(segment, action, { agent_client_id: agent.clientId })
const outcome = ({ status, json }: Answer) => [status, json['error']]

/** What authorize says about a purchase that is pushed now. */
async function tryToBuy(buyer: Agent, merchant: string) {
  const { form } = await buyer.purchase({ merchant })
  const pushed = await buyer.push(form)
  expect(pushed.status, pushed.text).toBe(201)
  const { result } = await buyer.authorize(pushed.json.request_uri)
  return result['error'] ?? (result['code'] === undefined ? 'nothing' : 'code')
}

describe('what a tenant says about a merchant', () => {
  test('a policy without rules is empty and was never changed', async () => {
    const merchant = newMerchant()
    const answer = await read(once(merchant))
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(answer.json).toEqual({
      merchant_audience: merchant,
      allow_list_required: false,
      allow: [],
      deny: [],
      updated_at: null,
    })
  })

  test('deny and allow return the whole policy, which the list shows too', async () => {
    const merchant = newMerchant()
    const second = await newAgent(wallet)
    const third = await newAgent(wallet)
    const before = app.clock.now().getTime()
    await deny(merchant, agent.clientId)
    await deny(merchant, second.clientId)
    const answer = await allow(merchant, { agent_client_id: third.clientId, allow_list_required: true })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.json).toEqual({
      merchant_audience: merchant,
      allow_list_required: true,
      allow: [third.clientId],
      deny: [agent.clientId, second.clientId].toSorted(),
      updated_at: expect.any(String),
    })
    expect(new Date(answer.json.updated_at ?? 0).getTime()).toBeGreaterThanOrEqual(before)
    expect(await list(merchant)).toEqual(answer.json)
  })

  test('allowing an agent removes it from the deny list, and denying it from the allow list', async () => {
    const merchant = newMerchant()
    const { clientId } = agent
    expect((await deny(merchant, clientId)).json).toMatchObject({ allow: [], deny: [clientId] })
    expect((await allow(merchant, { agent_client_id: clientId })).json).toMatchObject({ allow: [clientId], deny: [] })
    expect((await deny(merchant, clientId)).json).toMatchObject({ allow: [], deny: [clientId] })
  })

  test('a change of allow_list_required leaves the lists as they are', async () => {
    const merchant = newMerchant()
    await deny(merchant, agent.clientId)
    for (const required of [true, false]) {
      expect((await allow(merchant, { allow_list_required: required })).json).toMatchObject({
        allow_list_required: required,
        allow: [],
        deny: [agent.clientId],
      })
    }
    const gated = newMerchant()
    await allow(gated, { allow_list_required: true })
    expect((await allow(gated, { agent_client_id: agent.clientId })).json).toMatchObject({
      allow_list_required: true,
      allow: [agent.clientId],
    })
  })

  test('a repeated change leaves the same lists and moves updated_at', async () => {
    const merchant = newMerchant()
    const first = (await deny(merchant, agent.clientId)).json
    app.clock.advance({ seconds: 5 })
    const second = (await deny(merchant, agent.clientId)).json
    expect(second.deny).toEqual(first.deny)
    expect(Date.parse(second.updated_at ?? '')).toBeGreaterThanOrEqual(Date.parse(first.updated_at ?? '') + 5_000)
  })

  test.each([
    ['deny', 'another merchant', 'https://other.example'],
    ['deny', 'a list', ['https://other.example']],
    ['allow', 'a list', ['https://other.example']],
  ] as const)('%s is about the merchant of the path, also where the body names %s', async (action, _name, other) => {
    const merchant = newMerchant()
    const members = { agent_client_id: agent.clientId, merchant_audience: other }
    const answer = await change(once(merchant), action, members)
    expect([answer.status, answer.json.merchant_audience]).toEqual([200, merchant])
    expect((await list(merchant))[action]).toEqual([agent.clientId])
    expect((await list('https://other.example'))[action]).toEqual([])
  })

  test('a policy does not affect other merchants and is invisible to other tenants', async () => {
    const merchant = newMerchant()
    const other = await newWalletClient(app)
    await allow(merchant, { agent_client_id: agent.clientId, allow_list_required: true })
    const untouched = { allow_list_required: false, allow: [], deny: [], updated_at: null }
    expect(await list(`${merchant}/shop`)).toMatchObject(untouched)
    expect(await list(merchant, other)).toMatchObject(untouched)
  })

  test('client_assertion_type may be left out, and must name the JWT type when present', async () => {
    const members = (type: unknown) => ({ agent_client_id: agent.clientId, client_assertion_type: type })
    const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
    expect((await change(once(newMerchant()), 'deny', members(type))).status).toBe(200)
    for (const odd of ['', 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer', 1, null]) {
      expect(outcome(await change(once(newMerchant()), 'deny', members(odd)))).toEqual([400, 'invalid_request'])
    }
  })
})

describe('a merchant has one policy, however it is spelled', () => {
  test.each([
    ['once', once],
    ['twice', twice],
    ['once, with a raw colon', (text: string) => once(text).replace('%3A', ':')],
    ['in lower-case hexadecimal', (text: string) => once(text).replaceAll(/%../g, (triplet) => triplet.toLowerCase())],
  ])('a policy is found when the path is percent-encoded %s', async (_name, encode) => {
    const merchant = `${newMerchant()}/shop/caf%C3%A9%262`
    const answer = await change(encode(merchant), 'deny', { agent_client_id: agent.clientId })
    expect(answer.json, answer.text).toMatchObject({ merchant_audience: merchant, deny: [agent.clientId] })
    expect((await read(encode(merchant))).json).toEqual(answer.json)
    expect(await list(merchant)).toEqual(answer.json)
  })

  test.each([
    ['upper case', (host: string) => `HTTPS://${host.toUpperCase()}`],
    ['the default port', (host: string) => `https://${host}:443`],
    ['a trailing slash', (host: string) => `https://${host}/`],
    ['a trailing dot', (host: string) => `https://${host}.`],
    ['dot segments', (host: string) => `https://${host}/a/..`],
  ])('with %s', async (_name, alias) => {
    const merchant = newMerchant()
    const answer = await deny(alias(new URL(merchant).host), agent.clientId)
    expect(answer.json, answer.text).toMatchObject({ merchant_audience: merchant, deny: [agent.clientId] })
    expect(await list(merchant)).toEqual(answer.json)
  })

  test('an agent that is denied under one spelling of a merchant is denied under every other', async () => {
    const scheme = fc.constantFrom('https://', 'HTTPS://', 'hTTps://')
    const port = fc.constantFrom('', ':', ':443', ':0443')
    const segment = fc.constantFrom('a', 'Shop', '%7E', 'a%2Fb', '%C3%A9', '%25', '%2541', '+', ':', '@', "'")
    const spelling = fc.record({ scheme, port, shout: fc.boolean(), encode: fc.constantFrom(once, twice) })
    const property = fc.asyncProperty(
      fc.array(segment, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('', '?', '/', '/?'),
      spelling,
      spelling,
      async (segments, query, one, other) => {
        const host = `${randomUUID()}.example`
        const spell = (as: typeof one) =>
          as.encode(`${as.scheme}${as.shout ? host.toUpperCase() : host}${as.port}/${segments.join('/')}${query}`)
        const denied = await change(spell(one), 'deny', { agent_client_id: agent.clientId })
        expect(denied.status, denied.text).toBe(200)
        expect((await read(spell(other))).json).toEqual(denied.json)
      },
    )
    await fc.assert(property, { numRuns: 25, seed: 20_261_121 })
  })
})

describe('refusals', () => {
  const actions: readonly Action[] = ['deny', 'allow', 'list']

  test.each([
    ['a name', 'shop'],
    ['another scheme', once('ftp://shop.example')],
    ['user information', once('https://a@shop.example')],
    ['a fragment', once('https://shop.example/#a')],
    ['a query', once('https://shop.example?a=1')],
    ['a doubled slash', once('https://shop.example//a')],
    ['a lone percent sign', '%25'],
    ['a URL with a lone percent sign', once('https://shop.example/%')],
    ['UTF-8 cut short', once('%E0%A4%A')],
    ['a NUL encoded twice', once('%00')],
    ['a URL encoded three times', once(twice('https://shop.example'))],
    ['a URL that is too long', once(`https://shop.example/${'a'.repeat(2_048)}`)],
  ])('%s is no merchant: 422', async (_name, segment) => {
    for (const action of actions) {
      const answer = await send(action, segment)
      expect(answer.status, action).toBe(422)
      expect(answer.json).toMatchObject({ detail: [{ loc: ['path', 'merchant_audience'] }] })
    }
  })

  test.each(['%', '%E0%A4%A', '%00', 'https://shop.example', ''])(
    'a path that names nothing (%j) is 404',
    async (segment) => {
      for (const action of actions) expect((await send(action, segment)).status).toBe(404)
    },
  )

  test('an empty allow request is 400 and changes nothing', async () => {
    const merchant = newMerchant()
    for (const members of [{}, { agent: agent.clientId }]) {
      expect(outcome(await allow(merchant, members))).toEqual([400, 'invalid_request'])
    }
    expect(await list(merchant)).toMatchObject({ updated_at: null })
  })

  test("another tenant's agent, a wallet client and an unknown one are 404 alike, and change nothing", async () => {
    const merchant = newMerchant()
    const parts = ({ status, json }: Answer) => ({ status, json })
    const answers: unknown[] = []
    for (const clientId of [stranger.clientId, wallet.clientId, 'portal', randomUUID(), '__proto__']) {
      answers.push(parts(await deny(merchant, clientId)))
      answers.push(parts(await allow(merchant, { agent_client_id: clientId })))
      answers.push(parts(await allow(merchant, { agent_client_id: clientId, allow_list_required: true })))
    }
    expect(answers[0]).toMatchObject({ status: 404, json: { error: 'not_found' } })
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await list(merchant)).toMatchObject({ allow_list_required: false, allow: [], deny: [], updated_at: null })
  })

  test.each([
    ['deny', 'agent_client_id', undefined, 'missing'],
    ['deny', 'agent_client_id', '', 'custom'],
    ['deny', 'agent_client_id', 1, 'invalid_type'],
    ['deny', 'agent_client_id', null, 'invalid_type'],
    ['deny', 'agent_client_id', 'a\u0000b', 'custom'],
    ['allow', 'agent_client_id', ['a'], 'invalid_type'],
    ['allow', 'agent_client_id', 'x'.repeat(257), 'too_big'],
    ['allow', 'allow_list_required', 'true', 'invalid_type'],
    ['allow', 'allow_list_required', null, 'invalid_type'],
    ['allow', 'client_id', undefined, 'missing'],
  ] as const)('%s with the %s %j is 422 and uses up no assertion', async (action, name, value, type) => {
    const assertion = await clientAssertion(app, wallet)
    const refused = await change(once(newMerchant()), action, {
      allow_list_required: true,
      client_assertion: assertion,
      [name]: value,
    })
    expect(refused.status, refused.text).toBe(422)
    expect(refused.json).toMatchObject({ detail: [{ loc: ['body', name], msg: expect.any(String), type }] })
    const corrected = { client_assertion: assertion, agent_client_id: agent.clientId }
    expect((await change(once(newMerchant()), action, corrected)).status).toBe(200)
  })

  test.each([
    ['no JSON', 'application/json', '{', 400],
    ['a list', 'application/json', '[]', 422],
    ['no Unicode', 'application/json', String.raw`{"agent_client_id":"\ud800"}`, 400],
    ['nothing', 'application/json', '', 400],
    ['a form', 'application/x-www-form-urlencoded', 'agent_client_id=a', 415],
    ['too large', 'application/json', JSON.stringify({ a: 'x'.repeat(70_000) }), 413],
  ])('a body that is %s is refused', async (_name, type, body, status) => {
    for (const action of ['deny', 'allow'] as const) {
      const url = app.baseUrl + pathOf(once(newMerchant()), action)
      const answer = await exchange(url, { method: 'POST', headers: { 'content-type': type }, body })
      const said = status === 422 ? answer.json['detail'] : answer.json['error_description']
      expect([answer.status, said === undefined]).toEqual([status, false])
    }
  })

  test('a missing body is refused, with 400 where a member is needed', async () => {
    for (const [action, status] of [
      ['deny', 422],
      ['allow', 400],
    ] as const) {
      const answer = await exchange(app.baseUrl + pathOf(once(newMerchant()), action), { method: 'POST' })
      expect(answer.status).toBe(status)
    }
  })

  test('an unsupported method is 405 and names the supported one', async () => {
    for (const [action, method, allowed] of [
      ['deny', 'GET', 'POST, OPTIONS'],
      ['allow', 'PUT', 'POST, OPTIONS'],
      ['list', 'POST', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const answer = await exchange(app.baseUrl + pathOf(once(newMerchant()), action), { method })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed])
    }
  })
})

describe('only a wallet client gets in: 401', () => {
  const everywhere = async (by: Caller, assertion?: string) => {
    const segment = once(newMerchant())
    const given = assertion === undefined ? {} : { client_assertion: assertion }
    const header: Record<string, string> = assertion === undefined ? {} : { 'x-client-assertion': assertion }
    return [
      await change(segment, 'deny', { agent_client_id: agent.clientId, ...given }, { by }),
      await change(segment, 'allow', { allow_list_required: true, ...given }, { by }),
      await read(segment, header, { by }),
    ].map(outcome)
  }
  const refused = [401, 'invalid_client']

  test('an agent cannot change a policy, not even one about itself', async () => {
    expect(await everywhere(agent)).toEqual([refused, refused, refused])
  })

  test('an assertion by a wrong key, an unknown client, for another audience or after its expiry is 401', async () => {
    const key = await newKey()
    const now = Math.floor(app.clock.now().getTime() / 1000)
    expect(await everywhere({ ...wallet, key })).toEqual([refused, refused, refused])
    expect(await everywhere({ clientId: randomUUID(), key })).toEqual([refused, refused, refused])
    const assertions = [
      await clientAssertion(app, wallet, { aud: `${app.baseUrl}/oauth/token` }),
      await clientAssertion(app, wallet, { exp: now - 1 }),
      'garbage',
    ]
    for (const assertion of assertions) expect(await everywhere(wallet, assertion)).toEqual([refused, refused, refused])
  })

  test('C7 an assertion can be used once, at the three policy endpoints together', async () => {
    const assertion = await clientAssertion(app, wallet)
    expect(await everywhere(wallet, assertion)).toEqual([[200, undefined], refused, refused])
    const other = await clientAssertion(app, wallet)
    expect((await read(once(newMerchant()), { 'x-client-assertion': other })).status).toBe(200)
    expect(await everywhere(wallet, other)).toEqual([refused, refused, refused])
  })

  test('C9 a client_id that is not that of the assertion is 401', async () => {
    const members = { client_id: agent.clientId, agent_client_id: agent.clientId }
    expect(outcome(await change(once(newMerchant()), 'deny', members))).toEqual(refused)
    expect(outcome(await read(once(newMerchant()), { 'x-client-id': agent.clientId }))).toEqual(refused)
  })

  test('a request without an assertion, or with the token of an agent, is 401', async () => {
    const { access_token: token } = await agent.buy()
    const members = { client_id: wallet.clientId, agent_client_id: agent.clientId }
    for (const action of ['deny', 'allow'] as const) {
      const path = pathOf(once(newMerchant()), action)
      const bare = await change(once(newMerchant()), action, { ...members, client_assertion: undefined })
      expect(outcome(bare)).toEqual(refused)
      expect(outcome(await agent.call('POST', path, token, members))).toEqual(refused)
    }
    const path = pathOf(once(newMerchant()), 'list')
    expect(outcome(await exchange(app.baseUrl + path))).toEqual(refused)
    expect(outcome(await agent.call('GET', path, token))).toEqual(refused)
  })
})

describe('the next purchase obeys', () => {
  test('a denied agent gets access_denied at authorize, under any spelling, and buys again once it is allowed', async () => {
    const buyer = await newAgent(wallet)
    const merchant = sandboxMerchant()
    expect(await tryToBuy(buyer, merchant)).toBe('code')
    await change(twice(merchant), 'deny', { agent_client_id: buyer.clientId })
    for (const spelling of [
      merchant,
      merchant.replace('localhost', 'LOCALHOST'),
      merchant.replace('/tallow', '/./tallow'),
    ]) {
      expect(await tryToBuy(buyer, spelling)).toBe('access_denied')
    }
    expect(await tryToBuy(buyer, newMerchant())).toBe('code')
    await allow(merchant, { agent_client_id: buyer.clientId })
    expect(await tryToBuy(buyer, merchant)).toBe('code')
  })

  test('a required allow list shuts out every agent that is not on it, until it is no longer required', async () => {
    const [listed, unlisted, denied] = [await newAgent(wallet), await newAgent(wallet), await newAgent(wallet)]
    const merchant = newMerchant()
    const outcomes = async () => Promise.all([listed, unlisted, denied].map(async (buyer) => tryToBuy(buyer, merchant)))
    await allow(merchant, { agent_client_id: listed.clientId, allow_list_required: true })
    await deny(merchant, denied.clientId)
    expect(await outcomes()).toEqual(['code', 'access_denied', 'access_denied'])
    expect(await tryToBuy(stranger, merchant)).toBe('code')
    await allow(merchant, { allow_list_required: false })
    expect(await outcomes()).toEqual(['code', 'code', 'access_denied'])
  })

  test('a mandate from before a denial is not admitted to settlement; what was settled stays settled', async () => {
    const buyer = await newAgent(wallet)
    const [paid, unpaid] = [await buyer.buy(), await buyer.buy()]
    const settled = await buyer.settle(paid.access_token, paid.mandate_jwt, 'paid')
    expect(settled.status, settled.text).toBe(200)
    await deny(sandboxMerchant(), buyer.clientId)
    expect(outcome(await buyer.settle(unpaid.access_token, unpaid.mandate_jwt, 'unpaid'))).toEqual([403, 'forbidden'])
    expect((await buyer.settle(paid.access_token, paid.mandate_jwt, 'paid')).text).toBe(settled.text)
    await allow(sandboxMerchant(), { agent_client_id: buyer.clientId })
    expect((await buyer.settle(unpaid.access_token, unpaid.mandate_jwt, 'later')).status).toBe(200)
  })
})

describe('changes at the same time', () => {
  test('parallel allows and denies of one agent leave exactly one rule, which PAR obeys', async () => {
    const merchant = newMerchant()
    const buyer = await newAgent(wallet)
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, turn) =>
        turn % 2 === 0 ? deny(merchant, buyer.clientId) : allow(merchant, { agent_client_id: buyer.clientId }),
      ),
    )
    expect(countStatuses(answers)).toEqual({ 200: 12 })
    for (const [turn, { json }] of answers.entries()) {
      expect(turn % 2 === 0 ? [json.deny, json.allow] : [json.allow, json.deny]).toEqual([[buyer.clientId], []])
    }
    const policy = await list(merchant)
    expect([...policy.allow, ...policy.deny]).toEqual([buyer.clientId])
    expect(await tryToBuy(buyer, merchant)).toBe(policy.deny.length === 1 ? 'access_denied' : 'code')
  })

  test('parallel changes about several agents and the merchant gate all take effect', async () => {
    const merchant = newMerchant()
    const agents = await Promise.all(Array.from({ length: 4 }, async () => newAgent(wallet)))
    const answers = await Promise.all(
      agents.flatMap(({ clientId }, index) => [
        index % 2 === 0 ? deny(merchant, clientId) : allow(merchant, { agent_client_id: clientId }),
        allow(merchant, { agent_client_id: agent.clientId, allow_list_required: true }),
      ]),
    )
    expect(countStatuses(answers)).toEqual({ 200: 8 })
    const ids = (odd: number) => agents.filter((_, index) => index % 2 === odd).map(({ clientId }) => clientId)
    expect(await list(merchant)).toMatchObject({
      allow_list_required: true,
      allow: [...ids(1), agent.clientId].toSorted(),
      deny: ids(0).toSorted(),
    })
  })
})

// Last, since a second service takes the place of the first where requests go through the route files.
describe('one caller too often', () => {
  test('one request more than the quota allows is 429 with Retry-After', async () => {
    const tight = await startApp({ env: { REQUESTS_PER_MINUTE: '3' } })
    const by = await newWalletClient(tight)
    const merchant = once(newMerchant())
    const members = { allow_list_required: true }
    const answers: Answer[] = []
    for (let turn = 0; turn < 2; turn += 1) {
      answers.push(await change(merchant, 'allow', members, { by, at: tight }))
      answers.push(await read(merchant, {}, { by, at: tight }))
    }
    await tight.close()
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(answers[3]?.json).toMatchObject({ error: 'rate_limited', error_description: expect.any(String) })
    expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
