import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { saveMerchantRule } from '@/server/wallet/merchant-rules'
import {
  Agent,
  type Answer,
  clientAssertion,
  countStatuses,
  exchange,
  type Key,
  newPrincipal,
  newWalletClient,
  Person,
} from '../support/actors'
import { type App, startApp } from '../support/app'
import { setAuthentication, withPortal } from '../support/wallet-token'

type Verdict = 'allow' | 'deny' | null
interface Rule {
  readonly merchant_audience: string
  readonly merchant_name?: string
  readonly agent_client_id: string | null
  readonly verdict: Verdict
  readonly updated_at: string | null
}
interface Rules {
  readonly only_listed: boolean
  readonly rules: readonly Rule[]
}
interface Household {
  readonly person: Person
  readonly agent: Agent
}

let app: App
let wallet: Readonly<{ clientId: string; key: Key }>
let ada: Household
beforeAll(async () => {
  app = await startApp({ env: { REQUESTS_PER_MINUTE: '0' } })
  wallet = await newWalletClient(app)
  ada = await newHousehold()
})
afterAll(() => app.close())

/** A person of the tenant who is asked about nothing that their rules allow, and their agent. */
async function newHousehold(): Promise<Household> {
  const options = { approval_rule: 'above_limits', wallet_client_id: wallet.clientId } as const
  const { principalId } = await newPrincipal(app, options)
  return { person: await Person.signIn(app, principalId), agent: await Agent.register(app, principalId) }
}

const PATH = '/wallet/merchant-rules'
const once = encodeURIComponent
const twice = (text: string) => once(once(text))
const newMerchant = () => `https://${randomUUID()}.example`
const tallow = () => `${app.baseUrl}/sandbox/merchants/tallow-books`
const outcome = ({ status, json }: Answer) => [status, json['error']]

const send = (person: Person, body: unknown) => person.call('POST', PATH, body)

async function rule(person: Person, merchant: string, verdict: Verdict, agent?: Agent): Promise<Rule> {
  const subject = agent === undefined ? {} : { agent_client_id: agent.clientId }
  const answer = await person.call<Rule>('POST', PATH, { merchant_audience: merchant, verdict, ...subject })
  expect(answer.status, answer.text).toBe(200)
  return answer.json
}

async function gate(person: Person, onlyListed: boolean): Promise<void> {
  const answer = await person.call('POST', `${PATH}/gate`, { only_listed: onlyListed })
  expect([answer.status, answer.json]).toEqual([200, { only_listed: onlyListed }])
}

async function read(person: Person): Promise<Rules> {
  const answer = await person.call<Rules>('GET', PATH)
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
  return answer.json
}

