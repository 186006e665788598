/**
 * A server for the tools and browser tests of the portal: the built one, in the sandbox, with a data directory that is
 * removed afterwards.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { freePort } from './free-port'

const ROOT = path.resolve(import.meta.dirname, '../..')
const CLOCK = pathToFileURL(path.join(import.meta.dirname, 'clock.mjs')).href
/** The longest time that a server may take to start. */
export const READY_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 50

export interface PortalServer {
  readonly baseUrl: string
  readonly operatorToken: string
  /** The server's clock. */
  readonly clock: { now(): Date }
  /** Sets that clock; resolves when the server has it. */
  moveClock(to: Date): Promise<void>
}

interface Options {
  /** The server's time at its start; the real one by default. */
  readonly startAt?: Date
  /** The port to listen on if it is free; another one otherwise. */
  readonly port?: number
  readonly env?: Readonly<Record<string, string>>
  /** Changes the data directory that a first start has created, while no server runs. */
  readonly prepare?: (dataDir: string) => Promise<void>
}

/** Starts a server for `work`, and always stops it afterwards. */
export async function withPortalServer<T>(options: Options, work: (server: PortalServer) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'countersign-portal-'))
  const port = await freePort(options.port)
  const { startAt = new Date(), env = {}, prepare } = options
  const start = { baseUrl: `http://localhost:${port}`, port, dataDir, startAt, env }
  try {
    if (prepare !== undefined) {
      await whileRunning(start, async () => undefined)
      await prepare(dataDir)
    }
    return await whileRunning(start, (child) => work(describe(child, start)))
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

interface Started {
  readonly baseUrl: string
  readonly dataDir: string
  readonly startAt: Date
}

interface Start extends Started {
  readonly port: number
  readonly env: Readonly<Record<string, string>>
}

async function whileRunning<T>(start: Start, work: (child: ChildProcess) => Promise<T>): Promise<T> {
  const { baseUrl, port, dataDir, startAt, env } = start
  const child = spawn(process.execPath, ['--import', CLOCK, 'server.mjs'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      PORT: String(port),
      BASE_URL: baseUrl,
      DATA_DIR: dataDir,
      SANDBOX: 'true',
      LOG_LEVEL: 'error',
      CLOCK_START: startAt.toISOString(),
      ...env,
    },
  })
  try {
    await untilReady(baseUrl, child)
    return await work(child)
  } finally {
    await stop(child)
  }
}

function describe(child: ChildProcess, { baseUrl, dataDir, startAt }: Started): PortalServer {
  let offset = startAt.getTime() - Date.now()
  return {
    baseUrl,
    operatorToken: readFileSync(path.join(dataDir, 'operator-token'), 'utf8').trim(),
    clock: { now: () => new Date(Date.now() + offset) },
    moveClock: async (to) => {
      const moved = once(child, 'message')
      child.send(to.getTime())
      await moved
      offset = to.getTime() - Date.now()
    },
  }
}

async function untilReady(baseUrl: string, child: ChildProcess): Promise<void> {
  const giveUpAt = performance.now() + READY_WITHIN_MS
  const isReady = () =>
    fetch(`${baseUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (hasEnded(child) || performance.now() > giveUpAt) throw new Error(`${baseUrl} has not become ready`)
    await delay(LOOK_EVERY_MS)
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  child.kill('SIGINT')
  await once(child, 'exit')
}
