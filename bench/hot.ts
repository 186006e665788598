/**
 * The waits of settlements when many of them touch the same rows: 200 agents of one person beside as many people
 * with one agent each, and 200 people of one large tenant beside as many of twenty tenants:
 *   DATABASE_URL=postgres://… npm run bench:hot -- [--settlements 600] [--rounds 1] [--pool 10] [--profile <directory>]
 * The role in the URL must be able to create databases. Tokens and mandates are bought before the clock starts. The card
 * processor answers at once, from this process.
 */
import { parseArgs } from 'node:util'
import { Agent, newWalletClient } from '../test/support/actors'
import { concurrently } from './support/concurrently'
import { withClient } from './support/databases'
import { addPeople, letPeoplePay, MERCHANT } from './support/full-tables'
import { measure, median, medianOf, type Prepared, type Result, rowOf } from './support/load'
import { withPayingServer } from './support/paying-server'
import { reportFigures } from './support/results'
import type { Server } from './support/servers'
import { settleRequest } from './support/signed-form'
import { type Wait, watchWaits } from './support/waits'

const { values } = parseArgs({
  options: {
    settlements: { type: 'string', default: '600' },
    rounds: { type: 'string', default: '1' },
    pool: { type: 'string', default: '10' },
    profile: { type: 'string' },
  },
})
const [settlements, rounds] = [Number(values.settlements), Number(values.rounds)]

const PORT = 4220
const AGENTS = 200
const CONNECTIONS = [16, 64, 200] as const
/** The number of connections with which mandates are bought, which is not measured. */
const BUYING_CONNECTIONS = 16
const SHOWN_WAITS = 6

/** The payers. `people` counts those of all tenants together, and the agents are spread over them. */
interface Layout {
  readonly name: string
  readonly tenants: number
  readonly people: number
}

const onePerson: Layout = { name: `one person, ${AGENTS} agents`, tenants: 1, people: 1 }
const manyPeople: Layout = { name: `${AGENTS} people, one agent each`, tenants: 1, people: AGENTS }
const oneTenant: Layout = { name: 'one tenant, 10,000 people', tenants: 1, people: 10_000 }
const manyTenants: Layout = { name: '20 tenants, 500 people each', tenants: 20, people: 10_000 }

const layouts: readonly Layout[] = [onePerson, manyPeople, oneTenant, manyTenants]
const pairs = [
  // A person's settlements take turns, which keeps limits exact.
  { hot: onePerson, many: manyPeople, least: null },
  // A tenth less is within the noise.
  { hot: oneTenant, many: manyTenants, least: 0.9 },
]

interface Crowd {
  readonly layout: Layout
  readonly agents: readonly Agent[]
}

interface Cell {
  readonly layout: Layout
  readonly connections: number
  /** Of all answers. */
  readonly result: Result
  readonly settledPerSecond: number
  /** The answers other than 200, each as its status and body. */
  readonly refusals: readonly string[]
  readonly waits: readonly Wait[]
}

/** Creates the tenants and their people. Returns the person of each agent; the tenants take turns. */
async function addPayers(server: Server, databaseUrl: string, { tenants, people }: Layout): Promise<string[]> {
  const ofTenants = await concurrently(Array.from({ length: tenants }), BUYING_CONNECTIONS, async () => {
    const { clientId } = await newWalletClient(server)
    return addPeople(databaseUrl, clientId, people / tenants)
  })
  return Array.from({ length: AGENTS }, (_, index) => {
    const place = Math.floor((Math.floor(index / tenants) * people) / AGENTS)
    return ofTenants[index % tenants]?.[place] ?? ''
  })
}

async function openCrowds(server: Server, databaseUrl: string): Promise<Crowd[]> {
  const payers: string[][] = []
  for (const layout of layouts) payers.push(await addPayers(server, databaseUrl, layout))
  await letPeoplePay(databaseUrl)
  const crowds: Crowd[] = []
  for (const [index, layout] of layouts.entries()) {
    const register = (personId: string) => Agent.register(server, personId)
    crowds.push({ layout, agents: await concurrently(payers[index] ?? [], BUYING_CONNECTIONS, register) })
  }
  await withClient(databaseUrl, async (client) => void (await client.query('VACUUM (ANALYZE)')))
  return crowds
}