/** What the tenant says about an agent at a merchant. */
async function tenantSays(merchant: string, action: 'allow' | 'deny', members: Record<string, unknown>): Promise<void> {
  const answer = await exchange(`${app.baseUrl}/wallet/policy/${once(merchant)}/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_id: wallet.clientId,
      client_assertion: await clientAssertion(app, wallet),
      ...members,
    }),
  })
  expect(answer.status, answer.text).toBe(200)
}

/** What authorize says about a purchase that is pushed now. */
async function tryToBuy(buyer: Agent, merchant: string) {
  const { form } = await buyer.purchase({ merchant })
  const pushed = await buyer.push(form)
  expect(pushed.status, pushed.text).toBe(201)
  const { result } = await buyer.authorize(pushed.json.request_uri)
  return result['error'] ?? (result['code'] === undefined ? 'nothing' : 'code')
}

const settle = async (buyer: Agent, bought: { access_token: string; mandate_jwt: string }) =>
  buyer.settle(bought.access_token, bought.mandate_jwt, randomUUID())

describe('what a person says about merchants', () => {
  test('a person without rules has an empty list and may be asked by every merchant', async () => {
    expect(await read((await newHousehold()).person)).toEqual({ only_listed: false, rules: [] })
  })

  test('rules are listed by merchant, those for all agents first, with the names of registered merchants', async () => {
    const { person, agent } = await newHousehold()
    const [first, second] = [newMerchant(), newMerchant()].toSorted()
    const before = app.clock.now().getTime()
    await rule(person, second ?? '', 'deny', agent)
    await rule(person, second ?? '', 'allow')
    const saved = await rule(person, first ?? '', 'deny')
    await rule(person, tallow(), 'allow', agent)
    await gate(person, true)
    expect(saved).toEqual({
      merchant_audience: first,
      agent_client_id: null,
      verdict: 'deny',
      updated_at: expect.any(String),
    })
    expect(Date.parse(saved.updated_at ?? '')).toBeGreaterThanOrEqual(before)
    const updated_at = expect.any(String)
    const listed = { merchant_name: 'Tallow Books', agent_client_id: agent.clientId, verdict: 'allow', updated_at }
    expect(await read(person)).toEqual({
      only_listed: true,
      rules: [
        { merchant_audience: tallow(), ...listed },
        saved,
        { merchant_audience: second, agent_client_id: null, verdict: 'allow', updated_at },
        { merchant_audience: second, agent_client_id: agent.clientId, verdict: 'deny', updated_at },
      ].toSorted((one, other) => ((one.merchant_audience ?? '') < (other.merchant_audience ?? '') ? -1 : 1)),
    })
  })

  test('a new rule replaces the old one, null deletes it, and both may be repeated', async () => {
    const { person, agent } = await newHousehold()
    const merchant = newMerchant()
    for (const of of [undefined, agent]) {
      for (const verdict of ['allow', 'deny', 'deny'] as const) await rule(person, merchant, verdict, of)
    }
    expect((await read(person)).rules.map(({ verdict }) => verdict)).toEqual(['deny', 'deny'])
    const forgotten = { merchant_audience: merchant, agent_client_id: null, verdict: null, updated_at: null }
    expect(await rule(person, merchant, null)).toEqual(forgotten)
    expect((await read(person)).rules).toMatchObject([{ agent_client_id: agent.clientId }])
    expect(await rule(person, merchant, null)).toEqual(forgotten)
    await rule(person, merchant, null, agent)
    expect((await read(person)).rules).toEqual([])
  })

  test('a null agent means all agents, so a rule that was read can be sent back', async () => {
    const { person } = await newHousehold()
    const merchant = newMerchant()
    const answer = await send(person, { merchant_audience: merchant, agent_client_id: null, verdict: 'deny' })
    expect(answer.status, answer.text).toBe(200)
    expect((await read(person)).rules).toMatchObject([{ merchant_audience: merchant, agent_client_id: null }])
  })

  test('the rules of one person do not affect another of the same tenant', async () => {
    const other = await newHousehold()
    const merchant = newMerchant()
    await rule(other.person, merchant, 'deny')
    await gate(other.person, true)
    expect(await tryToBuy(ada.agent, merchant)).toBe('code')
    expect((await read(ada.person)).rules.map(({ merchant_audience: one }) => one)).not.toContain(merchant)
  })
})

describe('refusals', () => {
  test.each([
    ['a name', 'shop'],
    ['another scheme', 'ftp://shop.example'],
    ['user information', 'https://a@shop.example'],
    ['a fragment', 'https://shop.example/#a'],
    ['a query', 'https://shop.example?a=1'],
    ['a doubled slash', 'https://shop.example//a'],
    ['an encoded slash in the host', 'https://shop%2Fexample'],
    ['a lone percent sign', '%'],
    ['a URL encoded three times', once(twice('https://shop.example'))],
    ['a URL that is too long', `https://shop.example/${'a'.repeat(2_048)}`],
    ['much too long', 'a'.repeat(20_000)],
    ['a NUL', 'https://shop.example/\u0000'],
    ['nothing', ''],
    ['a number', 1],
  ])('%s is no merchant: 422', async (_name, merchant) => {
    for (const verdict of ['allow', 'deny', null]) {
      const answer = await send(ada.person, { merchant_audience: merchant, verdict })
      expect(answer.status, answer.text).toBe(422)
      expect(answer.json['detail']).toMatchObject([{ loc: ['body', 'merchant_audience'] }])
    }
  })

  test('plain http is no merchant except on a loopback host of the sandbox', async () => {
    const { person } = await newHousehold()
    for (const verdict of ['allow', 'deny', null]) {
      for (const odd of ['http://shop.example', 'http://127.0.0.1.example', 'http://localhost.example']) {
        expect((await send(person, { merchant_audience: odd, verdict })).status, odd).toBe(422)
      }
      for (const own of ['http://localhost:1', 'http://127.0.0.1', 'http://[::1]:1/a', 'http://127.1/a']) {
        expect((await send(person, { merchant_audience: own, verdict })).status, own).toBe(200)
      }
    }
  })

  test.each([
    ['no verdict', { merchant_audience: 'https://shop.example' }],
    ['another verdict', { merchant_audience: 'https://shop.example', verdict: 'block' }],
    ['an unknown member', { merchant_audience: 'https://shop.example', verdict: 'deny', only_listed: true }],
    ['an agent that is no text', { merchant_audience: 'https://shop.example', verdict: 'deny', agent_client_id: 1 }],
    ['an empty agent', { merchant_audience: 'https://shop.example', verdict: 'deny', agent_client_id: '' }],
    ['no merchant', { verdict: 'deny' }],
  ])('%s is 422', async (_name, body) => {
    expect((await send(ada.person, body)).status).toBe(422)
  })

  test.each([[{}], [{ only_listed: 'true' }], [{ only_listed: null }], [{ only_listed: true, verdict: 'deny' }]])(
    'a gate of %j is 422',
    async (body) => {
      expect((await ada.person.call('POST', `${PATH}/gate`, body)).status).toBe(422)
    },
  )

  test("another person's agent, a wallet client and an unknown agent are 404, also when a rule is deleted", async () => {
    const { agent: foreign } = await newHousehold()
    for (const agentId of [foreign.clientId, wallet.clientId, randomUUID()]) {
      for (const verdict of ['allow', 'deny', null]) {
        const body = { merchant_audience: newMerchant(), agent_client_id: agentId, verdict }
        expect(outcome(await send(ada.person, body))).toEqual([404, 'not_found'])
      }
    }
  })

  test('wallet:read cannot change rules, and a payment token cannot read them', async () => {
    const { person, agent } = await newHousehold()
    const reader = await Person.signIn(app, person.principalId, 'wallet:read')
    const body = { merchant_audience: newMerchant(), verdict: 'deny' }
    expect(outcome(await send(reader, body))).toEqual([403, 'insufficient_scope'])
    expect(outcome(await reader.call('POST', `${PATH}/gate`, { only_listed: true }))).toEqual([
      403,
      'insufficient_scope',
    ])
    const { access_token: token } = await agent.buy()
    for (const [method, path, sent] of [
      ['GET', PATH, undefined],
      ['POST', PATH, body],
      ['POST', `${PATH}/gate`, { only_listed: true }],
    ] as const) {
      expect((await agent.call(method, path, token, sent)).status).toBe(401)
      const headers = { 'content-type': 'application/json' }
      const anonymous = { method, headers, ...(sent === undefined ? {} : { body: JSON.stringify(sent) }) }
      expect((await exchange(app.baseUrl + path, anonymous)).status).toBe(401)
    }
    expect(await read(person)).toEqual({ only_listed: false, rules: [] })
  })

  test('B8 a token that a mailed link confirmed blocks merchants, and relaxes no rule where there is a passkey', async () => {
    const { person, agent } = await newHousehold()
    const merchant = newMerchant()
    await rule(person, merchant, 'deny')
    await gate(person, true)
    await app.platform.db.query(sql`UPDATE principals SET passkey_required = true WHERE id = ${person.principalId}`)
    await setAuthentication(app, person.token, 'mail')
    const before = await read(person)
    for (const [path, body] of [
      [PATH, { merchant_audience: merchant, verdict: 'allow' }],
      [PATH, { merchant_audience: newMerchant(), agent_client_id: agent.clientId, verdict: 'allow' }],
      [`${PATH}/gate`, { only_listed: false }],
    ] as const) {
      const answer = await person.call('POST', path, body)
      expect(outcome(answer)).toEqual([401, 'insufficient_user_authentication'])
    }
    expect(await read(person)).toEqual(before)
    await rule(person, newMerchant(), 'deny', agent)
    await gate(person, true)
  })

  test('the rule after 900 is 422, also under parallel use, while replacing, deleting and the portal still work', async () => {
    const { person, agent } = await newHousehold()
    await app.platform.db.query(
      sql`INSERT INTO principal_merchant_rules (id, principal_id, merchant_audience, verdict, updated_at)
       SELECT gen_random_uuid(), ${person.principalId}, 'https://' || n || '.example', 'deny', ${app.clock.now()} FROM generate_series(1, 899) n`,
    )
    const answers = await Promise.all(
      Array.from({ length: 24 }, async () => send(person, { merchant_audience: newMerchant(), verdict: 'deny' })),
    )
    expect(countStatuses(answers)).toEqual({ 200: 1, 422: 23 })
    expect(answers.find(({ status }) => status === 422)?.json).toMatchObject({ detail: [{ type: 'too_many' }] })
    await rule(person, 'https://1.example', 'allow')
    const narrower = { merchant_audience: 'https://1.example', agent_client_id: agent.clientId, verdict: 'deny' }
    expect((await send(person, narrower)).status).toBe(422)
    await rule(person, 'https://2.example', null)
    expect((await send(person, narrower)).status).toBe(200)
    expect((await read(person)).rules).toHaveLength(900)
    const inPortal = withPortal(app, person.principalId)
    await saveMerchantRule.verb(inPortal, { merchant_audience: newMerchant(), verdict: 'deny' })
    expect((await read(person)).rules).toHaveLength(901)
  })
})

