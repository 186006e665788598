import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryOf } from '../../bench/support/load'
import { createDatabase, type Member, startMember, stopMember, until } from './cluster'

const WORKERS = 3
const WITHIN_MS = 30_000
const ANSWER_WITHIN_MS = 2_000

/** Of one worker that serves the API alone: it takes some 140. */
const MEMORY_MAX_MB = 180

interface LogLine {
  readonly pid: number
  readonly message: string
  readonly worker?: number
}

/** One request over a connection of its own, so that any worker may take it; 0 when it is not answered in time. */
function ask(port: number): Promise<number> {
  return new Promise((resolve) => {
    const options = { host: 'localhost', port, path: '/oauth/jwks.json', agent: false, timeout: ANSWER_WITHIN_MS }
    const request = http.get(options, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    request.on('timeout', () => request.destroy()).on('error', () => resolve(0))
  })
}

const newSecret = () => randomBytes(32).toString('hex')

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe(`WORKERS=${WORKERS} on one port`, () => {
  let dataDir: string
  let member: Member
  const metricsToken = newSecret()
  const lines: LogLine[] = []
  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'countersign-workers-'))
    const env = {
      ROLE: 'api',
      WORKERS: String(WORKERS),
      SANDBOX: 'false',
      LOG_LEVEL: 'info',
      DATA_DIR: dataDir,
      BASE_URL: '',
      DATABASE_URL: await createDatabase(),
      REDIS_URL: process.env['TEST_REDIS_URL'] ?? '',
      OPERATOR_TOKEN: newSecret(),
      METRICS_TOKEN: metricsToken,
      PROCESSOR_WEBHOOK_SECRET: newSecret(),
      RCS_CALLBACK_SECRET: newSecret(),
      KEY_ENCRYPTION_KEY: newSecret(),
    }
    member = await startMember(env, 'pipe', 'scripts/start.mjs')
    createInterface({ input: member.process.stdout ?? process.stdin }).on('line', (line) => {
      // Before the log stands what `npm start` says for a person.
      if (line.startsWith('{')) lines.push(JSON.parse(line) as LogLine)
    })
  })
  afterAll(async () => {
    await stopMember(member)
    await rm(dataDir, { recursive: true, force: true })
  })

  /** Asks until as many workers as there should be have answered, none of them among `gone`. */
  async function workersWithout(gone: ReadonlySet<number>): Promise<Set<number>> {
    const from = lines.length
    const answering = () =>
      new Set(lines.slice(from).flatMap(({ pid, message }) => (message === 'request' && !gone.has(pid) ? [pid] : [])))
    return until(
      async () => {
        await ask(member.port)
        return answering()
      },
      ({ size }) => size === WORKERS,
      WITHIN_MS,
    )
  }

  test('each answers, and the supervisor answers nothing', async () => {
    const workers = await workersWithout(new Set())
    expect(workers).not.toContain(member.process.pid)
  })

  /** What each worker says that it has answered, by its label. */
  async function scrape(): Promise<ReadonlyMap<string, number>> {
    const headers = { authorization: `Bearer ${metricsToken}`, connection: 'close' }
    const answer = await fetch(`http://localhost:${member.port}/metrics`, { headers })
    const counts = (await answer.text()).matchAll(
      /^countersign_http_request_duration_seconds_count\{operation="readJwks",status="200",worker="(\d+)"\} (\d+)$/gm,
    )
    return new Map([...counts].map(([, worker = '', count]) => [worker, Number(count)]))
  }
  const total = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0)

  test('/metrics has the numbers of each, whichever is asked', async () => {
    await workersWithout(new Set())
    const before = await scrape()
    expect(before.size).toBe(WORKERS)
    for (let count = 0; count < 20; count += 1) await ask(member.port)
    const scrapes = await Promise.all(Array.from({ length: 6 }, scrape))
    for (const after of scrapes) expect([after.size, total(after) - total(before)]).toEqual([WORKERS, 20])
  })

  test(`each holds less than ${MEMORY_MAX_MB} MB at rest`, async () => {
    for (const pid of await workersWithout(new Set())) expect(memoryOf(pid)).toBeLessThan(MEMORY_MAX_MB)
  })

  test('one that is killed is replaced, and the log says so', async () => {
    const [victim = 0] = await workersWithout(new Set())
    process.kill(victim, 'SIGKILL')
    const workers = await workersWithout(new Set([victim]))
    expect(workers.size).toBe(WORKERS)
    expect((await scrape()).size).toBe(WORKERS)
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'a worker ended', worker: victim, signal: 'SIGKILL' }),
    )
  })

  test('SIGHUP replaces all of them while every request is answered', async () => {
    const before = await workersWithout(new Set())
    member.process.kill('SIGHUP')
    const statuses = new Map<number, number>()
    await until(
      async () => {
        for (const status of await Promise.all(Array.from({ length: 8 }, () => ask(member.port)))) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
        return [...before].filter(isAlive)
      },
      (left) => left.length === 0,
      WITHIN_MS,
    )
    expect([...statuses.keys()]).toEqual([200])
    expect((await workersWithout(before)).size).toBe(WORKERS)
  })

  test('SIGTERM ends all of them', async () => {
    const workers = await workersWithout(new Set())
    await stopMember(member)
    expect(member.process.exitCode).toBe(0)
    expect([...workers].filter(isAlive)).toEqual([])
  })
})
