/** Decision F42: what is deleted, when, and what stays. */
import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { noteRequest, readRequestLog } from '@/server/shared/request-log'
import { sweepExpired } from '@/server/sweep'
import { readyAgent, withApp } from '../oauth/setup'
import { type Agent, must, Person } from '../support/actors'
import type { App } from '../support/app'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let app: App
let agent: Agent
withApp(async (started) => {
  app = started
  agent = await readyAgent(app)
})

const count = async (table: string) => {
  const [row] = await app.platform.db.query<{ rows: number }>(sql`SELECT count(*)::int AS rows FROM ${sql.raw(table)}`)
  return row?.rows
}

/** One kind of row: the tables that it is in, how long it is kept after it ended, and what makes it and says when it ends. */
interface Kind {
  readonly tables: readonly string[]
  readonly kept: number
  readonly make: () => Promise<{ endsIn: number }>
}

const PAR_LIFETIME = 60
const CODE_LIFETIME = 60

const kinds: readonly (readonly [string, Kind])[] = [
  [
    'a pushed request, 24 hours',
    {
      tables: ['pushed_requests'],
      kept: DAY,
      make: async () => {
        expect((await agent.push((await agent.purchase()).form)).status).toBe(201)
        return { endsIn: PAR_LIFETIME }
      },
    },
  ],
  [
    'a code, 24 hours',
    {
      tables: ['authorization_codes'],
      kept: DAY,
      make: async () => {
        await agent.code()
        return { endsIn: CODE_LIFETIME }
      },
    },
  ],
  [
    'a token family that expired, 30 days',
    {
      tables: ['token_families', 'refresh_tokens'],
      kept: 30 * DAY,
      make: async () => {
        await agent.buy()
        return { endsIn: DAY }
      },
    },
  ],
  [
    'a token family that was revoked, 30 days',
    {
      tables: ['token_families', 'refresh_tokens'],
      kept: 30 * DAY,
      make: async () => {
        const { refresh_token: token } = await agent.buy()
        expect((await agent.mint('/oauth/revoke', { token })).status).toBe(200)
        return { endsIn: 0 }
      },
    },
  ],
  [
    'a message, 90 days',
    {
      tables: ['messages'],
      kept: 90 * DAY,
      make: async () => {
        const tokens = await agent.buy()
        await agent.settle(tokens.access_token, tokens.mandate_jwt, `message-${app.clock.now().getTime()}`)
        return { endsIn: 0 }
      },
    },
  ],
]

test.each(kinds)('F42 %s', async (_kind, { tables, kept, make }) => {
  agent.forgetNonce()
  app.clock.advance({ seconds: 200 * DAY })
  await sweepExpired(app.platform)
  const counts = () => Promise.all(tables.map(count))
  const none = await counts()
  const { endsIn } = await make()
  const some = await counts()
  expect(some).not.toEqual(none)
  app.clock.advance({ seconds: endsIn + kept - MINUTE })
  await sweepExpired(app.platform)
  expect(await counts()).toEqual(some)
  app.clock.advance({ seconds: 2 * MINUTE })
  await sweepExpired(app.platform)
  expect(await counts()).toEqual(none)
})

test('F42 a request is in the log for seven days', async () => {
  const { platform, clock } = app
  const isActive = () => Promise.resolve(true)
  const token = { agentClientId: null, mayPay: false, acr: 'phr', authTime: clock.now(), isActive } as const
  const person = { kind: 'wallet', principalId: 'ada', tenantId: 'portal', session: null } as const
  const actor = { ...person, via: 'token', token } as const
  noteRequest(platform, actor, { request_id: 'one', operation: 'o', method: 'GET', status: 200, error: null, ms: 1 })
  await expect.poll(() => readRequestLog(platform, 'ada')).toHaveLength(1)
  clock.advance({ seconds: 7 * DAY - MINUTE })
  expect(await readRequestLog(platform, 'ada')).toHaveLength(1)
  clock.advance({ seconds: 2 * MINUTE })
  expect(await readRequestLog(platform, 'ada')).toEqual([])
})

test('F42 payments, mandates, approvals, evidence and audit entries stay, and a payment keeps its items', async () => {
  agent.forgetNonce()
  const bought = [{ title: 'Tea', sku: 'tea', qty: 3, unit_price_minor: 400 }]
  const tokens = await agent.buy({ line_items: bought })
  const settle = () => agent.settle(tokens.access_token, tokens.mandate_jwt, 'kept-1')
  expect((await settle()).status).toBe(200)
  const kept = ['payments', 'settlements', 'mandates', 'consents', 'approval_evidence', 'audit_entries']
  const before = await Promise.all(kept.map(count))
  const items = () =>
    app.platform.db.query(
      sql`SELECT coalesce(d.line_items, i.line_items) AS line_items
            FROM mandate_terms d LEFT JOIN agreed_items i USING (family_id) WHERE d.id = ${tokens.mandate_id}`,
    )
  expect(await items()).toEqual([{ line_items: bought }])
  app.clock.advance({ seconds: 500 * DAY })
  await sweepExpired(app.platform)
  expect(await count('token_families')).toBe(0)
  expect(await Promise.all(kept.map(count))).toEqual(before)
  expect(await items()).toEqual([{ line_items: bought }])
})

test('F42 an agent whose families are deleted still says when it was used last', async () => {
  agent.forgetNonce()
  const bought = await agent.buy()
  app.clock.advance({ seconds: 3_600 })
  agent.forgetNonce()
  const { access_token: token } = must(await agent.refresh(bought.refresh_token), 200)
  const usedAt = (decodeJwt(token).iat ?? 0) * 1000
  const lastUsed = async () => {
    const person = await Person.signIn(app, agent.principalId)
    const { json } = await person.call<{ last_used_at: string }>('GET', `/wallet/agents/${agent.clientId}`)
    return Math.abs(Date.parse(json.last_used_at) - usedAt) < 2_000
  }
  expect(await lastUsed()).toBe(true)
  app.clock.advance({ seconds: 60 * DAY })
  await sweepExpired(app.platform)
  expect(await count('refresh_tokens')).toBe(0)
  expect(await lastUsed()).toBe(true)
})

test('F42 a family stays while a settlement under its mandate is open', async () => {
  agent.forgetNonce()
  const tokens = await agent.buy()
  await agent.settle(tokens.access_token, tokens.mandate_jwt, 'open-1')
  // As it stands while the processor's answer is not known, and with the answer that it got.
  const open = sql`UPDATE settlements SET state = 'unknown', response = NULL`
  const close = sql`UPDATE settlements SET state = 'succeeded', response = '{}'`
  const set = (change: typeof open) => app.platform.db.query(sql`${change} WHERE mandate_id = ${tokens.mandate_id}`)
  const [family] = await app.platform.db.query<{ id: string }>(
    sql`SELECT family_id AS id FROM mandates WHERE id = ${tokens.mandate_id}`,
  )
  const isThere = async () =>
    (await app.platform.db.query(sql`SELECT 1 FROM token_families WHERE id = ${String(family?.id)}`)).length === 1
  await set(open)
  app.clock.advance({ seconds: 60 * DAY })
  await sweepExpired(app.platform)
  expect(await isThere()).toBe(true)
  await set(close)
  await sweepExpired(app.platform)
  expect(await isThere()).toBe(false)
})
