import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import {
  type AddressInfo,
  connect,
  createServer as createNetServer,
  type Server as NetServer,
  type Socket,
} from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort } from '@/scripts/portal/free-port'
import type { Target } from '../support/actors'

const READY_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 50
const MEMBER_HEADER = 'x-member'

export interface Member {
  readonly port: number
  readonly process: ChildProcess
}

export interface Cluster extends Target {
  readonly members: Member[]
  readonly dataDir: string
  /** Ends one member without warning, as a crash would. */
  kill(index: number): Promise<void>
  /** Starts another member in place of a killed one. */
  restart(index: number): Promise<void>
  stop(): Promise<void>
}

interface ClusterOptions {
  readonly size: number
  /** Null runs one member on the embedded database. */
  readonly databaseUrl: string | null
  readonly env?: Readonly<Record<string, string>>
  /** What becomes of the members' log; it is thrown away unless it is piped. */
  readonly stdout?: 'ignore' | 'pipe'
}

/** Headers that send a request to one member instead of the next one. */
export function at(member: number): Record<string, string> {
  return { [MEMBER_HEADER]: String(member) }
}

/** Starts `count` pieces of work at once. */
export function many<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)))
}

/** Asks until the answer is good; fails when it is not in time. */
export async function until<T>(ask: () => Promise<T>, isGood: (answer: T) => boolean, withinMs: number): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (isGood(answer)) return answer
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${JSON.stringify(answer)}`)
    await delay(LOOK_EVERY_MS)
  }
}

/** A new database on the server of TEST_DATABASE_URL; the cluster's first member fills it. */
export async function createDatabase(): Promise<string> {
  const serverUrl = process.env['TEST_DATABASE_URL'] ?? ''
  const name = `countersign_cluster_${randomBytes(6).toString('hex')}`
  await query(serverUrl, `CREATE DATABASE ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** One statement over a connection of its own, past the servers. */
export async function query<Row>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(text, values)
    return rows as Row[]
  } finally {
    await client.end()
  }
}

/** The connection between servers and PostgreSQL, which can fail. */
export interface Cable {
  /** The database, at this end. */
  readonly databaseUrl: string
  /** Breaks every connection, and each new one at once. */
  cut(): void
  /** Drops everything without telling either side. */
  silence(): void
  mend(): void
  /** Breaks the connection that carries `text` at the answer to its COMMIT, once. */
  loseCommitOf(text: string, onLost?: () => void): void
  close(): void
}

export async function layCable(databaseUrl: string): Promise<Cable> {
  const far = new URL(databaseUrl)
  const open = new Set<Socket>()
  let state: 'whole' | 'cut' | 'silent' = 'whole'
  let doomed: string | null = null
  let noteLost: (() => void) | undefined
  const breakAll = () => {
    for (const socket of open) socket.destroy()
  }
  const server = createNetServer((near) => {
    if (state === 'cut') return near.destroy()
    const away = connect(Number(far.port), far.hostname)
    join(near, away, open)
    let isDoomed = false
    let isAnswerLost = false
    near.on('data', (chunk) => {
      isDoomed ||= doomed !== null && chunk.includes(doomed)
      isAnswerLost ||= isDoomed && chunk.includes('COMMIT')
      if (state === 'whole') away.write(chunk)
    })
    away.on('data', (chunk) => {
      if (isAnswerLost) {
        if (doomed !== null) noteLost?.()
        doomed = null
        near.destroy()
      } else if (state === 'whole') near.write(chunk)
    })
  })
  const url = new URL(databaseUrl)
  url.host = `localhost:${await listen(server)}`
  return {
    databaseUrl: url.href,
    cut: () => {
      state = 'cut'
      breakAll()
    },
    silence: () => {
      state = 'silent'
    },
    mend: () => {
      if (state === 'whole') return
      // What was sent meanwhile is gone for good.
      breakAll()
      state = 'whole'
    },
    loseCommitOf: (text, onLost) => {
      doomed = text
      noteLost = onLost
    },
    close: () => {
      server.close()
      breakAll()
    },
  }
}

