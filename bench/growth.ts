/**
 * Whether requests cost the same when tables are full: the same requests, step by step in turns, to a server with a thousand
 * payments and to one with a million, each on a PostgreSQL database of its own:
 *   DATABASE_URL=postgres://… npm run bench:growth -- [--rows 1000000] [--agents 100000] [--principals 200] [--requests 500] [--rounds 5]
 * The role in the URL must be able to create databases and checkpoints. The card processor answers at once, from this
 * process. Filling the tables takes most of the time. Needs a build.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
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
import { concurrently } from './concurrently'
import { withDatabases } from './databases'
import { fillTables, letPeoplePay, MERCHANT } from './full-tables'
import { type Batch, steps, type Walker, walk } from './line'
import { measure, medianOf, type Prepared, type Result, rowOf } from './load'
import { startProcessor } from './processor'
import { reportFigures } from './results'
import { type Server, startCountersign, stopServer } from './servers'
import { settleRequest } from './signed-form'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    agents: { type: 'string', default: '100000' },
    principals: { type: 'string', default: '200' },
    requests: { type: 'string', default: '500' },
    connections: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '5' },
  },
})
const [rows, agents, principals] = [Number(values.rows), Number(values.agents), Number(values.principals)]
const [requests, connections, rounds] = [Number(values.requests), Number(values.connections), Number(values.rounds)]

const PORT = 4140
const FEW = 1_000
/** A tenth more is within the noise. */
const GOAL = 1.1
/** What the person's token and the tenant may ask in a minute, in all rounds together. */
const [HISTORY_REQUESTS, RANGE_REQUESTS, PAGE_REQUESTS] = [24, 8, 60].map((most) => Math.floor(most / rounds)) as [
  number,
  number,
  number,
]

/** One server with its database, and who uses it. */
interface Side {
  readonly server: Server
  readonly walker: Walker
  readonly crowd: readonly Agent[]
  readonly auditor: { readonly clientId: string; readonly key: Key }
  readonly cookie: string
  /** What the last step of the line was answered with. */
  outcomes: readonly string[]
}

/** The sandbox's person, of whom half of the payments are, and people of a tenant. */
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

/** What is measured beside the line, by name: how its requests are made, all answered with 200. */
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
type Results = Readonly<Record<string, Record<'few' | 'many', Result[]>>>

function take({ server }: Side, { prepared, status: wanted }: Pick<Batch, 'prepared' | 'status'>) {
  // What a page takes is its own time; a step of the line is part of a crowd.
  const together = prepared.length < requests ? 1 : connections
  return measure(server, prepared, { connections: together, accepts: (status) => status === wanted })
}

async function oneRound(sides: readonly (readonly ['few' | 'many', Side])[], results?: Results): Promise<void> {
  const lines = new Map(sides.map(([name, side]) => [name, walk(side.walker, requests)]))
  const takeOther = async (what: string) => {
    for (const [name, side] of sides) {
      const prepared = (await others[what]?.(side)) ?? []
      results?.[what]?.[name].push((await take(side, { prepared, status: 200 })).result)
    }
  }
  for (const step of steps) {
    for (const [name, side] of sides) {
      const { value: batch } = (await lines.get(name)?.next(side.outcomes)) ?? {}
      if (batch === undefined) throw new Error('the line is shorter than its list of steps')
      const { result, outcomes } = await take(side, batch)
      side.outcomes = outcomes
      results?.[step]?.[name].push(result)
    }
    if (step === 'token') await takeOther('settle, one principal')
  }
  for (const what of Object.keys(others).slice(1)) await takeOther(what)
}

function report(results: Results): void {
  const medians = names.map((what) => {
    const { few = [], many = [] } = results[what] ?? {}
    return { what, few: medianOf(few), many: medianOf(many) }
  })
  console.table(
    medians.flatMap(({ what, few, many }) => [
      { what, payments: FEW, 'p50 ms': Number(few.p50.toFixed(2)), ...rowOf(few) },
      { what, payments: rows, 'p50 ms': Number(many.p50.toFixed(2)), ...rowOf(many) },
    ]),
  )
  reportFigures(
    medians.map(({ what, few, many }) => {
      const growth = few.perSecond / many.perSecond
      return {
        what: `${what}: time with ${rows} payments in that with ${FEW}`,
        figure: `${growth.toFixed(2)} (CPU ${(many.cpuMs / few.cpuMs).toFixed(2)})`,
        goal: `at most ${GOAL}`,
        met: growth <= GOAL,
      }
    }),
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
      const sides = [
        ['few', few],
        ['many', many],
      ] as const
      const results = Object.fromEntries(names.map((what) => [what, { few: [] as Result[], many: [] as Result[] }]))
      for (let round = 0; round < rounds; round += 1) {
        await oneRound(round % 2 === 0 ? sides : sides.toReversed(), round === 0 && rounds > 1 ? undefined : results)
      }
      report(results)
    } finally {
      await Promise.all(running.map(stopServer))
    }
  })
} finally {
  processor.close()
  rmSync(dataDir, { recursive: true, force: true })
}