describe('a merchant is one merchant, however it is spelled', () => {
  const spellings: readonly (readonly [string, (host: string) => string])[] = [
    ['as it is', (host) => `https://${host}`],
    ['in upper case', (host) => `HTTPS://${host.toUpperCase()}`],
    ['with the default port', (host) => `https://${host}:443`],
    ['with an empty port', (host) => `https://${host}:`],
    ['with a trailing slash', (host) => `https://${host}/`],
    ['with a trailing dot', (host) => `https://${host}.`],
    ['with dot segments', (host) => `https://${host}/a/%2e%2E`],
    ['with letters of the host encoded', (host) => `https://${host.replace('shop', '%53h%6fp')}`],
    ['with a dot of the host encoded', (host) => `https://${host.replaceAll('.', '%2E')}`],
  ]
  const encodings = [(text: string) => text, once, twice]

  test.each(spellings)('a merchant that is blocked %s is blocked in every spelling', async (_name, spell) => {
    const { person, agent } = await newHousehold()
    for (const encode of encodings) {
      const host = `shop-${randomUUID()}.example`
      expect(await rule(person, encode(spell(host)), 'deny')).toMatchObject({ merchant_audience: `https://${host}` })
      for (const [name, alias] of spellings) expect(await tryToBuy(agent, alias(host)), name).toBe('access_denied')
      await rule(person, encode(spell(host)), null)
      expect(await tryToBuy(agent, spell(host))).toBe('code')
    }
  })

  test('all spellings of an IP address are one merchant', async () => {
    const { person, agent } = await newHousehold()
    await rule(person, 'https://[2606:4700::1]', 'deny')
    await rule(person, 'https://127.0.0.1', 'deny')
    for (const alias of [
      'https://[2606:4700:0:0:0:0:0:1]/',
      'https://127.1',
      'https://0x7f.0.0.1',
      'https://2130706433',
    ]) {
      expect(await tryToBuy(agent, alias), alias).toBe('access_denied')
    }
  })

  test('percent-encoding of reserved characters in a path is kept', async () => {
    const { person, agent } = await newHousehold()
    const merchant = `${newMerchant()}/shop/a%2Fb%2520c`
    for (const encode of encodings) {
      expect(await rule(person, encode(merchant), 'deny')).toMatchObject({ merchant_audience: merchant })
    }
    expect(await tryToBuy(agent, merchant)).toBe('access_denied')
    expect(await tryToBuy(agent, merchant.replace('%2F', '/'))).toBe('code')
  })
})

