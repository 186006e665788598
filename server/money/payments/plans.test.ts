import { afterAll, beforeAll, expect, test } from 'vitest'
import { MERCHANT, type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { planOf } from '@/test/support/query-plan'
import type { Queryable } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import { sealedPresentations } from '../settlement'
import { sumByParty, sumByTime, sumPeriods } from './bars-store'
import type { PaymentFilter } from './filter-sql'
import { listPaidMerchants, listPayingAgents } from './parties-store'
import { listPaymentRows } from './store'
import { sumPayments } from './totals-store'

/** The number of copies: enough that a sequential scan costs more than an index. */
const COPIES = 4_000

let money: MoneyFixture
let ada: Person
beforeAll(async () => {
  money = await openMoneyFixture()
  ada = await money.person()
  for (const person of [ada, await money.person()]) {
    await pay(person)
    await multiply(person)
  }
  await pay({ ...ada, agentId: await money.agent(ada.principalId) })
  await money.platform.db.query(sql`VACUUM (ANALYZE)`)
})
afterAll(() => money.close())

const pay = async (person: Person) => money.settle(await money.mandate(person))

/** Inserts copies of a person's payments, spread over 400 days, directly into the tables. */
async function multiply({ principalId }: Person): Promise<void> {
  const { db } = money.platform
  const copies = sql`generate_series(1, ${COPIES}::int) n`
  await db.query(
    sql`INSERT INTO mandates SELECT (jsonb_populate_record(m, jsonb_build_object('id', m.id || n, 'status_index', NULL))).*
       FROM mandates m, ${copies} WHERE m.principal_id = ${principalId}`,
  )
  await db.query(
    sql`INSERT INTO settlements SELECT (jsonb_populate_record(s, jsonb_build_object('id', s.id || n, 'idempotency_key', s.id || n,
            'mandate_id', s.mandate_id || n, 'payment_intent_id', s.payment_intent_id || n))).*
       FROM settlements s, ${copies} WHERE s.principal_id = ${principalId}`,
  )
  await db.query(
    sql`INSERT INTO payments SELECT (jsonb_populate_record(p, jsonb_build_object('payment_intent_id', p.payment_intent_id || n,
            'settlement_id', p.settlement_id || n, 'mandate_id', p.mandate_id || n,
            'processed_at', p.processed_at - n * interval '144 minutes'))).*
       FROM payments p, ${copies} WHERE p.principal_id = ${principalId}`,
  )
}

const month = { from: new Date('2026-11-01T00:00:00Z'), until: new Date('2026-11-22T00:00:00Z') }
const before = { from: new Date('2026-10-01T00:00:00Z'), until: new Date('2026-10-22T00:00:00Z') }
const hour = new Date('2026-11-01T01:00:00Z')
const page = (filter: PaymentFilter) => (db: Queryable) =>
  listPaymentRows(db, ada.principalId, { filter, before: null, limit: 51 })
const totals = (filter: PaymentFilter) => (db: Queryable) => sumPayments(db, ada.principalId, filter)

test.each<[string, (db: Queryable) => Promise<unknown>, string]>([
  ['a page of one agent’s payments', (db) => page({ clientId: ada.agentId })(db), 'payments_'],
  ['a page of an agent that hardly pays', (db) => page({ clientId: 'agent-of-few' })(db), 'payments_agent'],
  ['a page of one merchant’s payments', (db) => page({ merchantAudience: MERCHANT })(db), 'payments_'],
  ['the totals of an agent', (db) => totals({ clientId: 'agent-of-few' })(db), 'payments_agent'],
  ['a page between two days', (db) => page({ from: month.from, to: month.until })(db), 'payments_'],
  ['the totals between two days', (db) => totals({ from: month.from, to: month.until })(db), 'payment_counters'],
  ['the totals of all payments', (db) => totals({})(db), 'payment_counters'],
  ['the totals of some hours', (db) => totals({ from: month.from, to: hour })(db), 'payments_principal'],
  ['a page of a shop', (db) => page({ words: 'tallow' })(db), 'payments_'],
  ['spending of two periods', (db) => sumPeriods(db, ada.principalId, { period: month, before }), 'payments_principal'],
  [
    'spending per day',
    (db) => sumByTime(db, ada.principalId, { starts: [month.from, before.until], until: month.until }),
    'payments_principal',
  ],
  [
    'spending per merchant',
    (db) => sumByParty(db, ada.principalId, { party: 'merchant', period: month, max: 8 }),
    'payments_principal',
  ],
  [
    'spending per agent',
    (db) => sumByParty(db, ada.principalId, { party: 'agent', period: month, max: 8 }),
    'payments_principal',
  ],
  ['the agents that have paid', (db) => listPayingAgents(db, ada.principalId), 'payments_agent'],
  ['the merchants that were paid', (db) => listPaidMerchants(db, ada.principalId), 'payments_merchant'],
  [
    'what is sealed under another key',
    (db) => sealedPresentations.list(db, { notUnder: money.platform.sealer.keyIds, limit: 1 }),
    'settlements_sealing_key',
  ],
])('%s is read from an index', async (_, work, index) => {
  const plan = await planOf(money.platform.db, work)
  expect(plan).toContain(index)
  expect(plan).not.toMatch(/Seq Scan on (?:payments|settlements)/)
})