/** When one end of a connection goes, the other does too. */
function join(near: Socket, away: Socket, open: Set<Socket>): void {
  open.add(near)
  near
    .on('error', () => undefined)
    .on('close', () => {
      open.delete(near)
      away.destroy()
    })
  away.on('error', () => undefined).on('close', () => near.destroy())
}

/** Built server processes on one database behind one address that hands requests out in turn, or as `at` says. */
export async function startCluster({ size, databaseUrl, env = {}, stdout }: ClusterOptions): Promise<Cluster> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'countersign-cluster-'))
  const members: Member[] = []
  const front = createServer()
  const baseUrl = `http://localhost:${await listen(front)}`
  const shared = {
    BASE_URL: baseUrl,
    DATA_DIR: dataDir,
    SANDBOX: 'true',
    LOG_LEVEL: 'error',
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl, ...redis() }),
    ...env,
  }
  // One after the other: the first makes secrets, keys and tables, as in a real first start.
  for (let index = 0; index < size; index += 1) members.push(await startMember(shared, stdout))
  handOut(front, members)
  return {
    baseUrl,
    operatorToken: (await readFile(path.join(dataDir, 'operator-token'), 'utf8')).trim(),
    members,
    dataDir,
    kill: async (index) => {
      const { process: child } = memberAt(members, index)
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
    restart: async (index) => {
      members[index] = await startMember(shared)
    },
    stop: async () => {
      front.closeAllConnections()
      front.close()
      await Promise.all(members.map((member) => stopMember(member)))
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function redis(): Record<string, string> {
  const url = process.env['TEST_REDIS_URL']
  return url === undefined || url === '' ? {} : { REDIS_URL: url }
}

function memberAt(members: readonly Member[], index: number): Member {
  const member = members[index]
  if (member === undefined) throw new Error(`no member ${index}`)
  return member
}

/** The environment of a sandbox alone on an embedded database, whatever the tests themselves run on. */
export const aloneIn = (dataDir: string) =>
  ({ SANDBOX: 'true', DATA_DIR: dataDir, BASE_URL: '', DATABASE_URL: '', REDIS_URL: '' }) as const

/** Starts one built server by the file that runs it. Its log is thrown away unless `stdout` is piped. */
export async function startMember(
  env: Readonly<Record<string, string>>,
  stdout: 'ignore' | 'pipe' = 'ignore',
  file = 'server.mjs',
): Promise<Member> {
  const port = await freePort()
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, NODE_ENV: 'production', SHUTDOWN_GRACE_SECONDS: '0', ...env, PORT: String(port) },
    stdio: ['ignore', stdout, 'inherit'],
  })
  await untilReady(port, child)
  return { port, process: child }
}

async function untilReady(port: number, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
    const ready = await fetch(`http://localhost:${port}/readyz`).then(
      (response) => response.ok,
      () => false,
    )
    if (ready) return
    await delay(LOOK_EVERY_MS)
  }
  throw new Error('the server did not become ready')
}

export async function stopMember({ process: child }: Member): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** Listens on a free port and says which. */
export async function listen(server: NetServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return (server.address() as AddressInfo).port
}

/** Requests go to the living members in turn; one that breaks off is broken off to the caller too. */
export function handOut(front: Server, members: readonly Member[]): void {
  let turn = 0
  const choose = ({ headers }: IncomingMessage): Member | undefined => {
    const wanted = headers[MEMBER_HEADER]
    if (wanted !== undefined) return members[Number(wanted)]
    const living = members.filter(({ process: child }) => child.exitCode === null && child.signalCode === null)
    return living[(turn += 1) % living.length]
  }
  front.on('request', (incoming, outgoing) => {
    const member = choose(incoming)
    if (member === undefined) return outgoing.destroy()
    const forwarded = httpRequest(
      { host: 'localhost', port: member.port, method: incoming.method, path: incoming.url, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
        answer.on('error', () => outgoing.destroy())
        answer.pipe(outgoing)
      },
    )
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
}
