import { afterAll, beforeAll, expect, test } from 'vitest'
import { MERCHANT, type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { planOf } from '@/test/support/query-plan'
import type { Transaction } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import {
  endAccessCodes,
  endAccessRequests,
  endMailedRequests,
  endPurchaseLinks,
  endUnaskedCodes,
  endUnaskedRequests,
} from './erase-requests'

/** As many as are kept of a day with a request every twenty seconds. */
const KEPT = 4_320

let money: MoneyFixture
let ada: Person
beforeAll(async () => {
  money = await openMoneyFixture()
  ada = await money.person({ card: null })
  const { db } = money.platform
  const columns = sql`client_id, principal_id, jkt, dpop_jwk, redirect_uri, code_challenge, scope, resources,
    authorization_details, merchant_audience, created_at, expires_at`
  const rows = sql`${ada.agentId}, ${ada.principalId}, 'jkt', '{}'::jsonb, 'https://agent.example', 'challenge', '[]'::jsonb,
    '[]'::jsonb, '[]'::jsonb, ${MERCHANT}, at, at + interval '15 minutes'`
  const times = sql`(SELECT n, ${money.clock.now()}::timestamptz - n * interval '20 seconds' AS at
                       FROM generate_series(1, ${KEPT}::int) n) AS times`
  await db.query(
    sql`INSERT INTO pushed_requests (handle_hash, decision, ${columns}) SELECT n, 'approved', ${rows} FROM ${times}`,
  )
  await db.query(sql`INSERT INTO magic_links (token_hash, ${columns}) SELECT n, ${rows} FROM ${times}`)
  await db.query(
    sql`INSERT INTO authorization_codes (code_hash, auth_time, ${columns}) SELECT n, at, ${rows} FROM ${times}`,
  )
  await db.query(sql`VACUUM (ANALYZE) pushed_requests, magic_links, authorization_codes`)
})
afterAll(() => money.close())

const person = () => ({ principalId: ada.principalId, now: money.clock.now() })
const purchases = () => ({ clientId: ada.agentId, audience: MERCHANT, now: money.clock.now() })
const access = () => ({ clientId: ada.agentId, scope: ['wallet:read'], now: money.clock.now() })

test.each<[string, (tx: Transaction) => Promise<void>, readonly string[]]>([
  ['a freeze', (tx) => endPurchaseLinks(tx, { ...person(), clientId: null }), ['magic_links']],
  ['a pause', (tx) => endPurchaseLinks(tx, { ...person(), clientId: ada.agentId }), ['magic_links']],
  ['another mail address', (tx) => endMailedRequests(tx, person()), ['magic_links']],
  [
    'forgetting a merchant',
    async (tx) => {
      await endUnaskedRequests(tx, purchases())
      await endUnaskedCodes(tx, purchases())
    },
    ['pushed_requests', 'magic_links', 'authorization_codes'],
  ],
  [
    'the end of access',
    async (tx) => {
      await endAccessRequests(tx, access())
      await endAccessCodes(tx, access())
    },
    ['pushed_requests', 'magic_links', 'authorization_codes'],
  ],
])('%s reads only what has not expired', async (_, work, tables) => {
  const plan = await planOf(money.platform.db, (explaining) => work(explaining as Transaction))
  for (const table of tables) expect(plan).toContain(`using ${table}_expiry on ${table}`)
  expect(plan).not.toMatch(/Seq Scan on (?:pushed_requests|magic_links|authorization_codes|consents)/)
})
