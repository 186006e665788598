import { decodeProtectedHeader } from 'jose'
import { expect, test } from 'vitest'
import { type Agent, countStatuses, exchange, newPrincipal, operate, Person } from '../support/actors'
import type { App } from '../support/app'
import { readyAgent, withApp } from './setup'

let app: App
withApp((started) => {
  app = started
})

interface KeyState {
  purpose: string
  current: string
  next: string
}

const kids = async () =>
  (await exchange<{ keys: { kid: string }[] }>(`${app.baseUrl}/oauth/jwks.json`)).json.keys.map(({ kid }) => kid)
const kidOf = (jwt: string) => decodeProtectedHeader(jwt.split('~')[0] ?? '').kid ?? ''
const rotate = () => operate<{ rotated: KeyState[] }>(app, 'POST', '/signing-keys/rotate', {})
const block = (kid: string) => operate<KeyState & { blocked: string }>(app, 'POST', `/signing-keys/${kid}/block`)

test('J6, K2 a key rotation between token and settlement breaks neither, and its new keys were published before', async () => {
  const agent = await readyAgent(app)
  const before = await agent.buy()
  const published = await kids()
  const rotation = await rotate()
  expect(rotation.status).toBe(200)
  const ofTokens = rotation.json.rotated.filter(({ purpose }) => purpose !== 'federation')
  expect(ofTokens.map(({ current }) => published.includes(current))).not.toContain(false)
  expect(await kids()).toEqual(expect.arrayContaining(published))
  const after = await agent.buy()
  expect(kidOf(after.access_token)).not.toBe(kidOf(before.access_token))
  for (const [index, tokens] of [before, after].entries()) {
    expect((await agent.settle(tokens.access_token, tokens.mandate_jwt, `rotated-${index}`)).status).toBe(200)
  }
})

test('K2 rotations under load break no verification, and every kid in use is published', async () => {
  const agents = await Promise.all([1, 2, 3, 4].map(() => readyAgent(app)))
  const used = new Set<string>()
  const shop = async (agent: Agent, turn: number) => {
    const tokens = await agent.buy({ amount_minor: 100 })
    used.add(kidOf(tokens.access_token)).add(kidOf(tokens.mandate_jwt))
    const published = await kids()
    expect(published).toEqual(expect.arrayContaining([kidOf(tokens.access_token), kidOf(tokens.mandate_jwt)]))
    return agent.settle(tokens.access_token, tokens.mandate_jwt, `load-${turn}`)
  }
  const work = agents.map(async (agent) => {
    const settled = []
    for (let turn = 0; turn < 6; turn += 1) settled.push(await shop(agent, turn))
    return settled
  })
  for (let turn = 0; turn < 5; turn += 1) expect((await rotate()).status).toBe(200)
  expect(countStatuses((await Promise.all(work)).flat())).toEqual({ 200: 24 })
  expect(await kids()).toEqual(expect.arrayContaining([...used]))
})

test('blocking a key invalidates what it signed at once, and the next key signs', async () => {
  const agent = await readyAgent(app)
  const before = await agent.buy()
  const { principalId } = await newPrincipal(app)
  const person = await Person.signIn(app, principalId)
  expect((await person.call('GET', '/wallet/agents')).status).toBe(200)

  const kid = kidOf(before.access_token)
  const blocked = await block(kid)
  expect([blocked.status, blocked.json.blocked, blocked.json.purpose]).toEqual([200, kid, 'access_token'])
  expect(await kids()).not.toContain(kid)
  expect((await agent.settle(before.access_token, before.mandate_jwt, 'blocked')).status).toBe(401)
  expect((await person.call('GET', '/wallet/agents')).status).toBe(401)
  expect((await agent.mint('/oauth/introspect', { token: before.access_token })).json).toEqual({ active: false })

  const after = await agent.buy()
  expect(kidOf(after.access_token)).toBe(blocked.json.current)
  expect((await agent.settle(after.access_token, after.mandate_jwt, 'after')).status).toBe(200)
  expect((await block(kid)).json).toEqual({ ...blocked.json })
})

test('blocking a mandate key invalidates its mandates, and a blocked next key is replaced', async () => {
  const agent = await readyAgent(app)
  const { access_token: token, mandate_jwt: mandate } = await agent.buy()
  const { current, next } = (await block(kidOf(mandate))).json
  const refused = await agent.settle(token, mandate, 'no-mandate')
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    401,
    `DPoP realm="${app.baseUrl}", error="invalid_token"`,
  ])
  const replaced = (await block(next)).json
  expect([replaced.current, replaced.next === next]).toEqual([current, false])
  expect(await kids()).toContain(replaced.next)
  expect((await block('unknown')).status).toBe(404)
})

test('blocking a status list key signs the list again, and weak entity tags match', async () => {
  const list = (headers: Record<string, string> = {}) =>
    exchange(`${app.baseUrl}/oauth/status-list/1`, { headers: { accept: 'application/statuslist+jwt', ...headers } })
  const before = await list()
  const weak = await list({ 'if-none-match': `"other", W/${before.headers.get('etag')}` })
  expect(weak.status).toBe(304)
  const { current } = (await block(kidOf(before.text))).json
  expect(kidOf((await list()).text)).toBe(current)
})
