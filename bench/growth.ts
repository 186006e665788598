/**
 * Compares the cost of requests when tables are full: the same requests, a few at a time in turns, to a server with a
 * thousand payments and to one with a million, each on a PostgreSQL database of its own:
 *   DATABASE_URL=postgres://… npm run bench:growth -- [--rows 1000000] [--agents 100000] [--principals 200] [--requests 500] [--rounds 6]
 * The role in the URL must be able to create databases and checkpoints. The card processor answers at once, from this
 * process. Filling the tables takes most of the time; a round begins a minute after the one before, because some requests
 * have a quota. The first round warms up.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDemoSession } from '../scripts/portal/session'
import { demoPerson } from '../server/surfaces/seed/demo-person'
import {
  Agent,
  clientAssertion,
  dpopProof,
  type Key,
  must,
  newWalletClient,
  operate,
  Person,
} from '../test/support/actors'
import { concurrently } from './support/concurrently'
import { withDatabases } from './support/databases'
import { fillTables, letPeoplePay, MERCHANT } from './support/full-tables'
import { type Batch, steps, type Walker, walk } from './support/line'
import { measure, median, type Prepared, type Result } from './support/load'
import { startProcessor } from './support/processor'
import { reportFigures } from './support/results'
import { type Server, startCountersign, stopServer } from './support/servers'
import { settleRequest } from './support/signed-form'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    agents: { type: 'string', default: '100000' },
    principals: { type: 'string', default: '200' },
    requests: { type: 'string', default: '500' },
    connections: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '6' },
  },
})
const [rows, agents, principals] = [Number(values.rows), Number(values.agents), Number(values.principals)]
const [requests, connections, rounds] = [Number(values.requests), Number(values.connections), Number(values.rounds)]

const PORT = 4140
const FEW = 1_000
/** The largest allowed ratio; a tenth more is within the noise. */
const GOAL = 1.1
/** The requests per minute that the person's token and the tenant may send. */
const [HISTORY_REQUESTS, RANGE_REQUESTS] = [24, 8]
const PAGE_REQUESTS = 60
const QUOTA_WINDOW_MS = 60_000
/** How many requests one server is sent before it is the other's turn. */
const TURN = 100

/** One server with its database and its callers. */
interface Side {
  readonly server: Server
  readonly walker: Walker
  readonly crowd: readonly Agent[]
  readonly auditor: { readonly clientId: string; readonly key: Key }
  readonly cookie: string
  /** The answers to the last step of the line. */
  outcomes: readonly string[]
}

/**
 * Creates people of a tenant, registers an agent for each of them and for the sandbox's person, who made half of the
 * payments, and fills the tables.
 */
async function openSide(server: Server, databaseUrl: string, size: { rows: number; agents: number }): Promise<Side> {
  const auditor = await newWalletClient(server, 'audit:read')
  const people = await concurrently(Array.from({ length: principals }), connections, async () => {
    const created = await operate(server, 'POST', '/principals', { wallet_client_id: auditor.clientId })
    return must(created, 201)['principal_id'] ?? ''
  })
  await letPeoplePay(databaseUrl)
  const [hot, ...crowd] = await concurrently([demoPerson.id, ...people], connections, (id) =>
    Agent.register(server, id),
  )
  if (hot === undefined) throw new Error('no agent')
  await fillTables(databaseUrl, { ...size, hotClientId: hot.clientId, tenantId: auditor.clientId })
  const purchase = await hot.purchase({ merchant: MERCHANT, amount_minor: 10 })
  const { name, value } = await openDemoSession(server.baseUrl)
  return {
    server,
    crowd,
    auditor,
    walker: { agent: hot, purchase, redirectStatus: 302, cookies: [], introspected: 'access_token' },
    cookie: `${name}=${value}`,
    outcomes: [],
  }
}

const repeat = (count: number, prepared: Omit<Prepared, 'method'>): Prepared[] =>
  Array.from({ length: count }, () => ({ method: 'GET', ...prepared }))

/** The measurements beside the line, by name: functions that create requests which are all answered with 200. */
const others: Readonly<Record<string, (side: Side) => Promise<Prepared[]>>> = {
  async 'settle, one principal'({ walker: { agent }, outcomes }) {
    return Promise.all(
      outcomes.map((text, index) => settleRequest(agent, JSON.parse(text), `hot-${index}-${Date.now()}`)),
    )
  },
  async 'settle, many principals'({ crowd }) {
    const turns = Array.from({ length: requests }, (_, index) => crowd[index % crowd.length] as Agent)
    for (const agent of crowd) agent.forgetNonce()
    return concurrently(turns, connections, async (agent, index) =>
      settleRequest(agent, await agent.buy({ merchant: MERCHANT, amount_minor: 10 }), `crowd-${index}-${Date.now()}`),
    )
  },
  async 'status list'() {
    return repeat(requests, { path: '/oauth/status-list/1', headers: {} })
  },
  async 'payment history'({ server }) {
    const person = await Person.signIn(server, demoPerson.id)
    const url = `${server.baseUrl}/wallet/payment-history`
    const proofs = Array.from({ length: HISTORY_REQUESTS }, () =>
      dpopProof(server, person.key, { method: 'GET', url, accessToken: person.token }),
    )
    return (await Promise.all(proofs)).map((dpop) => ({
      method: 'GET',
      path: '/wallet/payment-history',
      headers: { dpop, authorization: `DPoP ${person.token}` },
    }))
  },
  async 'audit range'({ server, auditor }) {
    const assertions = Array.from({ length: RANGE_REQUESTS }, () => clientAssertion(server, auditor))
    return (await Promise.all(assertions)).map((assertion) => ({
      method: 'GET',
      path: `/audit/${auditor.clientId}/range?client_id=${auditor.clientId}&from_seq=1&to_seq=100`,
      headers: { authorization: `PrivateKeyJwt ${assertion}` },
    }))
  },
  async 'home page'({ cookie }) {
    return repeat(PAGE_REQUESTS, { path: '/', headers: { cookie, accept: 'text/html' } })
  },
}

