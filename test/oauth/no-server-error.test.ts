import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { operations } from '@/server/operations'
import { clip, draftOf, isEnvelope, send, tryOut } from '../hostile/requests'
import { type Mutation, planOf } from '../hostile/values'
import { app, openWorld, world } from '../hostile/world'

/** Another seed tries other requests. A failure prints the request, and the path that fast-check replays it from. */
const SEED = 20_261_121
const RUNS_PER_OPERATION = 8

beforeAll(() => openWorld())
afterAll(() => app.close())

const endpoints = operations.map(({ endpoint }) => [endpoint.operationId, endpoint] as const)

describe('requests to which nothing has been done', () => {
  /** Answers that say that caller or form were not right: the hostile variants of such a request would reach nothing. */
  const turnedAway = [400, 401, 403, 405, 413, 415, 429]
  test.each(endpoints)('a valid request to %s passes authentication and validation', async (_name, endpoint) => {
    for (const variant of [0, 1]) {
      const reply = await tryOut(endpoint, { caller: 'good', variant, mutations: [] })
      expect(turnedAway, reply.text).not.toContain(reply.status)
    }
  })
})

describe(`H11, H15 hostile requests (seed ${SEED})`, () => {
  test.each(endpoints)('a hostile request to %s is answered below 500 with a JSON error', async (_name, endpoint) => {
    const property = fc.asyncProperty(planOf(endpoint), async (plan) => {
      await tryOut(endpoint, plan)
    })
    await fc.assert(property, { seed: SEED, numRuns: RUNS_PER_OPERATION })
  })
})

/** Values that a contract lets through to where they could do harm: nested, stored as JSON, or looked up by name. */
const aimed: readonly (readonly [operationId: string, name: string, json: string])[] = [
  ...['"\\u0000"', '"\\ud800"', '1e400', '{"__proto__":1}', `"${'x'.repeat(3_000)}"`].flatMap(
    (value) =>
      [
        ['pushAuthorizationRequest', 'authorization_details', details(value)],
        ['placeSandboxOrder', 'line_items', `[{"sku":${value},"qty":1}]`],
        ['verifyMandate', 'line_items', `[{"sku":"a","qty":${value}}]`],
        ['registerClient', 'client_name', value],
        ['registerClient', 'jwks', `{"keys":[{"kty":"OKP","crv":"Ed25519","x":${value}}]}`],
        ['registerClient', 'jwks', `{"keys":[{"kty":${value}}]}`],
        ['createMerchant', 'accepts_currency', `[${value}]`],
        ['createSandboxPrincipal', 'limits', `{"daily_cap_minor":${value},"currency":"EUR"}`],
        ['openSandboxWalletSession', 'dpop_jwk', `{"kty":"EC","crv":"P-256","x":${value},"y":${value}}`],
        ['receiveProcessorWebhook', 'data', `{"object":{"id":${value},"metadata":${value}}}`],
        ['receiveRcsCallback', 'bump_id', value],
        ['receiveRcsCallback', 'token', value],
        ['saveNotifications', 'rcs_phone_e164', value],
        ['createCredentialOffer', 'subject', `{"age_equal_or_over":${value},"country":${value}}`],
        ['createCredentialOffer', 'credential_configuration_id', value],
        ['issueCredential', 'pre-authorized_code', value],
        ['issueCredential', 'proof', `{"proof_type":"jwt","jwt":${value}}`],
        ['issueCredential', 'credential_configuration_id', value],
      ] as const,
  ),
  ...['__proto__', 'constructor', 'toString'].flatMap(
    (name) =>
      [
        ['createCredentialOffer', 'subject', `{"age_equal_or_over":{"${name}":true}}`],
        ['createCredentialOffer', 'credential_configuration_id', `"${name}"`],
        ['issueCredential', 'credential_configuration_id', `"${name}"`],
        ['receiveProcessorWebhook', 'type', `"${name}"`],
        ['pushAuthorizationRequest', 'authorization_details', `[{"type":"${name}"}]`],
        ['pushAuthorizationRequest', 'consent_mode_hint', name],
        ['createSandboxPrincipal', 'card', `"${name}"`],
        ['createMerchant', 'accepts_currency', `["${name}"]`],
        ['registerClient', 'jwks', `{"keys":[{"kty":"${name}","crv":"${name}"}]}`],
        ['registerClient', 'scope', `"${name}"`],
      ] as const,
  ),
]

