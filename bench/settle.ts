/**
 * Settlements per second on an empty PostgreSQL and after many payments, of one principal and of many, in one run:
 *   DATABASE_URL=postgres://… npm run bench:settle -- [--requests 1000] [--principals 1000] [--rows 1000000] [--rounds 3]
 * The role in the URL must be able to create databases. The card processor answers at once, from this process. Needs a build.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { Agent, must, newWalletClient, operate } from '../test/support/actors'
import { withDatabases } from './databases'
import { measure, medianOf, type Prepared, type Result, rowOf } from './load'
import { startProcessor } from './processor'
import { reportFigures } from './results'
import { baseUrlOf, type Server, startCountersign, stopServer } from './servers'
import { settleRequest } from './signed-form'

const PORT = 4140
const MERCHANT = 'https://shop.example'
const FILL_STEP = 100_000
/** A tenth more is within the noise. */
const GOAL = 1.1

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000' },
    principals: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '16' },
    rows: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
  },
})
const [requests, principals, connections, rows, rounds] = [
  values.requests,
  values.principals,
  values.connections,
  values.rows,
  values.rounds,
].map(Number) as [number, number, number, number, number]
const serverUrl = process.env['DATABASE_URL']
if (serverUrl === undefined) throw new Error('DATABASE_URL must name a PostgreSQL server')

/** Runs `work` for every item, a few at a time, and keeps the order of the results. */
async function forEach<T, R>(items: readonly T[], work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const queue = items.entries()
  const results: R[] = []
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item, index)
  }
  await Promise.all(Array.from({ length: connections }, worker))
  return results
}

/** People with a limit that is never reached and a card that nobody enrolled, and an agent of each. */
async function newAgents(server: Server, databaseUrl: string, count: number): Promise<Agent[]> {
  const { clientId: tenantId } = await newWalletClient(server)
  const people = await forEach(Array.from({ length: count }), async () => {
    const created = must(await operate(server, 'POST', '/principals', { wallet_client_id: tenantId }), 201)
    return created['principal_id'] ?? ''
  })
  await withDatabase(databaseUrl, async (client) => {
    await client.query(`UPDATE principals SET approval_rule = 'above_limits'`)
    await client.query(
      `INSERT INTO wallet_limits (principal_id, daily_cap_minor, currency, velocity_count, velocity_window_seconds, updated_at)
       SELECT id, 900000000000, 'EUR', 1000000, 60, now() FROM principals WHERE tenant_id = $1`,
      [tenantId],
    )
    await client.query(
      `INSERT INTO card_mandates (id, principal_id, setup_intent_id, customer_id, payment_method_id, brand, last4, exp_month,
                                  exp_year, is_default, created_at)
       SELECT id, id, id, 'cus_' || id, 'pm_' || id, 'visa', '4242', 12, 2040, true, now() FROM principals WHERE tenant_id = $1`,
      [tenantId],
    )
  })
  return forEach(people, (principalId) => Agent.register(server, principalId))
}

