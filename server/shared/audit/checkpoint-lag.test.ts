import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertEntries, insertTenant, type MoneyFixture, openMoneyFixture } from '@/test/support/money-fixture'
import { planOf } from '@/test/support/query-plan'
import { sql } from '../../base/core/sql'
import { checkpointTenant, readCheckpointLag } from '.'

let money: MoneyFixture
beforeEach(async () => {
  money = await openMoneyFixture()
})
afterEach(() => money.close())

const lag = () => readCheckpointLag(money.platform.db, money.clock.now())
const append = (tenantId: string, count: number) => insertEntries(money.platform, tenantId, count)

test('the lag is the most entries of a tenant without a checkpoint, and the age of the oldest of any tenant', async () => {
  expect(await lag()).toEqual({ entries: 0, seconds: 0 })
  const [first, second] = [await insertTenant(money.platform), await insertTenant(money.platform)]
  await append(first, 1)
  money.clock.advance(90)
  await append(first, 1)
  await append(second, 5)
  money.clock.advance(30)
  expect(await lag()).toEqual({ entries: 5, seconds: 120 })
  await checkpointTenant(money.platform, first)
  expect(await lag()).toEqual({ entries: 5, seconds: 30 })
  await checkpointTenant(money.platform, second)
  expect(await lag()).toEqual({ entries: 0, seconds: 0 })
})

test('the lag of a tenant counts from its newest checkpoint, and an idle tenant whose entries are covered has none', async () => {
  const tenantId = await insertTenant(money.platform)
  for (const count of [3, 4]) {
    await append(tenantId, count)
    await checkpointTenant(money.platform, tenantId)
    money.clock.advance(86_400)
    expect(await lag()).toEqual({ entries: 0, seconds: 0 })
  }
  await append(tenantId, 1)
  money.clock.advance(10)
  await append(tenantId, 1)
  expect(await lag()).toEqual({ entries: 2, seconds: 10 })
})

test('the lag counts from the last checkpoint that states the tree', async () => {
  const tenantId = await insertTenant(money.platform)
  await append(tenantId, 3)
  await checkpointTenant(money.platform, tenantId)
  await money.platform.db.query(sql`UPDATE audit_checkpoints SET note = NULL`)
  money.clock.advance(10)
  expect(await lag()).toEqual({ entries: 3, seconds: 10 })
})

test('the lag is read from indexes, however many entries and checkpoints there are', async () => {
  const { db } = money.platform
  const tenants = await Promise.all(Array.from({ length: 20 }, () => insertTenant(money.platform)))
  for (const tenantId of tenants) await append(tenantId, 300)
  await db.query(
    sql`INSERT INTO audit_checkpoints (tenant_id, seq, jws, note, created_at)
        SELECT tenant_id, seq, 'jws', 'note', ts FROM audit_entries WHERE seq < 300`,
  )
  await db.query(sql`VACUUM (ANALYZE) audit_heads, audit_entries, audit_checkpoints`)
  const plan = await planOf(db, (explaining) => readCheckpointLag(explaining, money.clock.now()))
  expect(plan).toContain('audit_entries_pkey')
  expect(plan).toContain('audit_checkpoints_pkey')
  expect(plan).not.toMatch(/Seq Scan on (?:audit_entries|audit_checkpoints)/)
  expect(await lag()).toEqual({ entries: 1, seconds: 0 })
})
