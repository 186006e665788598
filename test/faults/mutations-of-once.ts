import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { sql } from '@/server/base/core/sql'
import type { ChargeRow } from './evidence'
import { newHistory, type SettleAnswer } from './history'
import { AMOUNT_MINOR, settlementRow } from './mutation-rows'

/** One way to settle a request once, right or wrong. Returns the outcome's text, or null for a conflict. */
export interface OnceStrategy {
  readonly name: string
  readonly settle: (client: Client, order: OnceOrder) => Promise<string | null>
}

export interface OnceOrder {
  readonly clientId: string
  readonly key: string
  readonly fingerprint: string
  readonly mandateId: string
}

export const onceTables = `
  CREATE TABLE settled (id text PRIMARY KEY, client_id text NOT NULL, key text NOT NULL, fingerprint text NOT NULL,
                        mandate_id text NOT NULL, outcome text);
  CREATE TABLE settled_once (id text PRIMARY KEY, client_id text NOT NULL, key text NOT NULL, fingerprint text NOT NULL,
                             mandate_id text NOT NULL, outcome text, UNIQUE (client_id, key));
  CREATE TABLE charged (id text PRIMARY KEY, settlement_id text NOT NULL)`

interface KnownRow {
  readonly id: string
  readonly fingerprint: string
  readonly outcome: string | null
}

/** The processor of the mutants: every call is a charge. */
async function charge(client: Client, settlementId: string): Promise<string> {
  const id = randomUUID()
  await client.query(sql`INSERT INTO charged (id, settlement_id) VALUES (${id}, ${settlementId})`)
  return JSON.stringify({ settlement_id: settlementId, payment_intent_id: id })
}

const find = async (client: Client, table: string, order: OnceOrder): Promise<KnownRow | undefined> =>
  (
    await client.query<KnownRow>(
      sql`SELECT id, fingerprint, outcome FROM ${sql.raw(table)} WHERE client_id = ${order.clientId} AND key = ${order.key}`,
    )
  ).rows[0]

const insert = (table: string, more = '') =>
  `INSERT INTO ${table} (id, client_id, key, fingerprint, mandate_id) VALUES ($1, $2, $3, $4, $5) ${more}`
const valuesOf = (id: string, order: OnceOrder) => [id, order.clientId, order.key, order.fingerprint, order.mandateId]

async function lookThenInsert(client: Client, order: OnceOrder): Promise<string | null> {
  const known = await find(client, 'settled', order)
  if (known !== undefined) return known.fingerprint === order.fingerprint ? known.outcome : null
  const id = randomUUID()
  await client.query(insert('settled'), valuesOf(id, order))
  const outcome = await charge(client, id)
  await client.query(sql`UPDATE settled SET outcome = ${outcome} WHERE id = ${id}`)
  return outcome
}

interface OnceDifferences {
  readonly comparesFingerprint?: boolean
  readonly keepsOutcome?: boolean
  readonly scope?: (order: OnceOrder) => OnceOrder
}

/** The sound way, from which the mutants leave one thing out each. */
function insertOnce(differences: OnceDifferences = {}): OnceStrategy['settle'] {
  const { comparesFingerprint = true, keepsOutcome = true, scope = (order: OnceOrder) => order } = differences
  return async (client, asked) => {
    const order = scope(asked)
    const id = randomUUID()
    const { rowCount } = await client.query(
      insert('settled_once', 'ON CONFLICT (client_id, key) DO NOTHING'),
      valuesOf(id, order),
    )
    if (rowCount !== 1) {
      const known = await find(client, 'settled_once', order)
      if (known === undefined || (comparesFingerprint && known.fingerprint !== order.fingerprint)) return null
      return keepsOutcome ? known.outcome : charge(client, known.id)
    }
    const outcome = await charge(client, id)
    await client.query(sql`UPDATE settled_once SET outcome = ${outcome} WHERE id = ${id}`)
    return outcome
  }
}

/** With the invariants whose checks have to find them. */
export const brokenOnces: readonly (OnceStrategy & { readonly caughtBy: readonly string[] })[] = [
  {
    name: 'looks for the key, then inserts, without a unique key',
    settle: lookThenInsert,
    caughtBy: ['M5', 'M7'],
  },
  {
    name: 'does not compare the request with the first one',
    settle: insertOnce({ comparesFingerprint: false }),
    caughtBy: ['I3'],
  },
  {
    name: "takes another client's key for its own",
    settle: insertOnce({ scope: (order) => ({ ...order, clientId: 'everybody' }), comparesFingerprint: false }),
    caughtBy: ['M5'],
  },
  {
    name: 'forgets the outcome, so that a repeat charges again',
    settle: insertOnce({ keepsOutcome: false }),
    caughtBy: ['M5', 'M6'],
  },
]
export const soundOnce: OnceStrategy = { name: 'inserts once and keeps the outcome', settle: insertOnce() }

const KEYS = 24
const COPIES = 4

/** Sends each request several times at once, then something else under its key, then all of it again. */
export async function repeatYourself(clients: readonly Client[], { settle }: OnceStrategy) {
  const history = newHistory()
  const [first] = clients
  if (first === undefined) throw new Error('no client')
  await first.query(sql`TRUNCATE settled, settled_once, charged`)
  const keys = Array.from({ length: KEYS }, () => randomUUID())
  for (const key of keys) {
    const order = { clientId: 'one', key, fingerprint: 'first', mandateId: randomUUID() }
    const copies = clients.slice(0, COPIES).map((client) => ask(client, order))
    await Promise.all(copies)
    await ask(first, { ...order, fingerprint: 'second' })
    await ask(first, { ...order, clientId: 'two', fingerprint: 'third', mandateId: randomUUID() })
    await ask(first, order)
  }

  async function ask(client: Client, order: OnceOrder): Promise<void> {
    const startedAt = performance.now()
    const outcome = await settle(client, order)
    history.answers.push(answerOf(order, { outcome, startedAt }))
  }

  const { rows } = await first.query<{
    id: string
    client_id: string
    key: string
    mandate_id: string
    outcome: string
  }>(
    sql`SELECT id, client_id, key, mandate_id, outcome FROM settled UNION ALL SELECT id, client_id, key, mandate_id, outcome FROM settled_once`,
  )
  const charged = await first.query<{ id: string; settlement_id: string }>(sql`SELECT id, settlement_id FROM charged`)
  const settlements = rows.map((row) =>
    settlementRow({
      id: row.id,
      client_id: row.client_id,
      idempotency_key: row.key,
      mandate_id: row.mandate_id,
      response: row.outcome,
    }),
  )
  const charges: ChargeRow[] = charged.rows.map((row) => ({
    paymentIntentId: row.id,
    settlementId: row.settlement_id,
    amountMinor: AMOUNT_MINOR,
    currency: 'EUR',
    destination: null,
    feeMinor: 0,
    isRefunded: false,
  }))
  return { settlements, charges, history }
}

function answerOf(
  order: OnceOrder,
  { outcome, startedAt }: { outcome: string | null; startedAt: number },
): SettleAnswer {
  // The others of a crowd find the row before its outcome is there: they are told to come back.
  const isConflict = outcome === null
  return {
    clientId: order.clientId,
    key: order.key,
    request: order.fingerprint,
    startedAt,
    endedAt: performance.now(),
    status: isConflict ? 409 : 200,
    body: outcome ?? '',
    error: isConflict ? 'idempotency_in_flight' : null,
    isReplay: false,
  }
}