function details(value: string): string {
  const item = `{"sku":"a","qty":1,"title":${value}}`
  return `[{"type":"oid4ac_mandate","merchant":"https://shop.example","amount_minor":1,"currency":"EUR","line_items":[${item}]}]`
}

describe('H11, H15 requests that look right until the last member', () => {
  test.each(aimed.map(([operationId, name, json]) => [operationId, name, clip(json), json] as const))(
    '%s with the %s %s',
    async (operationId, name, _short, json) => {
      const endpoint = operations.find((one) => one.endpoint.operationId === operationId)?.endpoint
      if (endpoint === undefined) throw new Error(`no operation ${operationId}`)
      const mutation: Mutation = { place: 'member', name, value: { made: json }, twice: false }
      expect((await tryOut(endpoint, { caller: 'good', variant: 0, mutations: [mutation] })).status).toBeLessThan(500)
    },
  )
})

describe('H18 internal failures', () => {
  test('an unexpected error is 500 without internals, and its transaction is rolled back', async () => {
    const { agent } = world
    const { db } = app.platform
    const { code, verifier } = await agent.code()
    const grant = { client_assertion: await agent.assertion() }
    const countMandates = async () =>
      (await db.query<{ n: number }>(sql`SELECT count(*)::int AS n FROM mandates`))[0]?.n
    const before = await countMandates()
    await db.query(sql`ALTER TABLE refresh_tokens RENAME TO refresh_tokens_away`)
    const failed = await agent.redeem(code, verifier, grant)
    await db.query(sql`ALTER TABLE refresh_tokens_away RENAME TO refresh_tokens`)
    expect([failed.status, failed.headers.get('cache-control')]).toEqual([500, 'no-store'])
    expect(failed.json).toMatchObject({ error: 'server_error' })
    expect(failed.text).not.toMatch(/refresh_tokens|relation|SELECT|INSERT|\.ts\b|node_modules/)
    expect(await countMandates()).toBe(before)
    const again = await agent.redeem(code, verifier, grant)
    expect(again.status, again.text).toBe(200)
  })

  test('without its database every operation does without, or says 503 and when to come back', async () => {
    const ready = await Promise.all(
      endpoints.map(async ([name, endpoint]) => {
        const draft = await draftOf(endpoint, { caller: 'good', variant: 0, mutations: [] })
        return { name, actor: endpoint.access.actor, draft }
      }),
    )
    // The last test of this file, since nothing can be asked of this service afterwards.
    await app.platform.db.close()
    const answers = await Promise.all(ready.map(async ({ draft, ...one }) => ({ ...one, reply: await send(draft) })))
    const down = answers.filter(({ reply }) => reply.status === 503)
    const others = answers.filter(({ reply }) => reply.status !== 503)
    const known = others.filter(({ actor, reply }) => actor !== 'anonymous' || reply.status >= 500)
    // The metrics say that the database is away.
    expect(known.map(({ name, reply }) => [name, reply.status])).toEqual([['readMetrics', 200]])
    expect(others.map(({ name }) => name)).toEqual(expect.arrayContaining(['readLiveness', 'readJwks']))
    // Readiness says in its own words what is missing.
    for (const { name, reply } of down.filter((one) => one.name !== 'readReadiness')) {
      expect(reply.retryAfter, name).toMatch(/^[1-9]\d*$/)
      expect(isEnvelope(reply), name).toBe(true)
    }
  })
})
