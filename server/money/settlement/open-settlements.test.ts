import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MoneyFixture, openMoneyFixture } from '@/test/support/money-fixture'
import { planOf } from '@/test/support/query-plan'
import { ProcessorUnreachable } from '../../base/core/processor'
import { sql } from '../../base/core/sql'
import { countOpenSettlements } from '.'

/** The number of copies: enough that a sequential scan costs more than an index. */
const COPIES = 4_000

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

const counts = () => countOpenSettlements(money.platform.db, money.clock.now())
const none = { count: 0, oldest_seconds: 0 }

test('settlements without an outcome are counted by state, with the age of the oldest; those with one are not', async () => {
  await money.settle(await money.mandate(await money.person()))
  expect(await counts()).toEqual(
    ['reserved', 'submitting', 'requires_action', 'unknown'].map((state) => ({ state, ...none })),
  )
  for (const seconds of [20, 40]) {
    const asking = await money.person({ card: 'authentication_required' })
    await money.settle(await money.mandate(asking)).catch(() => undefined)
    money.clock.advance(seconds)
  }
  const unreachable = money.withProcessor({
    createPaymentIntent: () => Promise.reject(new ProcessorUnreachable('gone')),
  })
  await money.settle(await money.mandate(await money.person()), {}, unreachable).catch(() => undefined)
  money.clock.advance(5)
  expect(await counts()).toEqual([
    { state: 'reserved', ...none },
    { state: 'submitting', ...none },
    { state: 'requires_action', count: 2, oldest_seconds: 65 },
    { state: 'unknown', count: 1, oldest_seconds: 5 },
  ])
})

test('settlements without an outcome are counted from their index, however many have one', async () => {
  const { db } = money.platform
  await db.query(
    sql`INSERT INTO mandates SELECT (jsonb_populate_record(m, jsonb_build_object('id', m.id || n, 'status_index', NULL))).*
          FROM mandates m, generate_series(1, ${COPIES}::int) n
         WHERE m.id IN (SELECT mandate_id FROM settlements WHERE state = 'succeeded')`,
  )
  await db.query(
    sql`INSERT INTO settlements SELECT (jsonb_populate_record(s, jsonb_build_object('id', s.id || n, 'idempotency_key', s.id || n,
                 'mandate_id', s.mandate_id || n, 'payment_intent_id', s.payment_intent_id || n))).*
          FROM settlements s, generate_series(1, ${COPIES}::int) n WHERE s.state = 'succeeded'`,
  )
  await db.query(sql`VACUUM (ANALYZE) settlements`)
  const plan = await planOf(db, (explaining) => countOpenSettlements(explaining, money.clock.now()))
  expect(plan).toContain('settlements_unresolved')
  expect(plan).not.toContain('Seq Scan')
})