async function withDatabase(databaseUrl: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** A purchase up to its mandate, and the settle request for it, signed. */
async function orderOf(agent: Agent, key: string): Promise<Prepared> {
  return settleRequest(agent, await agent.buy({ merchant: MERCHANT, amount_minor: 10 }), key)
}

async function settleAll(server: Server, agents: readonly Agent[], name: string): Promise<Result> {
  // They were of use for minutes only, and filling the tables takes longer.
  for (const agent of agents) agent.forgetNonce()
  const turns = Array.from({ length: requests }, (_, index) => agents[index % agents.length])
  const prepared = await forEach(turns, (agent, index) => {
    if (agent === undefined) throw new Error('no agents')
    return orderOf(agent, `${name.replaceAll(' ', '-')}-${index}`)
  })
  const { result } = await measure(server, prepared, { connections, accepts: (status) => status === 200 })
  return result
}

/** Payments of the past year, half of them of the hot principal, with everything that belongs to them. */
function fill(hot: Agent, databaseUrl: string): Promise<void> {
  return withDatabase(databaseUrl, async (client) => {
    await client.query(
      `CREATE TEMP TABLE agents AS
       SELECT row_number() OVER (ORDER BY c.id = $1 DESC, c.id) AS n, c.id AS client_id, c.principal_id, c.tenant_id, k.id AS card_id
         FROM clients c JOIN card_mandates k ON k.principal_id = c.principal_id WHERE c.kind = 'agent'`,
      [hot.clientId],
    )
    for (let from = 0; from < rows; from += FILL_STEP) await fillStep(client, from, Math.min(rows, from + FILL_STEP))
    await client.query('VACUUM (ANALYZE)')
  })
}

async function fillStep(client: Client, from: number, to: number): Promise<void> {
  await client.query(
    `CREATE TEMP TABLE old AS
     SELECT 'old-' || i AS id, i, now() - make_interval(secs => 60 + (i::bigint * 31536000 / $3)) AS at, a.*
       FROM generate_series($1::int, $2::int - 1) i
       JOIN agents a ON a.n = CASE WHEN i % 2 = 0 THEN 1 ELSE 1 + (i / 2) % (SELECT count(*) FROM agents) END`,
    [from, to, rows],
  )
  const statements = [
    `INSERT INTO token_families (id, client_id, principal_id, tenant_id, kind, jkt, scope, resources, authorization_details,
                                 mandate_id, auth_time, created_at, expires_at)
     SELECT id, client_id, principal_id, tenant_id, 'payment', 'jkt', '[]', '[]', '[]', id, at, at, at + interval '1 day' FROM old`,
    `INSERT INTO mandates (id, family_id, client_id, principal_id, tenant_id, merchant_audience, amount_minor, currency, jkt,
                           status_index, issued_at, expires_at)
     SELECT id, id, client_id, principal_id, tenant_id, '${MERCHANT}', 10, 'EUR', 'jkt', 1000000000 + i, at,
            at + interval '300 seconds' FROM old`,
    `INSERT INTO settlements (id, client_id, principal_id, tenant_id, mandate_id, idempotency_key, request_digest, state,
                              amount_minor, currency, merchant_audience, application_fee_minor, card_id, payment_intent_id,
                              day, response, reserved_at, settled_at, lease_until)
     SELECT id, client_id, principal_id, tenant_id, id, id, 'digest', 'succeeded', 10, 'EUR', '${MERCHANT}', 0, card_id,
            'pi_' || id, at::date, '{}', at, at, at FROM old`,
    `INSERT INTO payments (payment_intent_id, settlement_id, principal_id, tenant_id, client_id, mandate_id,
                           merchant_audience, amount_minor, currency, status, processed_at, receipt_jws)
     SELECT 'pi_' || id, id, principal_id, tenant_id, client_id, id, '${MERCHANT}', 10, 'EUR', 'succeeded', at, 'receipt'
       FROM old`,
    'DROP TABLE old',
  ]
  for (const statement of statements) await client.query(statement)
}

async function round(server: Server, crowd: readonly Agent[], name: string) {
  const [hot] = crowd
  if (hot === undefined) throw new Error('no agents')
  return {
    'one principal': await settleAll(server, [hot], `${name}-hot`),
    [`${principals} principals`]: await settleAll(server, crowd, `${name}-crowd`),
  }
}

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'countersign-bench-'))
const results = new Map<string, Result[]>()
const processor = await startProcessor()
const env = {
  STRIPE_SECRET_KEY: 'sk_test_0123456789abcdef',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_0123456789abcdef',
  STRIPE_API_BASE: processor.url,
}

async function run(databaseUrl: string): Promise<void> {
  const server = await startCountersign({ port: PORT, lane: 'direct', dataDir, databaseUrl, env })
  try {
    console.log(`${baseUrlOf(PORT)}: ${requests} settlements at a time, ${connections} connections, ${rounds} rounds`)
    const crowd = await newAgents(server, databaseUrl, principals)
    const measureAll = async (when: string) => {
      for (let index = 0; index < rounds; index += 1) {
        for (const [who, result] of Object.entries(await round(server, crowd, `${when}-${index}`))) {
          const row = `${who}, ${when}`
          results.set(row, [...(results.get(row) ?? []), result])
        }
      }
    }
    // The first requests find cold code.
    await settleAll(server, crowd, 'warm-up')
    await measureAll('no payments')
    const [hot] = crowd
    if (hot !== undefined) await fill(hot, databaseUrl)
    await settleAll(server, crowd, 'warm-up-again')
    await measureAll(`${rows} payments`)
  } finally {
    await stopServer(server)
  }
}

try {
  await withDatabases(serverUrl, ['settle_bench'], (urls) => run(urls.settle_bench))
} finally {
  processor.close()
  rmSync(dataDir, { recursive: true, force: true })
}
console.table(Object.fromEntries([...results].map(([row, list]) => [row, rowOf(medianOf(list))])))
reportFigures(
  ['one principal', `${principals} principals`].map((who) => {
    const [before, after] = ['no payments', `${rows} payments`].map((when) =>
      medianOf(results.get(`${who}, ${when}`) ?? []),
    )
    const growth = (after?.cpuMs ?? 0) / (before?.cpuMs ?? 0)
    return {
      what: `settle, ${who}: CPU per request after ${rows} payments in that of before`,
      figure: growth.toFixed(2),
      goal: `at most ${GOAL}`,
      met: growth <= GOAL,
    }
  }),
)
