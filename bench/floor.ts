/**
 * The CPU time per request of each endpoint beside the least that any server must spend on it, in one run:
 *   DATABASE_URL=postgres://… npm run bench:floor -- [--requests 1000] [--connections 16] [--rounds 3]
 * The role in the URL must be able to create databases. Both servers are sent the same requests, which are signed before the
 * clock starts, step by step in turns. The card processor answers at once, from this process.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { Agent, must, newWalletClient, operate } from '../test/support/actors'
import { withDatabases } from './support/databases'
import { type Batch, steps, type Walker, walk } from './support/line'
import { measure, median, medianOf, type Prepared, type Result } from './support/load'
import { startProcessor } from './support/processor'
import { reportFigures } from './support/results'
import { type Server, startCountersign, startFloor, stopServer } from './support/servers'
import { settleRequest } from './support/signed-form'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '3' },
  },
})
const requests = Number(values.requests)
const connections = Number(values.connections)
const rounds = Number(values.rounds)

const MERCHANT = 'https://shop.example'
const COUNTERSIGN_PORT = 4170
const FLOOR_PORT = 4171
/** The most that an endpoint may cost, as a multiple of what any server must spend on it. */
const GOAL = 1.5

const endpoints = [...steps, 'settle', 'status-list'] as const
type Endpoint = (typeof endpoints)[number]
interface Pair {
  readonly ours: Result
  readonly floor: Result
}

interface Servers {
  readonly countersign: Server
  readonly floor: Server
  /** Countersign's database. */
  readonly database: Client
}

/** Sends one endpoint's requests to both servers. Returns Countersign's outcomes. */
async function compare(servers: Servers, step: Endpoint, { prepared, status: wanted }: Omit<Batch, 'step'>) {
  const ours = await measure(servers.countersign, prepared, { connections, accepts: (status) => status === wanted })
  const bytes = String(Buffer.byteLength(ours.outcomes[0] ?? ''))
  const same = prepared.map((one) => ({
    ...one,
    path: `/${step}`,
    headers: { ...one.headers, 'x-answer-bytes': bytes },
  }))
  const floor = await measure(servers.floor, same, { connections, accepts: (status) => status === 200 })
  return { pair: { ours: ours.result, floor: floor.result }, outcomes: ours.outcomes }
}

/** Returns the agent of a person with a card that was not enrolled through the service. */
async function newWalker({ countersign, database }: Servers): Promise<Walker> {
  const { clientId: tenantId } = await newWalletClient(countersign)
  const created = await operate(countersign, 'POST', '/principals', { wallet_client_id: tenantId })
  const principalId = must(created, 201)['principal_id'] ?? ''
  await database.query(`UPDATE principals SET approval_rule = 'above_limits'`)
  await database.query(
    `INSERT INTO wallet_limits (principal_id, daily_cap_minor, currency, updated_at) VALUES ($1, 1000000, 'EUR', now())`,
    [principalId],
  )
  await database.query(
    `INSERT INTO card_mandates (id, principal_id, setup_intent_id, customer_id, payment_method_id, brand, last4, exp_month,
                                exp_year, is_default, created_at)
     VALUES ($1, $1, $1, 'cus_1', 'pm_1', 'visa', '4242', 12, 2040, true, now())`,
    [principalId],
  )
  const agent = await Agent.register(countersign, principalId)
  const purchase = await agent.purchase({ merchant: MERCHANT, amount_minor: 1 })
  return { agent, purchase, redirectStatus: 302, cookies: [], introspected: 'access_token' }
}

type Pairs = Record<Endpoint, Pair[]> & { readonly processor: number[] }

