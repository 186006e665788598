import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Target } from '../actors'

const READY_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 50

export interface Member {
  readonly port: number
  readonly process: ChildProcess
}

export interface Cluster extends Target {
  readonly members: Member[]
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
}

/** Built server processes on one database behind one address that hands requests out in turn. */
export async function startCluster({ size, databaseUrl, env = {} }: ClusterOptions): Promise<Cluster> {
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
  for (let index = 0; index < size; index += 1) members.push(await startMember(shared))
  handOut(front, members)
  return {
    baseUrl,
    operatorToken: (await readFile(path.join(dataDir, 'operator-token'), 'utf8')).trim(),
    members,
    kill: async (index) => {
      const { process: child } = at(members, index)
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

function at(members: readonly Member[], index: number): Member {
  const member = members[index]
  if (member === undefined) throw new Error(`no member ${index}`)
  return member
}

async function startMember(env: Readonly<Record<string, string>>): Promise<Member> {
  const port = await freePort()
  const child = spawn(process.execPath, ['server.mjs'], {
    env: { ...process.env, NODE_ENV: 'production', ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
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

async function stopMember({ process: child }: Member): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return (server.address() as AddressInfo).port
}

async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Requests go to the living members in turn; one that breaks off is broken off to the caller too. */
function handOut(front: Server, members: readonly Member[]): void {
  let turn = 0
  front.on('request', (incoming, outgoing) => {
    const living = members.filter(({ process: child }) => child.exitCode === null && child.signalCode === null)
    const member = living[(turn += 1) % living.length]
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
