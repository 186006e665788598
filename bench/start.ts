/**
 * The time until a process is ready and the memory that it uses, with the portal and without it, on PostgreSQL:
 *   DATABASE_URL=postgres://… npm run bench:start -- [--starts 5] [--requests 20000]
 * The role in the URL must be able to create databases. Outside the sandbox; the database was migrated before.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { withDatabases } from './support/databases'
import { measure, median, memoryOf } from './support/load'
import { reportFigures } from './support/results'
import { startCountersign, stopServer } from './support/servers'

const { values } = parseArgs({
  options: { starts: { type: 'string', default: '5' }, requests: { type: 'string', default: '20000' } },
})
const starts = Number(values.starts)
const requests = Number(values.requests)

const PORT = 4172
const CONNECTIONS = 16
const roles = [
  { role: 'api', readyMs: 1_000, megabytes: 150 },
  { role: 'all', readyMs: 5_000, megabytes: 300 },
] as const

const newSecret = () => randomBytes(32).toString('hex')
const secrets = {
  OPERATOR_TOKEN: newSecret(),
  PROCESSOR_WEBHOOK_SECRET: newSecret(),
  RCS_CALLBACK_SECRET: newSecret(),
  KEY_ENCRYPTION_KEY: newSecret(),
}

interface Start {
  readonly readyMs: number
  readonly atRest: number
  readonly afterwards: number
}

async function startOnce(role: string, databaseUrl: string, dataDir: string): Promise<Start> {
  const began = performance.now()
  const env = { ROLE: role, SANDBOX: 'false', SHUTDOWN_GRACE_SECONDS: '0', ...secrets }
  const server = await startCountersign({ port: PORT, lane: 'direct', dataDir, databaseUrl, env })
  const readyMs = performance.now() - began
  const atRest = memoryOf(server.pid)
  const prepared = Array.from({ length: requests }, () => ({
    method: 'GET',
    path: '/oauth/status-list/1',
    headers: {},
  }))
  await measure(server, prepared, { connections: CONNECTIONS, accepts: (status) => status === 200 })
  const afterwards = memoryOf(server.pid)
  await stopServer(server)
  return { readyMs, atRest, afterwards }
}

async function figuresOf({ role, ...goals }: (typeof roles)[number], databaseUrl: string, dataDir: string) {
  await startOnce(role, databaseUrl, dataDir)
  const all: Start[] = []
  for (let index = 0; index < starts; index += 1) all.push(await startOnce(role, databaseUrl, dataDir))
  const of = (figure: keyof Start) => Math.round(median(all.map((one) => one[figure])))
  const limited = (what: string, value: number, goal: number, unit: string) => ({
    what: `ROLE=${role}: ${what}`,
    figure: `${value} ${unit}`,
    goal: `at most ${goal} ${unit}`,
    met: value <= goal,
  })
  return [
    limited('ready', of('readyMs'), goals.readyMs, 'ms'),
    limited('memory at rest', of('atRest'), goals.megabytes, 'MB'),
    limited(`memory after ${requests} requests`, of('afterwards'), goals.megabytes, 'MB'),
  ]
}

const databaseUrl = process.env['DATABASE_URL']
if (databaseUrl === undefined) throw new Error('DATABASE_URL must name a PostgreSQL server')
const directory = mkdtempSync(path.join(os.tmpdir(), 'countersign-bench-'))
try {
  const figures = await withDatabases(databaseUrl, ['start_bench'], async (urls) => {
    const api = await figuresOf(roles[0], urls.start_bench, directory)
    return [...api, ...(await figuresOf(roles[1], urls.start_bench, directory))]
  })
  reportFigures(figures)
} finally {
  rmSync(directory, { recursive: true, force: true })
}
