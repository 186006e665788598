import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { sql } from '@/server/base/core/sql'
import type { BumpRow, LimitsRow } from './evidence'
import { AMOUNT_MINOR, settlementRow } from './mutation-rows'

/** One way to keep a daily cap, right or wrong. Reserves the amount or refuses. */
export interface CapStrategy {
  readonly name: string
  readonly isolation: 'READ COMMITTED' | 'REPEATABLE READ'
  readonly reserve: (client: Client, order: CapOrder) => Promise<boolean>
}

export interface CapOrder {
  readonly id: string
  readonly principalId: string
  readonly amountMinor: number
  readonly capMinor: number
}

export const capTables = `
  CREATE TABLE people (id text PRIMARY KEY);
  CREATE TABLE counters (principal_id text PRIMARY KEY, held bigint NOT NULL);
  CREATE TABLE held (id text PRIMARY KEY, principal_id text NOT NULL, amount_minor bigint NOT NULL)`

async function sumThenInsert(client: Client, order: CapOrder): Promise<boolean> {
  const { rows } = await client.query<{ sum: string }>(
    sql`SELECT coalesce(sum(amount_minor), 0) AS sum FROM held WHERE principal_id = ${order.principalId}`,
  )
  if (Number(rows[0]?.sum) + order.amountMinor > order.capMinor) return false
  await client.query(
    sql`INSERT INTO held (id, principal_id, amount_minor) VALUES (${order.id}, ${order.principalId}, ${order.amountMinor})`,
  )
  return true
}

async function lockRowThenSum(client: Client, order: CapOrder): Promise<boolean> {
  await client.query(sql`SELECT 1 FROM people WHERE id = ${order.principalId} FOR UPDATE`)
  return sumThenInsert(client, order)
}

async function lockNumberThenSum(client: Client, order: CapOrder): Promise<boolean> {
  await client.query(sql`SELECT pg_advisory_xact_lock(hashtext(${order.principalId}))`)
  return sumThenInsert(client, order)
}

async function countConditionally(client: Client, order: CapOrder): Promise<boolean> {
  const { rowCount } = await client.query(
    sql`UPDATE counters SET held = held + ${order.amountMinor} WHERE principal_id = ${order.principalId} AND held + ${order.amountMinor} <= ${order.capMinor}`,
  )
  if (rowCount !== 1) return false
  await client.query(
    sql`INSERT INTO held (id, principal_id, amount_minor) VALUES (${order.id}, ${order.principalId}, ${order.amountMinor})`,
  )
  return true
}

export const brokenCaps: readonly CapStrategy[] = [
  { name: 'SUM, then INSERT', isolation: 'READ COMMITTED', reserve: sumThenInsert },
  { name: 'SUM, then INSERT', isolation: 'REPEATABLE READ', reserve: sumThenInsert },
  { name: 'FOR UPDATE, then SUM', isolation: 'REPEATABLE READ', reserve: lockRowThenSum },
  { name: 'advisory lock, then SUM', isolation: 'REPEATABLE READ', reserve: lockNumberThenSum },
]
export const soundCaps: readonly CapStrategy[] = [
  { name: 'conditional UPDATE of a counter', isolation: 'READ COMMITTED', reserve: countConditionally },
  { name: 'FOR UPDATE, then SUM', isolation: 'READ COMMITTED', reserve: lockRowThenSum },
]

const CAP_MINOR = 400
const TRIES_PER_CLIENT = 12

/** Lets all clients reserve at once, far more than fits, and returns what the cap check looks at. */
export async function overspend(clients: readonly Client[], { isolation, reserve }: CapStrategy) {
  const principalId = randomUUID()
  const [first] = clients
  if (first === undefined) throw new Error('no client')
  await first.query(sql`INSERT INTO people (id) VALUES (${principalId})`)
  await first.query(sql`INSERT INTO counters (principal_id, held) VALUES (${principalId}, 0)`)
  const work = async (client: Client): Promise<void> => {
    for (let tried = 0; tried < TRIES_PER_CLIENT; tried += 1) {
      const order = { id: randomUUID(), principalId, amountMinor: AMOUNT_MINOR, capMinor: CAP_MINOR }
      await client.query(sql`BEGIN ISOLATION LEVEL ${sql.raw(isolation)}`)
      // A transaction that the database refuses to serialise has reserved nothing.
      const isDone = await reserve(client, order).then(
        () => true,
        () => false,
      )
      await client.query(isDone ? 'COMMIT' : 'ROLLBACK')
    }
  }
  await Promise.all(clients.map(work))
  const { rows } = await first.query<{ id: string; amount_minor: string }>(
    sql`SELECT id, amount_minor FROM held WHERE principal_id = ${principalId}`,
  )
  const limits: LimitsRow = {
    principal_id: principalId,
    daily_cap_minor: CAP_MINOR,
    single_txn_cap_minor: null,
    velocity_count: null,
    velocity_window_seconds: null,
  }
  const settlements = rows.map((row) =>
    settlementRow({ id: row.id, principal_id: principalId, amount_minor: Number(row.amount_minor) }),
  )
  const bumps: BumpRow[] = []
  return { settlements, limits: [limits], bumps }
}