const names = [...steps, ...Object.keys(others)]

/** The results of the same requests to both servers, at about the same time. */
interface Pair {
  readonly few: Result
  readonly many: Result
}
type Pairs = Readonly<Record<string, Pair[]>>

type Requests = Pick<Batch, 'prepared' | 'status'>

/** Sends each side its requests, a few at a time in turns, so that noise on the machine affects both. */
async function takeInTurns(sides: readonly [Side, Side], batches: readonly [Requests, Requests]) {
  const { length } = batches[0].prepared
  // A page is measured alone; a step of the line is measured within a crowd.
  const [turn, together] = length < requests ? [1, 1] : [TURN, connections]
  const pairs: Pair[] = []
  const outcomes: [string[], string[]] = [[], []]
  const take = async (at: 0 | 1, from: number) => {
    const taken = await measure(sides[at].server, batches[at].prepared.slice(from, from + turn), {
      connections: together,
      accepts: (status) => status === batches[at].status,
    })
    outcomes[at].push(...taken.outcomes)
    return taken.result
  }
  for (let from = 0; from < length; from += turn) {
    const manyFirst = (from / turn) % 2 === 1
    const early = await take(manyFirst ? 1 : 0, from)
    const late = await take(manyFirst ? 0 : 1, from)
    pairs.push(manyFirst ? { few: late, many: early } : { few: early, many: late })
  }
  return { pairs, outcomes }
}

async function oneRound(sides: readonly [Side, Side], pairs: Pairs): Promise<void> {
  const takeOther = async (what: string) => {
    const batchOf = async (side: Side) => ({ prepared: (await others[what]?.(side)) ?? [], status: 200 })
    const taken = await takeInTurns(sides, [await batchOf(sides[0]), await batchOf(sides[1])])
    pairs[what]?.push(...taken.pairs)
  }
  const lines = [walk(sides[0].walker, requests), walk(sides[1].walker, requests)] as const
  const nextBatch = async (at: 0 | 1) => {
    const { value: batch } = await lines[at].next(sides[at].outcomes)
    if (batch === undefined) throw new Error('the line is shorter than its list of steps')
    return batch
  }
  for (const step of steps) {
    const taken = await takeInTurns(sides, [await nextBatch(0), await nextBatch(1)])
    pairs[step]?.push(...taken.pairs)
    for (const at of [0, 1] as const) sides[at].outcomes = taken.outcomes[at]
    if (step === 'token') await takeOther('settle, one principal')
  }
  for (const what of Object.keys(others).slice(1)) await takeOther(what)
}

function report(pairs: Pairs): void {
  const figures = names.map((what) => {
    const own = pairs[what] ?? []
    const timeOf = ({ perSecond }: Result) => 1_000 / perSecond
    const sum = (side: keyof Pair) => own.reduce((cpuMs, pair) => cpuMs + pair[side].cpuMs, 0)
    return {
      what,
      few: median(own.map(({ few }) => timeOf(few))),
      many: median(own.map(({ many }) => timeOf(many))),
      growth: median(own.map(({ few, many }) => timeOf(many) / timeOf(few))),
      cpu: sum('many') / sum('few'),
    }
  })
  const rounded = (ms: number) => Number(ms.toFixed(2))
  console.table(
    figures.map(({ what, few, many }) => ({ what, [`ms, ${FEW}`]: rounded(few), [`ms, ${rows}`]: rounded(many) })),
  )
  reportFigures(
    figures.map(({ what, growth, cpu }) => ({
      what: `${what}: time with ${rows} payments in that with ${FEW}`,
      figure: `${growth.toFixed(2)} (CPU ${cpu.toFixed(2)})`,
      goal: `at most ${GOAL}`,
      met: growth <= GOAL,
    })),
  )
}

const databaseUrl = process.env['DATABASE_URL']
if (databaseUrl === undefined) throw new Error('DATABASE_URL must name a PostgreSQL server')
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'countersign-bench-'))
const processor = await startProcessor()
const running: Server[] = []
try {
  await withDatabases(databaseUrl, ['growth_few', 'growth_many'], async (urls) => {
    const start = async (port: number, name: string, url: string) => {
      const server = await startCountersign({
        port,
        lane: 'direct',
        dataDir: path.join(dataDir, name),
        databaseUrl: url,
        env: processor.env,
      })
      running.push(server)
      return server
    }
    try {
      const began = performance.now()
      const few = await openSide(await start(PORT, 'few', urls.growth_few), urls.growth_few, { rows: FEW, agents: 100 })
      const many = await openSide(await start(PORT + 1, 'many', urls.growth_many), urls.growth_many, { rows, agents })
      console.log(`tables filled in ${Math.round((performance.now() - began) / 1000)} s`)
      const newPairs = (): Pairs => Object.fromEntries(names.map((what) => [what, [] as Pair[]]))
      const pairs = newPairs()
      for (let round = 0; round < rounds; round += 1) {
        if (round > 0) await delay(QUOTA_WINDOW_MS)
        await oneRound([few, many], round === 0 && rounds > 1 ? newPairs() : pairs)
      }
      report(pairs)
    } finally {
      await Promise.all(running.map(stopServer))
    }
  })
} finally {
  processor.close()
  rmSync(dataDir, { recursive: true, force: true })
}
