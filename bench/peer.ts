/**
 * Countersign beside node-oidc-provider on one PostgreSQL server, in one run:
 *   DATABASE_URL=postgres://… npx tsx bench/peer.ts [--requests 1000] [--connections 16] [--rounds 3]
 * The role in the URL must be able to create databases. Everything is signed before the clock starts; the servers take
 * turns step by step, so that noise hits both, after a round of a fifth of the requests that does not count.
 * With `--peer-node <file>` the peer runs on that Node.js. With `--cpu-prof <directory>` both write a CPU profile there
 * when they end, for Chrome's developer tools.
 */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Pool } from 'pg'
import { Agent, newKey, newPrincipal, REDIRECT_URI } from '../test/support/actors'
import { PEER_SCHEMA, PostgresAdapter } from './peer/adapter'
import { withDatabases } from './support/databases'
import { type Batch, type Step, steps, type Walker, walk } from './support/line'
import { measure, medianOf, type Result, rowOf } from './support/load'
import { type Figure, reportFigures } from './support/results'
import { type Server, startCountersign, startPeer, stopServer } from './support/servers'

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '3' },
    'peer-node': { type: 'string' },
    'cpu-prof': { type: 'string' },
  },
})
const requests = Number(options.requests)
const connections = Number(options.connections)
const rounds = Number(options.rounds)
const profile = options['cpu-prof']
const peerNode = options['peer-node']
const peersNode =
  peerNode === undefined ? process.version : execFileSync(peerNode, ['--version'], { encoding: 'utf8' }).trim()

const MERCHANT = 'https://shop.example'
/** The goal for each step, as a ratio. */
const GOAL = 3
const SESSION_SECONDS = 3_600
const COUNTERSIGN_PORT = 4180
const PEER_PORT = 4181

/** A server, and the function that creates a walker for one round. */
interface Contestant {
  readonly name: string
  readonly server: Server
  newWalker(count: number): Promise<Walker>
}

async function openCountersign(databaseUrl: string, dataDir: string): Promise<Contestant> {
  const server = await startCountersign({ port: COUNTERSIGN_PORT, lane: 'direct', dataDir, databaseUrl, profile })
  return {
    name: 'Countersign',
    server,
    async newWalker() {
      const { principalId } = await newPrincipal(server, { approval_rule: 'above_limits' })
      const agent = await Agent.register(server, principalId)
      const purchase = await agent.purchase({ merchant: MERCHANT, amount_minor: 10 })
      return { agent, purchase, redirectStatus: 302, cookies: [], introspected: 'access_token' }
    },
  }
}

async function openPeer(databaseUrl: string, pool: Pool): Promise<Contestant> {
  await pool.query(PEER_SCHEMA)
  const [key, dpopKey] = await Promise.all([newKey(), newKey()])
  const client = {
    client_id: randomUUID(),
    application_type: 'native',
    redirect_uris: [REDIRECT_URI],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'EdDSA',
    dpop_bound_access_tokens: true,
    authorization_details_types: ['oid4ac_mandate'],
    jwks: { keys: [{ ...key.jwk, alg: 'EdDSA', use: 'sig' }] },
  }
  const server = await startPeer({ port: PEER_PORT, databaseUrl, clients: [client], node: peerNode, profile })
  return {
    name: 'node-oidc-provider',
    server,
    async newWalker(count) {
      const agent = new Agent(server, client.client_id, key, dpopKey, '')
      const { form, verifier } = await agent.purchase({ merchant: MERCHANT, amount_minor: 10 })
      const purchase = { form: { ...form, resource: MERCHANT, scope: 'oid4ac:payment payment:execute' }, verifier }
      const cookies = await signInPeople(pool, count)
      return { agent, purchase, redirectStatus: 303, cookies, introspected: 'refresh_token' }
    },
  }
}

/**
 * Inserts a session for each of the peer's people, as if they had signed in before. Returns the cookies that name them.
 */
async function signInPeople(pool: Pool, count: number): Promise<string[]> {
  const sessions = new PostgresAdapter(pool, 'Session')
  const now = Math.floor(Date.now() / 1000)
  const people = Array.from({ length: count }, () => ({
    jti: randomUUID(),
    uid: randomUUID(),
    accountId: randomUUID(),
  }))
  const times = { iat: now, loginTs: now, exp: now + SESSION_SECONDS }
  await Promise.all(
    people.map((person) => sessions.upsert(person.jti, { kind: 'Session', ...person, ...times }, SESSION_SECONDS)),
  )
  return people.map(({ jti }) => `_session=${jti}`)
}

type Results = Record<string, Record<Step, Result[]>>

