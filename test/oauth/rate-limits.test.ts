import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  Agent,
  type Answer,
  clientAssertion,
  countStatuses,
  exchange,
  newPrincipal,
  newWalletClient,
  Person,
} from '../actors'
import { type App, startApp } from '../app'

const PER_MINUTE = 5

let app: App
beforeAll(async () => {
  app = await startApp({ env: { REQUESTS_PER_MINUTE: String(PER_MINUTE) } })
})
afterAll(() => app.close())

const newAgent = async (target: App = app) =>
  Agent.register(target, (await newPrincipal(target, { approval_rule: 'above_limits' })).principalId)

const times = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make))

describe('requests per minute', () => {
  test('P23 one more than a client may send is 429 with the time to wait, whatever the endpoint', async () => {
    const [agent, other] = [await newAgent(), await newAgent()]
    const { form } = await agent.purchase()
    const pushed = await times(PER_MINUTE - 1, () => agent.push(form))
    expect(countStatuses(pushed)).toEqual({ 201: PER_MINUTE - 1 })
    expect((await agent.mint('/oauth/introspect', { token: 'x' })).status).toBe(200)
    for (const path of ['/oauth/par', '/oauth/token', '/oauth/introspect', '/oauth/revoke']) {
      const refused = await agent.mint(path, { ...form, token: 'x' })
      expect([path, refused.status, refused.json['error']]).toEqual([path, 429, 'rate_limited'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    }
    expect((await other.push((await other.purchase()).form)).status).toBe(201)
  })

  test('of many at once exactly so many are served, and a refused one uses up neither assertion nor proof', async () => {
    const agent = await newAgent()
    const { form } = await agent.purchase()
    await agent.freshNonce()
    const before = await countReplayKeys()
    const answers = await times(3 * PER_MINUTE, () => agent.push(form))
    expect(countStatuses(answers)).toEqual({ 201: PER_MINUTE, 429: 2 * PER_MINUTE })
    expect((await countReplayKeys()) - before).toBe(2 * PER_MINUTE)
  })

  test('who fails to authenticate takes nothing from the client it names', async () => {
    const agent = await newAgent()
    const { form } = await agent.purchase()
    const forged = { ...form, client_assertion: await clientAssertion(app, { ...agent, key: agent.dpopKey }) }
    const refused = await times(2 * PER_MINUTE, () => agent.mint('/oauth/par', forged))
    expect(countStatuses(refused)).toEqual({ 401: 2 * PER_MINUTE })
    expect((await agent.push(form)).status).toBe(201)
  })

  test('a person has a quota of their own', async () => {
    const { principalId } = await newPrincipal(app)
    const person = await Person.signIn(app, principalId)
    const answers = await times(PER_MINUTE + 2, () => person.call('GET', '/wallet/agents'))
    expect(countStatuses(answers)).toEqual({ 200: PER_MINUTE, 429: 2 })
  })
})

describe('limits that the interface names', () => {
  let free: App
  beforeAll(async () => {
    free = await startApp({ env: { REQUESTS_PER_MINUTE: '0' } })
  })
  afterAll(() => free.close())

  test('the audit range: ten a minute for a tenant', async () => {
    const wallet = await newWalletClient(free, 'audit:read')
    const read = async () =>
      exchange(`${free.baseUrl}/audit/${wallet.clientId}/range?client_id=${wallet.clientId}`, {
        headers: { authorization: `PrivateKeyJwt ${await clientAssertion(free, wallet)}` },
      })
    expect(countStatuses(await times(11, read))).toEqual({ 200: 10, 429: 1 })
  })

  test.each(['/wallet/audit-chain', '/wallet/payment-history'])('%s: thirty a minute for a person', async (path) => {
    const person = await Person.signIn(free, (await newPrincipal(free)).principalId)
    const answers = await times(31, () => person.call('GET', path))
    expect(countStatuses(answers)).toEqual({ 200: 30, 429: 1 })
    expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toMatch(/^\d+$/)
  })

  test('the directory: 600 a minute for an address', async () => {
    const answers: Answer[] = []
    for (let round = 0; round < 7; round += 1) {
      answers.push(...(await times(100, () => exchange(`${free.baseUrl}/discovery/merchants?page_size=1`))))
    }
    expect(countStatuses(answers)).toEqual({ 200: 600, 429: 100 })
  })

  test('with no shared limit a client sends what it likes', async () => {
    const agent = await newAgent(free)
    const { form } = await agent.purchase()
    expect(countStatuses(await times(20, () => agent.push(form)))).toEqual({ 201: 20 })
  })
})

async function countReplayKeys(): Promise<number> {
  const [row] = await app.platform.db.query<{ count: number }>('SELECT count(*)::int AS count FROM replay_keys')
  return row?.count ?? 0
}
