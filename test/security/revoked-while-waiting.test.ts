/** Contract section 2: a revocation holds at every endpoint, also for a request that waited for it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import type { OpenDatabase } from '@/server/base/platform/database/client'
import { walletTokens } from '../oauth/setup'
import { Agent, must, newPrincipal, operate, Person } from '../support/actors'
import { type App, startApp } from '../support/app'
import { openTestDatabase } from '../support/database'

const LIMITS = { daily_cap_minor: 5_000, currency: 'EUR' }

let database: OpenDatabase
let app: App
/** What commits between the first look of the next request and its transaction. */
let between: (() => Promise<unknown>) | null = null
beforeAll(async () => {
  database = await openTestDatabase()
  app = await startApp({ database: withSomethingBetween(database) })
})
afterAll(async () => {
  await app.close()
  await database.close()
})

function withSomethingBetween(db: OpenDatabase): OpenDatabase {
  const transaction: OpenDatabase['transaction'] = async (work) => {
    const first = between
    between = null
    await first?.()
    return db.transaction(work)
  }
  const { kind, prisma } = db
  const methods = {
    query: db.query.bind(db),
    ping: db.ping.bind(db),
    close: db.close.bind(db),
    checkUsable: db.checkUsable.bind(db),
    session: db.session.bind(db),
    dump: db.dump.bind(db),
    observeWith: db.observeWith.bind(db),
  }
  return { kind, prisma, ...methods, transaction }
}

async function household() {
  const { principalId } = await newPrincipal(app, { approval_rule: 'every_purchase', limits: LIMITS })
  const [agent, person] = [await Agent.register(app, principalId), await Person.signIn(app, principalId)]
  const revoke = ({ clientId }: Agent = agent) => person.call('POST', `/wallet/agents/${clientId}/revoke`)
  return { principalId, agent, person, revoke }
}

test('a request for the person is refused, and nobody is asked, when its agent was revoked meanwhile', async () => {
  const { principalId, agent, person, revoke } = await household()
  const { form } = await agent.purchase()
  await agent.freshNonce()
  between = revoke
  const pushed = await agent.push(form)
  expect([pushed.status, pushed.json]).toMatchObject([401, { error: 'invalid_client' }])
  expect(await person.pending()).toEqual([])
  const asked = await app.platform.db.query(
    sql`SELECT 1 AS one FROM messages WHERE principal_id = ${principalId} AND event_key LIKE 'consent:%'`,
  )
  expect(asked).toEqual([])
})

test('a token that was revoked while it waited approves nothing', async () => {
  const { principalId, agent, person, revoke } = await household()
  const helper = await Agent.register(app, principalId, { scope: 'wallet:read wallet:write' })
  const { access_token: token } = await walletTokens(helper, 'wallet:read wallet:write')
  must(await agent.push((await agent.purchase()).form), 201)
  const [waiting] = await person.pending()
  between = () => revoke(helper)
  const answer = { authorization_id: waiting?.['authorization_id'], decision: 'approve' }
  const refused = await helper.call('POST', '/oauth/consent/scan', token, answer)
  expect([refused.status, refused.json]).toMatchObject([401, { error: 'invalid_token' }])
  expect(await person.pending()).toHaveLength(1)
})

test.each([
  ['limits', 'POST', '/wallet/limits', { daily_cap_minor: 1, currency: 'EUR' }],
  ['a freeze', 'POST', '/wallet/freeze', undefined],
  ['the end of the agents', 'POST', '/privacy/dsar/erasure', undefined],
])('a token that was revoked while it waited saves nothing: %s', async (_what, method, path, body) => {
  const { principalId, person } = await household()
  const scope = 'wallet:read wallet:write privacy:dsar'
  const helper = await Agent.register(app, principalId, { scope })
  const { access_token: token } = await walletTokens(helper, scope)
  between = () => person.call('POST', `/wallet/agents/${helper.clientId}/revoke`)
  const refused = await helper.call(method, path, token, body)
  expect([refused.status, refused.json]).toMatchObject([401, { error: 'invalid_token' }])
  const { json: limits } = await person.call('GET', '/wallet/limits')
  expect(limits).toMatchObject({ ...LIMITS, frozen_at: null })
})

test.each([
  ['POST', '/default'],
  ['DELETE', ''],
])('a token that was revoked while it waited changes no card: %s', async (method, action) => {
  const { principalId, person } = await household()
  const intent = String(must(await person.call('POST', '/wallet/setup-intent'), 200)['setup_intent_id'])
  must(await operate(app, 'POST', '/sandbox/setup-intents', { setup_intent_id: intent, deliveries: 0 }), 200)
  must(await person.call('POST', '/wallet/setup-intent/confirm', { setup_intent_id: intent }), 200)
  const cards = async () =>
    must(await person.call<{ cards: { id: string; is_default: boolean }[] }>('GET', '/wallet/cards'), 200).cards
  const before = await cards()
  const other = before.find((card) => !card.is_default)
  const scope = 'wallet:read wallet:write'
  const helper = await Agent.register(app, principalId, { scope })
  const { access_token: token } = await walletTokens(helper, scope)
  between = () => person.call('POST', `/wallet/agents/${helper.clientId}/revoke`)
  const refused = await helper.call(method, `/wallet/cards/${other?.id}${action}`, token)
  expect([refused.status, refused.json]).toMatchObject([401, { error: 'invalid_token' }])
  expect(await cards()).toEqual(before)
})