/** Runs one round: both servers complete each step of the line before the next step begins. */
async function oneRound(contestants: readonly Contestant[], count: number, results?: Results): Promise<void> {
  const walks = await Promise.all(
    contestants.map(async (contestant) => ({
      contestant,
      batches: walk(await contestant.newWalker(count), count),
      outcomes: [] as readonly string[],
    })),
  )
  for (const _ of steps) {
    for (const one of walks) {
      const { value: batch } = await one.batches.next(one.outcomes)
      if (batch === undefined) throw new Error('the line is shorter than its list of steps')
      const { result, outcomes } = await take(one.contestant.server, batch)
      one.outcomes = outcomes
      results?.[one.contestant.name]?.[batch.step].push(result)
    }
  }
}

const take = (server: Server, { prepared, status: wanted }: Batch) =>
  measure(server, prepared, { connections, accepts: (status) => status === wanted })

async function compete(contestants: readonly Contestant[]): Promise<Results> {
  const noResults = () => Object.fromEntries(steps.map((step) => [step, [] as Result[]])) as Record<Step, Result[]>
  const results = Object.fromEntries(contestants.map(({ name }) => [name, noResults()]))
  await oneRound(contestants, Math.ceil(requests / 5))
  for (let round = 0; round < rounds; round += 1) {
    await oneRound(round % 2 === 0 ? contestants : contestants.toReversed(), requests, results)
  }
  return results
}

/** Returns how many times as good the first result is: more requests, less time. */
function ratioOf(ours: Result, theirs: Result) {
  const times = (ratio: number) => `${ratio.toFixed(1)} x`
  return {
    'requests/s': times(ours.perSecond / theirs.perSecond),
    'p95 ms': times(theirs.p95 / ours.p95),
    'p99 ms': times(theirs.p99 / ours.p99),
    'CPU ms/request': times(theirs.cpuMs / ours.cpuMs),
  }
}

function report(results: Results): void {
  const rows = steps.flatMap((step) => {
    const figures = Object.entries(results).map(([name, one]) => ({ name, result: medianOf(one[step]) }))
    const [ours, theirs] = figures
    if (ours === undefined || theirs === undefined) return []
    return [
      ...figures.map(({ name, result }) => ({ step, server: name, ...rowOf(result) })),
      { step, server: 'ratio', ...ratioOf(ours.result, theirs.result) },
    ]
  })
  console.table(rows)
  console.log(notes)
  reportFigures(steps.flatMap((step) => figuresOf(results, step)))
}

/** Returns how many times as much CPU the peer spends, and how many times as many requests Countersign answers. */
function figuresOf(results: Results, step: Step): Figure[] {
  const [ours, theirs] = Object.values(results).map((one) => medianOf(one[step]))
  if (ours === undefined || theirs === undefined) return []
  const ratios = { 'CPU of the peer in ours': theirs.cpuMs / ours.cpuMs, throughput: ours.perSecond / theirs.perSecond }
  return Object.entries(ratios).map(([name, ratio]) => ({
    what: `${step}: ${name}, the peer on Node.js ${peersNode}`,
    figure: `${ratio.toFixed(1)} x`,
    goal: `at least ${GOAL} x`,
    met: ratio >= GOAL,
  }))
}

const notes = `Medians of ${rounds} rounds with ${requests} requests per step over ${connections} connections; CPU is that of the server's process.
What differs, mostly in the peer's favour:
- par: Countersign also evaluates the purchase (rules, card, limits). The peer stores the request as it came.
- authorize: the peer looks up and saves a session and writes a grant, as it must; Countersign decided at par.
- token: Countersign also signs and stores a mandate. Its access token is for two resources, the peer's for one.
- introspect: Countersign a JWT access token; the peer, which refuses these, a refresh token.
- revoke: Countersign also revokes the mandate and writes an entry of its audit chain.
- The peer's clients are configured and need no look-up; its refresh tokens are not bound to a key.`

const databaseUrl = process.env['DATABASE_URL']
if (databaseUrl === undefined) throw new Error('DATABASE_URL must name a PostgreSQL server')
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'countersign-bench-'))
try {
  await withDatabases(databaseUrl, ['countersign_bench', 'peer_bench'], async (urls) => {
    const pool = new Pool({ connectionString: urls.peer_bench })
    // Dropping the database may end a connection that is still being closed.
    pool.on('error', () => undefined)
    const contestants: Contestant[] = []
    try {
      contestants.push(await openCountersign(urls.countersign_bench, dataDir))
      contestants.push(await openPeer(urls.peer_bench, pool))
      report(await compete(contestants))
    } finally {
      await Promise.all(contestants.map(({ server }) => stopServer(server)))
      await pool.end()
    }
  })
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