describe("the tenant's rules and the person's hold together", () => {
  const said = [null, 'allow', 'deny'] as const
  const table = said.flatMap((tenant) =>
    [false, true].flatMap((tenantGate) =>
      said.flatMap((everyAgent) =>
        said.flatMap((thisAgent) =>
          [false, true].map((ownGate) => ({ tenant, tenantGate, everyAgent, thisAgent, ownGate })),
        ),
      ),
    ),
  )
  /** In the words of the rule, not of the statement: who denies, refuses; who asks for a list, must list. */
  const isRefused = ({ tenant, tenantGate, everyAgent, thisAgent, ownGate }: (typeof table)[number]) => {
    const own = [everyAgent, thisAgent]
    if (tenant === 'deny' || own.includes('deny')) return true
    return (tenantGate && tenant !== 'allow') || (ownGate && !own.includes('allow'))
  }

  test('rules of tenant and person hold together in all 108 combinations, at PAR and at settlement', async () => {
    const { person, agent } = await newHousehold()
    const other = await Agent.register(app, person.principalId)
    const found: [string, string, number, unknown][] = []
    const wanted: typeof found = []
    for (const row of table) {
      const merchant = newMerchant()
      await gate(person, false)
      const bought = await agent.buy({ merchant })
      if (row.tenant !== null) await tenantSays(merchant, row.tenant, { agent_client_id: agent.clientId })
      if (row.tenantGate) await tenantSays(merchant, 'allow', { allow_list_required: true })
      if (row.everyAgent !== null) await rule(person, merchant, row.everyAgent)
      if (row.thisAgent !== null) await rule(person, merchant, row.thisAgent, agent)
      // What is said about another agent says nothing about this one.
      await rule(person, merchant, isRefused(row) ? 'allow' : 'deny', other)
      await gate(person, row.ownGate)
      const settled = await settle(agent, bought)
      const name = JSON.stringify(row)
      found.push([name, await tryToBuy(agent, merchant), settled.status, settled.json['error']])
      wanted.push(isRefused(row) ? [name, 'access_denied', 403, 'forbidden'] : [name, 'code', 200, undefined])
    }
    expect(found).toEqual(wanted)
  }, 120_000)

  test('a refused mandate can be settled once the rule is deleted, and settled payments stay settled', async () => {
    const { person, agent } = await newHousehold()
    const [paid, unpaid] = [await agent.buy(), await agent.buy()]
    const settled = await agent.settle(paid.access_token, paid.mandate_jwt, 'paid')
    expect(settled.status, settled.text).toBe(200)
    await rule(person, tallow(), 'deny')
    expect(outcome(await settle(agent, unpaid))).toEqual([403, 'forbidden'])
    expect((await agent.settle(paid.access_token, paid.mandate_jwt, 'paid')).text).toBe(settled.text)
    await rule(person, tallow(), null)
    expect((await settle(agent, unpaid)).status).toBe(200)
  })

  test('wallet access is not subject to "only my list"', async () => {
    const { person, agent } = await newHousehold()
    await gate(person, true)
    const { form } = await agent.walletAccess('wallet:read')
    expect((await agent.push(form)).status).toBe(201)
    expect(await person.pending()).toHaveLength(1)
  })
})

