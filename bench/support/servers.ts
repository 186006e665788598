/** Servers under test, each in a process of its own. What has changed since the last build is built first. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { build, outdatedSteps } from '../../scripts/start/build.mjs'
import type { Target } from '../../test/support/actors'
import type { LoadTarget } from './load'

// Before any bench creates a database or starts a clock.
await build(outdatedSteps())

export interface Server extends Target, LoadTarget {
  readonly child: ChildProcess
}

interface Start {
  readonly port: number
  /** The Node.js to run it with; this one by default. */
  readonly node?: string | undefined
  /** The arguments of Node, its own options first. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** A path that answers 200 once the server is ready. */
  readonly readyPath: string
}

const LOOK_EVERY_MS = 50
const READY_WITHIN_MS = 60_000

export const baseUrlOf = (port: number) => `http://localhost:${port}`

/** Returns the options with which Node writes a CPU profile into a directory when the process ends. */
function profiling(directory: string | undefined): string[] {
  return directory === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${path.resolve(directory)}`]
}

async function startServer({
  port,
  node = process.execPath,
  args,
  env,
  readyPath,
}: Start): Promise<Omit<Server, 'operatorToken'>> {
  const child = spawn(node, args, {
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const isReady = () =>
    fetch(baseUrlOf(port) + readyPath).then(
      (answer) => answer.ok,
      () => false,
    )
  const giveUpAt = performance.now() + READY_WITHIN_MS
  while (!(await isReady())) {
    if (hasEnded(child) || performance.now() > giveUpAt) {
      child.kill()
      throw new Error(`${args.join(' ')} on port ${port} has not become ready`)
    }
    await delay(LOOK_EVERY_MS)
  }
  return { baseUrl: baseUrlOf(port), pid: child.pid ?? 0, child }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

export async function stopServer({ child }: Pick<Server, 'child'>): Promise<void> {
  if (hasEnded(child)) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

interface CountersignOptions {
  readonly port: number
  readonly lane: 'direct' | 'next'
  readonly dataDir: string
  readonly databaseUrl?: string
  readonly profile?: string | undefined
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Starts the built server, in production mode and, unless the environment says otherwise, with the sandbox and its
 * people.
 */
export async function startCountersign(options: CountersignOptions): Promise<Server> {
  const { port, lane, dataDir, databaseUrl, profile, env } = options
  const server = await startServer({
    port,
    args: [...profiling(profile), 'server.mjs'],
    env: {
      BASE_URL: baseUrlOf(port),
      DATA_DIR: dataDir,
      SANDBOX: 'true',
      LOG_LEVEL: 'error',
      // Requests are counted as usual, but this quota is never reached.
      REQUESTS_PER_MINUTE: '1000000',
      LANE: lane,
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      ...env,
    },
    readyPath: '/readyz',
  })
  const operatorToken = env?.['OPERATOR_TOKEN'] ?? readFileSync(path.join(dataDir, 'operator-token'), 'utf8').trim()
  return { ...server, operatorToken }
}

interface PeerOptions {
  readonly port: number
  readonly databaseUrl: string
  /** The metadata of its clients, which it keeps in memory. */
  readonly clients: readonly object[]
  /** The Node.js to run it with; this one by default. */
  readonly node?: string | undefined
  readonly profile?: string | undefined
}

export async function startPeer({ port, databaseUrl, clients, node, profile }: PeerOptions): Promise<Server> {
  const server = await startServer({
    port,
    node,
    args: [...profiling(profile), '--import', 'tsx', path.join('bench', 'peer-server.ts')],
    env: { DATABASE_URL: databaseUrl, PEER_CLIENTS: JSON.stringify(clients) },
    readyPath: '/.well-known/openid-configuration',
  })
  return { ...server, operatorToken: '' }
}

interface FloorOptions {
  readonly port: number
  readonly databaseUrl: string
  readonly processorUrl: string
}

/** Starts the server of bench/floor-server.ts. */
export async function startFloor({ port, databaseUrl, processorUrl }: FloorOptions): Promise<Server> {
  const server = await startServer({
    port,
    args: ['--import', 'tsx', path.join('bench', 'floor-server.ts')],
    env: { DATABASE_URL: databaseUrl, PROCESSOR_URL: processorUrl },
    readyPath: '/status-list',
  })
  return { ...server, operatorToken: '' }
}
