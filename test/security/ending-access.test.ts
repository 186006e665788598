/** Contract section 2: wallet access is approved by a person, and ends with that approval. */
import { expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { endAccess } from '@/server/surfaces/agents'
import { walletCode, walletTokens, withApp } from '../oauth/setup'
import { Agent, exchange, must, newPrincipal, Person, type PrincipalOptions } from '../support/actors'
import type { App } from '../support/app'
import { withPortal } from '../support/wallet-token'

const SCOPE = 'wallet:write wallet:read'

let app: App
withApp((started) => {
  app = started
})

/** An agent whose wallet access the person has approved, and the person who ends it. */
async function household(options: PrincipalOptions = {}) {
  const { principalId, email } = await newPrincipal(app, options)
  const agent = await Agent.register(app, principalId)
  const tokens = await walletTokens(agent, SCOPE)
  const end = (scope = SCOPE) => endAccess(withPortal(app, principalId), { client_id: agent.clientId, scope })
  return { principalId, email, agent, tokens, end }
}

async function push(agent: Agent, more: Record<string, string> = {}) {
  const { form, verifier } = await agent.walletAccess(SCOPE)
  const { request_uri: requestUri, expires_in: lifetime } = must(await agent.push({ ...form, ...more }), 201)
  return { requestUri, verifier, lifetime }
}

const GONE = [400, 'invalid_request_uri']
const INVALID = [400, 'invalid_grant']
const outcome = ({ status, json }: { status: number; json: object }) => [status, (json as { error?: string }).error]

test('ending access ends a request that was pushed under its approval', async () => {
  const { agent, end } = await household()
  const pushed = await push(agent)
  expect(pushed.lifetime).toBe(60)
  expect(await end('wallet:read wallet:write')).toEqual({ ok: true, families_revoked: 1 })
  expect(outcome(await agent.authorize(pushed.requestUri))).toEqual(GONE)
  expect((await push(agent)).lifetime).toBe(900)
})

test('ending access ends a request that the person approved by itself', async () => {
  const { agent, principalId, end } = await household()
  const pushed = await push(agent, { consent_mode_hint: 'dashboard' })
  const person = await Person.signIn(app, principalId)
  const [waiting] = await person.pending()
  must(await person.decide(waiting?.['authorization_id'], 'approve'), 200)
  await end()
  expect(outcome(await agent.authorize(pushed.requestUri))).toEqual(GONE)
})

test('a request that waits for the person outlives the end of access, and needs the person', async () => {
  const { agent, principalId, end } = await household()
  const pushed = await push(agent, { consent_mode_hint: 'dashboard' })
  await end()
  const person = await Person.signIn(app, principalId)
  const [waiting] = await person.pending()
  must(await person.decide(waiting?.['authorization_id'], 'approve'), 200)
  const { result } = await agent.authorize(pushed.requestUri)
  expect((await agent.redeem(result['code'] ?? '', pushed.verifier)).status).toBe(200)
  expect(await end()).toEqual({ ok: true, families_revoked: 1 })
})

test('ending access ends a code that was not redeemed, and leaves that of other scopes', async () => {
  const { agent, end } = await household()
  const [ended, other] = [await walletCode(agent, SCOPE), await walletCode(agent, 'wallet:read')]
  await end()
  expect(outcome(await agent.redeem(ended.code, ended.verifier))).toEqual(INVALID)
  expect((await agent.redeem(other.code, other.verifier)).status).toBe(200)
})

test('ending access ends the mailed link that confirms it', async () => {
  const { agent, email, end } = await household({ magic_link_gate: true })
  const pushed = await push(agent)
  expect((await agent.authorize(pushed.requestUri)).status).toBe(202)
  const outbox = await exchange<{ messages: { to: string; links: string[] }[] }>(`${app.baseUrl}/sandbox/outbox`, {
    headers: { accept: 'application/json' },
  })
  const links = outbox.json.messages.filter(({ to }) => to === email).flatMap((message) => message.links)
  const link = new URL(links.find((one) => one.includes('/magic-link?')) ?? '')
  await end()
  const confirmed = await exchange(`${app.baseUrl}/oauth/magic-link/confirm${link.search}`)
  expect(outcome(confirmed)).toEqual([400, 'invalid_request'])
})

test('a code from a request that crossed the end of access gives no tokens', async () => {
  const { agent, end } = await household()
  const pushed = await push(agent)
  const kept = await app.platform.db.query<{ row: string }>(
    sql`SELECT to_json(r)::text AS row FROM pushed_requests r WHERE client_id = ${agent.clientId}`,
  )
  await end()
  await app.platform.db.query(
    sql`INSERT INTO pushed_requests SELECT (json_populate_record(NULL::pushed_requests, ${kept[0]?.row ?? ''}::json)).*`,
  )
  const { result } = await agent.authorize(pushed.requestUri)
  const refused = await agent.redeem(result['code'] ?? '', pushed.verifier)
  expect(outcome(refused)).toEqual(INVALID)
  expect(refused.json).toMatchObject({ error_description: 'The person has ended this access.' })
})

test('what an agent holds without an approval can be ended, and access that has ended is unknown', async () => {
  const { agent, tokens, end } = await household()
  await app.platform.db.query(sql`DELETE FROM remembered_approvals WHERE client_id = ${agent.clientId}`)
  expect(await end()).toEqual({ ok: true, families_revoked: 1 })
  expect((await agent.call('GET', '/wallet/agents', tokens.access_token)).status).toBe(401)
  await expect(end()).rejects.toMatchObject({ code: 'not_found' })
})