describe('at the same time', () => {
  test('a rule that was saved before a settlement or request starts always holds', async () => {
    const { person, agent } = await newHousehold()
    for (let round = 0; round < 4; round += 1) {
      const merchant = newMerchant()
      const bought = []
      for (let count = 0; count < 8; count += 1) bought.push(await agent.buy({ merchant }))
      // Half of the rounds block, half turn on the list; four settlements run beside it and four come after it.
      const refuse = async () => (round % 2 === 0 ? rule(person, merchant, 'deny') : gate(person, true))
      const beside = Promise.all(bought.slice(0, 4).map(async (one) => settle(agent, one)))
      await refuse()
      const after = await Promise.all(bought.slice(4).map(async (one) => settle(agent, one)))
      expect(after.map(outcome)).toEqual(Array.from({ length: 4 }, () => [403, 'forbidden']))
      expect(await tryToBuy(agent, merchant)).toBe('access_denied')
      for (const { status } of await beside) expect([200, 403]).toContain(status)
      await (round % 2 === 0 ? rule(person, merchant, null) : gate(person, false))
      const again = await Promise.all(bought.slice(4).map(async (one) => settle(agent, one)))
      expect(countStatuses(again)).toEqual({ 200: 4 })
    }
  }, 60_000)

  test('a rule is not answered before it holds, even while another transaction locks the person', async () => {
    const { person, agent } = await newHousehold()
    const merchant = newMerchant()
    const bought = await agent.buy({ merchant })
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let holding: Promise<void> = released
    await new Promise<void>((held) => {
      holding = app.platform.db.transaction(async (tx) => {
        await tx.query(sql`SELECT 1 FROM principals WHERE id = ${person.principalId} FOR NO KEY UPDATE`)
        held()
        await released
      })
    })
    const saving = [rule(person, merchant, 'deny'), gate(person, true)]
    const others = (async () => {
      for (let count = 0; count < 50; count += 1) await exchange(`${app.baseUrl}/healthz`)
    })()
    const first = await Promise.race([
      ...saving.map(async (one) => one.then(() => 'a rule')),
      others.then(() => 'fifty others'),
    ])
    release()
    await Promise.all([holding, ...saving])
    expect(first).toBe('fifty others')
    expect(outcome(await settle(agent, bought))).toEqual([403, 'forbidden'])
  })

  test('parallel rules about one merchant leave exactly one, which PAR obeys', async () => {
    const { person, agent } = await newHousehold()
    const merchant = newMerchant()
    const verdicts = ['allow', 'deny', null] as const
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, turn) => rule(person, merchant, verdicts[turn % 3] ?? null)),
    )
    expect(answers.map(({ verdict }) => verdict)).toEqual(answers.map((_, turn) => verdicts[turn % 3]))
    const { rules } = await read(person)
    expect(rules.length).toBeLessThanOrEqual(1)
    expect(await tryToBuy(agent, merchant)).toBe(rules[0]?.verdict === 'deny' ? 'access_denied' : 'code')
  })

  test('parallel rules about many merchants are all kept', async () => {
    const { person, agent } = await newHousehold()
    const merchants = Array.from({ length: 10 }, newMerchant).toSorted()
    await Promise.all(merchants.flatMap((one) => [rule(person, one, 'allow'), rule(person, one, 'deny', agent)]))
    expect((await read(person)).rules.map(({ merchant_audience: one, verdict }) => [one, verdict])).toEqual(
      merchants.flatMap((one) => [
        [one, 'allow'],
        [one, 'deny'],
      ]),
    )
  })
})
