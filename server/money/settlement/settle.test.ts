import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MERCHANT, type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { Reply } from '../../base/contract/reply'
import type { AgentCall } from '../../base/core/call'
import { sql } from '../../base/core/sql'
import { parsePublicJwk } from '../../base/protocol/jwk'
import { thumbprintOf } from '../../base/protocol/key-import'
import { discloseMandate, signMandate } from '../../oauth/mandates'
import { drainSettlements, settleOwnMandate } from '.'
import { settleBody } from './contract'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

const holderKey = parsePublicJwk(generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }))

async function issue(person: Person, holder = holderKey) {
  const row = await money.mandate(person)
  const jwt = signMandate(money.platform, {
    mandateId: row.id,
    clientId: row.client_id,
    audience: row.merchant_audience,
    amountMinor: row.amount_minor,
    currency: row.currency,
    disclosures: discloseMandate(money.platform, {
      principalId: row.principal_id,
      audience: row.merchant_audience,
      lineItems: [],
      provenAge: null,
    }),
    offerId: undefined,
    offerDigest: undefined,
    holderKey: holder,
    holderJkt: await thumbprintOf(holder),
    statusIndex: 7,
    now: money.clock.now(),
  })
  return { row, jwt }
}

type Issued = Awaited<ReturnType<typeof issue>>

async function settle(
  { row, jwt }: Issued,
  change: {
    key?: string
    mandate?: string
    actor?: Partial<AgentCall['actor']>
    platform?: AgentCall['platform']
  } = {},
) {
  const platform = change.platform ?? money.platform
  const call: AgentCall = {
    platform,
    requestId: 'request',
    now: money.clock.now(),
    actor: {
      kind: 'agent',
      clientId: row.client_id,
      principalId: row.principal_id,
      tenantId: row.tenant_id,
      familyId: row.family_id,
      jkt: await thumbprintOf(holderKey),
      audience: [platform.config.baseUrl],
      scope: ['payment:execute'],
      ...change.actor,
    },
  }
  const body = settleBody.parse({ mandate: change.mandate ?? jwt, idempotency_key: change.key ?? row.id })
  const reply = await settleOwnMandate.verb(call, body)
  if (!(reply instanceof Reply)) throw new Error('not a reply')
  return reply
}

describe('POST /settlement/settle', () => {
  test('200: the replay of a settlement has the same bytes and its header', async () => {
    const issued = await issue(await money.person())
    const first = await settle(issued)
    const again = await settle(issued)
    expect(first).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } })
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.content).toEqual(first.content)
  })

  test('a token for the mandate’s merchant suffices; one for another audience does not, not even for a replay', async () => {
    const issued = await issue(await money.person())
    const foreign = { actor: { audience: ['https://else.example'] } }
    await expect(settle(issued, foreign)).rejects.toMatchObject({ code: 'invalid_token' })
    expect((await settle(issued, { actor: { audience: [MERCHANT] } })).status).toBe(200)
    await expect(settle(issued, foreign)).rejects.toMatchObject({ code: 'invalid_token' })
  })

  test('401: a mandate that is forged, another agent’s, or bound to another key', async () => {
    const issued = await issue(await money.person())
    const [header = '', payload = '', signature = ''] = issued.jwt.split('~')[0]?.split('.') ?? []
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const dearer = Buffer.from(JSON.stringify({ ...claims, amount_minor: 1 })).toString('base64url')
    const otherKey = parsePublicJwk(generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }))
    for (const change of [
      { mandate: 'nonsense' },
      { mandate: `${header}.${dearer}.${signature}~` },
      { actor: { jkt: await thumbprintOf(otherKey) } },
      { actor: { clientId: 'another' } },
    ]) {
      await expect(settle(issued, change)).rejects.toMatchObject({ code: 'invalid_token', status: 401 })
    }
    expect(await money.count('settlements', sql`mandate_id = ${issued.row.id}`)).toBe(0)
  })

  test('a forged mandate with the number of a settled one is another request, not a replay', async () => {
    const issued = await issue(await money.person())
    await settle(issued)
    const [header = '', payload = ''] = issued.jwt.split('.')
    await expect(settle(issued, { mandate: `${header}.${payload}.forged~` })).rejects.toMatchObject({
      code: 'idempotency_conflict',
    })
  })

  test.each([
    ['', false],
    [' ', false],
    ['a\u0000b', false],
    ['x'.repeat(256), false],
    ['x'.repeat(255), true],
    ['order 42', true],
    ['Auftrag für Jürgen', true],
  ])('whether the key %j passes the contract is %j', (key, passes) => {
    expect(settleBody.safeParse({ mandate: 'm', idempotency_key: key }).success).toBe(passes)
  })
})

describe('a slow processor', () => {
  test('a slow processor leads to 409 for a repetition, 502 after ten seconds, and an outcome that is still written', async () => {
    const issued = await issue(await money.person())
    let [answer, reach] = [(): void => undefined, (): void => undefined]
    const reached = new Promise<void>((resolve) => {
      reach = resolve
    })
    const slow = money.withProcessor({
      confirmPaymentIntent: async (id, settlementId) => {
        const outcome = await money.sandbox.confirmPaymentIntent(id, settlementId)
        return new Promise((resolve) => {
          answer = () => resolve(outcome)
          reach()
        })
      },
    })
    const startedAt = performance.now()
    const first = settle(issued, { platform: slow }).catch((error: unknown) => error)
    await reached
    expect(await drainSettlements(slow, 50)).toBe(false)
    await expect(settle(issued)).rejects.toMatchObject({
      code: 'idempotency_in_flight',
      status: 409,
      headers: { 'retry-after': '2' },
    })
    expect(performance.now() - startedAt).toBeGreaterThan(5_000)
    expect(await first).toMatchObject({ code: 'bad_gateway', status: 502 })
    expect(performance.now() - startedAt).toBeLessThan(12_000)
    expect(await drainSettlements(slow, 50)).toBe(true)
    answer()
    await expect.poll(async () => (await settle(issued).catch(() => null))?.status, { timeout: 5_000 }).toBe(200)
  })
})
