/** The methods of the client library about the person, against the real endpoints. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CountersignClient, mintKey } from '../../tool-server/src/client'
import { outboxOf, runJobs } from '../privacy/requests'
import { Agent, exchange, newPrincipal, newSetupToken, Person, REDIRECT_URI } from '../support/actors'
import { type App, startApp } from '../support/app'

const ACTIONS: Readonly<Record<string, string>> = {
  'wallet:read': 'read',
  'wallet:write': 'write',
  'audit:read': 'audit',
  'privacy:dsar': 'dsar',
}

let app: App
let principalId: string
let email: string
let client: CountersignClient
beforeAll(async () => {
  app = await startApp({ env: { REQUESTS_PER_MINUTE: '0' } })
  ;({ principalId, email } = await newPrincipal(app, { approval_rule: 'above_limits' }))
  client = new CountersignClient({ asUrl: app.baseUrl, dpopKey: mintKey(), assertionKey: mintKey() })
  await client.register({
    setupToken: await newSetupToken(app, principalId),
    redirectUris: [REDIRECT_URI],
    clientName: 'Library',
    scope: Object.keys(ACTIONS).join(' '),
  })
})
afterAll(() => app.close())

/** What the client gets once the person has approved what it asks for. */
async function askFor(...scopes: string[]) {
  const codeVerifier = randomBytes(32).toString('base64url')
  const state = randomUUID()
  const { request_uri: requestUri } = await client.pushAuthorizationRequest({
    redirectUri: REDIRECT_URI,
    scope: scopes.join(' '),
    resources: [client.issuer],
    authorizationDetails: [{ type: 'oid4ac_wallet', actions: scopes.map((scope) => ACTIONS[scope]) }],
    codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    state,
  })
  const person = await Person.signIn(app, principalId)
  for (const { authorization_id: id } of await person.pending()) await person.decide(id, 'approve')
  const outcome = await client.authorize({ requestUri, redirectUri: REDIRECT_URI, state })
  if (outcome.kind !== 'code') throw new Error(outcome.kind)
  const tokens = await client.exchangeCode({ code: outcome.code, redirectUri: REDIRECT_URI, codeVerifier })
  return { accessToken: tokens.access_token }
}

test.each(['dpopKey', 'assertionKey'])(
  'C47 a client without a private Ed25519 key as %s is refused by name',
  (name) => {
    const { d: _private, ...publicKey } = mintKey()
    for (const key of [undefined, null, 'key', {}, publicKey, { ...mintKey(), crv: 'X25519' }]) {
      const options = { asUrl: app.baseUrl, dpopKey: mintKey(), assertionKey: mintKey(), [name]: key }
      const failure = { name: 'CountersignError', message: `${name} is not a private Ed25519 JWK` }
      expect(() => new CountersignClient(options)).toThrow(expect.objectContaining(failure))
    }
  },
)

test('C47 requestAccess is queued and mailed, once under one key', async () => {
  const access = { ...(await askFor('privacy:dsar')), idempotencyKey: 'mine' }
  const first = await client.requestAccess(access)
  expect(first).toEqual({
    status: 'queued',
    request_id: expect.any(String),
    estimated_delivery: expect.stringMatching(/^\d{4}-.*Z$/),
  })
  expect(await client.requestAccess(access)).toEqual(first)
  await runJobs(app)
  const dumps = (await outboxOf(app, email)).filter(({ data }) => data !== undefined)
  expect(dumps).toMatchObject([{ data: { request_id: first.request_id } }])
})

test('C47 exportData is the dump, as its published schema names it', async () => {
  const access = await askFor('privacy:dsar')
  const dump = await client.exportData(access)
  const { json: schema } = await exchange<{ required: string[] }>(`${app.baseUrl}/privacy/dsar/portability-schema.json`)
  expect(Object.keys(dump).toSorted()).toEqual(schema.required.toSorted())
  expect(dump).toMatchObject({
    schema_version: 1,
    principal: { principal_id: principalId, email },
    agent_clients: [{ client_id: client.clientId }],
  })
  expect((await client.exportData(access)).request_id).not.toBe(dump.request_id)
})

test('C47 without the scope both are a Refusal, and so is the eleventh of a day', async () => {
  const reading = await askFor('wallet:read')
  for (const ask of [() => client.requestAccess(reading), () => client.exportData(reading)]) {
    await expect(ask()).rejects.toMatchObject({ name: 'Refusal', status: 403, code: 'insufficient_scope' })
  }
  const access = await askFor('privacy:dsar')
  const answers = await Promise.allSettled(Array.from({ length: 11 }, () => client.exportData(access)))
  const limited = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  expect(limited.length).toBeGreaterThan(0)
  for (const reason of limited) {
    expect(reason).toMatchObject({
      name: 'Refusal',
      status: 429,
      code: 'rate_limited',
      retryAfterMs: expect.any(Number),
    })
  }
})

test('C47 agents, payments and audit entries are those of the person', async () => {
  const access = await askFor('wallet:read', 'wallet:write', 'audit:read')
  const agent = await Agent.register(app, principalId)
  const bought = await agent.buy()
  await agent.settle(bought.access_token, bought.mandate_jwt, 'once')
  expect((await client.listAgents(access)).map(({ client_id: id }) => id)).toEqual([agent.clientId, client.clientId])
  const { payments } = await client.paymentHistory({ limit: 5 }, access)
  expect(payments).toMatchObject([{ agent_client_id: agent.clientId, amount_minor: bought.amount }])
  const { entries } = await client.auditChain({ eventTypes: ['oid4ac.payment.succeeded'] }, access)
  expect(entries).toMatchObject([{ payload: { mandate_id: bought.mandate_id } }])
  const revoked = await client.revokeAgent(agent.clientId, access)
  expect(revoked).toMatchObject({ ok: true, client_id: agent.clientId })
  expect(await client.revokeAgent(agent.clientId, access)).toMatchObject({ revoked_at: revoked.revoked_at })
})