/** Buys and signs `count` settlements, with the agents in turns. */
function buySettlements({ agents }: Crowd, count: number): Promise<Prepared[]> {
  const turns = Array.from({ length: count }, (_, index) => agents[index % agents.length] as Agent)
  for (const agent of agents) agent.forgetNonce()
  return concurrently(turns, BUYING_CONNECTIONS, async (agent, index) =>
    settleRequest(agent, await agent.buy({ merchant: MERCHANT, amount_minor: 10 }), `hot-${index}-${Date.now()}`),
  )
}

async function takeCell(server: Server, databaseUrl: string, of: { crowd: Crowd; connections: number }): Promise<Cell> {
  const { crowd, connections } = of
  const prepared = await buySettlements(crowd, settlements)
  const load = { connections, accepts: () => true }
  const { outcome, waits } = await watchWaits(databaseUrl, () => measure(server, prepared, load))
  const { result, outcomes, statuses } = outcome
  const refusals = outcomes.flatMap((text, index) => (statuses[index] === 200 ? [] : [`${statuses[index]} ${text}`]))
  const settledPerSecond = result.perSecond * (1 - refusals.length / outcomes.length)
  return { layout: crowd.layout, connections, result, settledPerSecond, refusals, waits }
}

function reportCell({ layout, connections, settledPerSecond, refusals, waits }: Cell): void {
  const busy = waits.reduce((sum, { sessions }) => sum + sessions, 0)
  console.log(
    `\n${layout.name}, ${connections} connections: ${Math.round(settledPerSecond)} settlements a second; ` +
      `${busy.toFixed(1)} connections of the database busy`,
  )
  for (const refusal of new Set(refusals)) {
    console.log(`refused ${refusals.filter((one) => one === refusal).length} times with ${refusal}`)
  }
  console.table(
    waits.slice(0, SHOWN_WAITS).map(({ sessions, wait, state, query }) => ({
      sessions: Number(sessions.toFixed(2)),
      wait: wait ?? 'none',
      state,
      query,
    })),
  )
}

/** Returns the figures of one layout at a number of connections, over all rounds. */
function summaryOf(cells: readonly Cell[], layout: Layout, connections: number) {
  const own = cells.filter((cell) => cell.layout === layout && cell.connections === connections)
  return {
    result: medianOf(own.map(({ result }) => result)),
    settledPerSecond: median(own.map((cell) => cell.settledPerSecond)),
    refused: own.reduce((sum, { refusals }) => sum + refusals.length, 0),
  }
}

function reportSummaries(cells: readonly Cell[]): void {
  console.table(
    layouts.flatMap((layout) =>
      CONNECTIONS.map((connections) => {
        const { result, refused } = summaryOf(cells, layout, connections)
        const core = `${Math.round((result.perSecond * result.cpuMs) / 10)} %`
        const p50 = Number(result.p50.toFixed(1))
        return { payers: layout.name, connections, 'p50 ms': p50, ...rowOf(result), 'of a core': core, refused }
      }),
    ),
  )
  reportFigures(
    pairs.flatMap(({ hot, many, least }) =>
      CONNECTIONS.map((connections) => {
        const [one, other] = [summaryOf(cells, hot, connections), summaryOf(cells, many, connections)]
        const ratio = one.settledPerSecond / other.settledPerSecond
        const rates = [one, other].map(({ settledPerSecond }) => `${Math.round(settledPerSecond)}/s`).join(', ')
        const refused = one.refused + other.refused
        return {
          what: `settlements of ${hot.name} in those of ${many.name}, ${connections} connections`,
          figure: `${ratio.toFixed(2)} (${rates}; ${refused} refused)`,
          goal: least === null ? 'none: they take turns' : `at least ${least}, none refused`,
          met: least === null ? null : ratio >= least && refused === 0,
        }
      }),
    ),
  )
}

const options = { port: PORT, profile: values.profile, env: { DATABASE_POOL_SIZE: values.pool } }
await withPayingServer(options, async ({ server, databaseUrl }) => {
  const crowds = await openCrowds(server, databaseUrl)
  const warmUp = { connections: BUYING_CONNECTIONS, accepts: (status: number) => status === 200 }
  for (const crowd of crowds) await measure(server, await buySettlements(crowd, AGENTS), warmUp)
  const cells: Cell[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const connections of CONNECTIONS) {
      for (const crowd of crowds) {
        const cell = await takeCell(server, databaseUrl, { crowd, connections })
        reportCell(cell)
        cells.push(cell)
      }
    }
  }
  reportSummaries(cells)
  console.log(`${settlements} settlements in each of ${rounds} rounds; ${values.pool} connections to the database.`)
})