async function oneRound(servers: Servers, count: number, pairs?: Pairs): Promise<void> {
  const walker = await newWalker(servers)
  const batches = walk(walker, count)
  let outcomes: readonly string[] = []
  for (const step of steps) {
    const { value: batch } = await batches.next(outcomes)
    if (batch === undefined) throw new Error('the line is shorter than its list of steps')
    const compared = await compare(servers, step, batch)
    outcomes = compared.outcomes
    pairs?.[step].push(compared.pair)
    if (step !== 'token') continue
    const settled = await compare(servers, 'settle', { prepared: await orders(walker.agent, outcomes), status: 200 })
    pairs?.settle.push(settled.pair)
    pairs?.processor.push(await chargeAtFloor(servers, count))
  }
  const prepared = Array.from({ length: count }, () => ({ method: 'GET', path: '/oauth/status-list/1', headers: {} }))
  const list = await compare(servers, 'status-list', { prepared, status: 200 })
  pairs?.['status-list'].push(list.pair)
}

/** Returns the CPU time in milliseconds that the card processor costs any settlement, without a bare exchange. */
async function chargeAtFloor({ floor }: Servers, count: number): Promise<number> {
  const cpuOf = async (endpoint: string) => {
    const prepared = Array.from({ length: count }, () => ({ method: 'POST', path: endpoint, headers: {} }))
    return (await measure(floor, prepared, { connections, accepts: (status) => status === 200 })).result.cpuMs
  }
  return (await cpuOf('/processor')) - (await cpuOf('/nothing'))
}

/** Returns the signed settle request for each answer of the token endpoint. */
function orders(agent: Agent, granted: readonly string[]): Promise<Prepared[]> {
  return Promise.all(granted.map((text, index) => settleRequest(agent, JSON.parse(text), `bench-${index}`)))
}

function report(pairs: Pairs): void {
  const figures = endpoints.map((endpoint) => {
    const charged = endpoint === 'settle' ? median(pairs.processor) : 0
    const ours = medianOf(pairs[endpoint].map((pair) => pair.ours)).cpuMs - charged
    const floor = medianOf(pairs[endpoint].map((pair) => pair.floor)).cpuMs
    const multiple = ours / floor
    return {
      what: `${endpoint}${endpoint === 'settle' ? ' without the processor' : ''}: CPU per request in that of the floor`,
      figure: `${multiple.toFixed(2)} (${ours.toFixed(2)} ms, ${floor.toFixed(2)} ms)`,
      goal: `at most ${GOAL}`,
      met: multiple <= GOAL,
    }
  })
  reportFigures(figures)
  console.log(`Medians of ${rounds} rounds with ${requests} requests per endpoint over ${connections} connections.`)
}

const databaseUrl = process.env['DATABASE_URL']
if (databaseUrl === undefined) throw new Error('DATABASE_URL must name a PostgreSQL server')
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'countersign-bench-'))
const processor = await startProcessor()
try {
  await withDatabases(databaseUrl, ['countersign_bench', 'floor_bench'], async (urls) => {
    const running: Server[] = []
    const database = new Client({ connectionString: urls.countersign_bench })
    try {
      const countersign = await startCountersign({
        port: COUNTERSIGN_PORT,
        lane: 'direct',
        dataDir,
        databaseUrl: urls.countersign_bench,
        env: processor.env,
      })
      running.push(countersign)
      const floor = await startFloor({
        port: FLOOR_PORT,
        databaseUrl: urls.floor_bench,
        processorUrl: processor.url,
      })
      running.push(floor)
      await database.connect()
      const servers = { countersign, floor, database }
      const pairs = {
        ...(Object.fromEntries(endpoints.map((endpoint) => [endpoint, [] as Pair[]])) as Record<Endpoint, Pair[]>),
        processor: [],
      }
      await oneRound(servers, Math.ceil(requests / 5))
      for (let round = 0; round < rounds; round += 1) await oneRound(servers, requests, pairs)
      report(pairs)
    } finally {
      await database.end()
      await Promise.all(running.map(stopServer))
    }
  })
} finally {
  processor.close()
  rmSync(dataDir, { recursive: true, force: true })
}
