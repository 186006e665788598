import { describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import {
  type Answer,
  clientAssertion,
  countStatuses,
  dpopProof,
  exchange,
  newPrincipal,
  newWalletClient,
  Person,
} from '../support/actors'
import type { App } from '../support/app'
import { readyAgent, walletTokens, withApp } from './setup'

const PER_MINUTE = 5

let app: App
withApp(
  (started) => {
    app = started
  },
  { REQUESTS_PER_MINUTE: String(PER_MINUTE) },
)

const times = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make))

describe('requests per minute', () => {
  test('P23 one request more than a client may send is 429 with Retry-After, at any endpoint', async () => {
    const [agent, other] = [await readyAgent(app), await readyAgent(app)]
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

  test('of many parallel requests exactly the quota is served, and a refused one consumes neither assertion nor proof', async () => {
    const agent = await readyAgent(app)
    const { form } = await agent.purchase()
    await agent.freshNonce()
    const before = await countReplayKeys()
    const answers = await times(3 * PER_MINUTE, () => agent.push(form))
    expect(countStatuses(answers)).toEqual({ 201: PER_MINUTE, 429: 2 * PER_MINUTE })
    expect((await countReplayKeys()) - before).toBe(2 * PER_MINUTE)
  })

  test('a caller that fails to authenticate takes nothing from the quota of the client it names', async () => {
    const agent = await readyAgent(app)
    const { form } = await agent.purchase()
    const forged = { ...form, client_assertion: await clientAssertion(app, { ...agent, key: agent.dpopKey }) }
    const refused = await times(2 * PER_MINUTE, () => agent.mint('/oauth/par', forged))
    expect(countStatuses(refused)).toEqual({ 401: 2 * PER_MINUTE })
    expect((await agent.push(form)).status).toBe(201)
  })

  test('at a wallet endpoint the proof of a refused request is used up, and another one is needed', async () => {
    const { principalId } = await newPrincipal(app)
    const person = await Person.signIn(app, principalId)
    expect(countStatuses(await times(PER_MINUTE, () => person.call('GET', '/wallet/agents')))).toEqual({
      200: PER_MINUTE,
    })
    const url = `${app.baseUrl}/wallet/agents`
    const dpop = await dpopProof(app, person.key, { method: 'GET', url, accessToken: person.token })
    const read = () => exchange(url, { headers: { authorization: `DPoP ${person.token}`, dpop } })
    expect((await read()).status).toBe(429)
    const again = await read()
    expect([again.status, again.json['error']]).toEqual([401, 'invalid_token'])
    expect(again.headers.get('www-authenticate')).toContain('error="invalid_dpop_proof"')
    expect((await person.call('GET', '/wallet/agents')).status).toBe(429)
  })

  test('a person has a quota of their own', async () => {
    const { principalId } = await newPrincipal(app)
    const person = await Person.signIn(app, principalId)
    const answers = await times(PER_MINUTE + 2, () => person.call('GET', '/wallet/agents'))
    expect(countStatuses(answers)).toEqual({ 200: PER_MINUTE, 429: 2 })
  })

  test('an agent that has used up its quota with a wallet token leaves the person theirs', async () => {
    const agent = await readyAgent(app)
    const { access_token: accessToken } = await walletTokens(agent, 'wallet:read')
    const url = `${app.baseUrl}/wallet/limits`
    const answers = await times(PER_MINUTE + 1, async () => {
      const dpop = await dpopProof(app, agent.dpopKey, { method: 'GET', url, accessToken })
      return exchange(url, { headers: { authorization: `DPoP ${accessToken}`, dpop } })
    })
    expect(countStatuses(answers)).toEqual({ 200: PER_MINUTE, 429: 1 })
    const person = await Person.signIn(app, agent.principalId)
    expect((await person.call('POST', '/wallet/freeze')).status).toBe(200)
  })
})

describe('quotas of single endpoints', () => {
  let free: App
  withApp(
    (started) => {
      free = started
    },
    { REQUESTS_PER_MINUTE: '0' },
  )

  test('the audit range serves ten requests a minute per tenant', async () => {
    const read = await rangeReader(free)
    expect(countStatuses(await times(11, read))).toEqual({ 200: 10, 429: 1 })
  })

  test('the audit range serves no eleventh request within any minute', async () => {
    const read = await rangeReader(free)
    expect(countStatuses(await times(1, read))).toEqual({ 200: 1 })
    free.clock.advance({ seconds: 59 })
    expect(countStatuses(await times(9, read))).toEqual({ 200: 9 })
    free.clock.advance({ seconds: 2 })
    const answers = await times(10, read)
    expect(countStatuses(answers)).toEqual({ 200: 1, 429: 9 })
    const [refused] = answers.filter(({ status }) => status === 429)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(Number(refused?.headers.get('retry-after'))).toBeLessThanOrEqual(58)
  })

  test.each(['/wallet/audit-chain', '/wallet/payment-history'])(
    '%s serves thirty requests a minute per person',
    async (path) => {
      const person = await Person.signIn(free, (await newPrincipal(free)).principalId)
      const answers = await times(31, () => person.call('GET', path))
      expect(countStatuses(answers)).toEqual({ 200: 30, 429: 1 })
      expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toMatch(/^\d+$/)
    },
  )

  test('the directory serves 600 requests a minute per address', async () => {
    const answers: Answer[] = []
    for (let round = 0; round < 7; round += 1) {
      answers.push(...(await times(100, () => exchange(`${free.baseUrl}/discovery/merchants?page_size=1`))))
    }
    expect(countStatuses(answers)).toEqual({ 200: 600, 429: 100 })
  })

  test('REQUESTS_PER_MINUTE=0 turns the shared quota off', async () => {
    const agent = await readyAgent(free)
    const { form } = await agent.purchase()
    expect(countStatuses(await times(20, () => agent.push(form)))).toEqual({ 201: 20 })
  })
})

/** Reads the audit range of a wallet client that is new. */
async function rangeReader(target: App): Promise<() => Promise<Answer>> {
  const wallet = await newWalletClient(target, 'audit:read')
  return async () =>
    exchange(`${target.baseUrl}/audit/${wallet.clientId}/range?client_id=${wallet.clientId}`, {
      headers: { authorization: `PrivateKeyJwt ${await clientAssertion(target, wallet)}` },
    })
}

async function countReplayKeys(): Promise<number> {
  const [row] = await app.platform.db.query<{ count: number }>(sql`SELECT count(*)::int AS count FROM replay_keys`)
  return row?.count ?? 0
}
