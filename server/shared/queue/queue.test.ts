import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase } from '@/test/support/database'
import { planOf } from '@/test/support/query-plan'
import { NotYet } from '../../base/core/not-yet'
import { PermanentFailure } from '../../base/core/permanent-failure'
import type { Platform } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import { composePlatform } from '../../base/platform/compose'
import { sweepExpired } from '../../sweep'
import {
  countJobs,
  countWaitingJobs,
  enqueueJob,
  JOBS_TOPIC,
  type JobHandler,
  type NewJob,
  nudgeJobs,
  readDeadJobs,
  retryDeadJob,
  takeBackJobs,
} from '.'
import { backOffSeconds } from './back-off'
import { ATTEMPTS_MAX, LEASE_SECONDS, runDueJobs } from './run-due-jobs'
import { claimJobs } from './store'

const DAY_SECONDS = 86_400

let platform: Platform
let now = new Date('2026-11-22T10:00:00Z')
let close: () => Promise<void>

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-queue-'))
  const database = await openTestDatabase()
  const env = { DATA_DIR: dataDir, SANDBOX: 'true', LOG_LEVEL: 'silent' }
  const composed = await composePlatform(env, { clock: { now: () => now }, database })
  platform = composed.platform
  close = async () => {
    await composed.close()
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})
beforeEach(() => platform.db.query(sql`DELETE FROM jobs`))
afterAll(() => close())

function advance(seconds: number): void {
  now = new Date(now.getTime() + seconds * 1_000)
}

interface Payload {
  readonly n: number
}

let keys = 0
const enqueue = (n: number, more: Partial<NewJob> = {}) =>
  enqueueJob(platform.db, { platform, now }, { kind: 'test', key: `key-${++keys}`, payload: { n }, ...more })

/** Returns a handler that records each call and does the work. */
function recorder(work: (n: number) => Promise<void> | void = () => undefined) {
  const seen: number[] = []
  const handler: JobHandler = async (_platform, payload) => {
    const { n } = payload as Payload
    seen.push(n)
    await work(n)
  }
  return { seen, handlers: { test: handler } }
}

const jobs = () =>
  platform.db.query<{ state: string; attempts: number; last_error: string | null; run_at: Date }>(
    sql`SELECT state, attempts, last_error, run_at FROM jobs ORDER BY seq`,
  )

describe('a job', () => {
  test('a job is done once, and stays done', async () => {
    const { seen, handlers } = recorder()
    expect(await enqueue(1)).toBe(true)
    expect(await runDueJobs(platform, handlers)).toBe(1)
    advance(DAY_SECONDS)
    expect(await runDueJobs(platform, handlers)).toBe(0)
    expect(seen).toEqual([1])
    expect(await jobs()).toMatchObject([{ state: 'done', attempts: 1, last_error: null }])
  })

  test('of fifty transactions that write the same job at once, one does', async () => {
    const { seen, handlers } = recorder()
    const written = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        platform.db.transaction((tx) =>
          enqueueJob(tx, { platform, now }, { kind: 'test', key: 'the-one', payload: { n } }),
        ),
      ),
    )
    expect(written.filter(Boolean)).toHaveLength(1)
    await runDueJobs(platform, handlers)
    expect(seen).toEqual([written.indexOf(true)])
    expect(await enqueueJob(platform.db, { platform, now }, { kind: 'test', key: 'the-one', payload: { n: 51 } })).toBe(
      false,
    )
  })

  test('a job of a transaction that is rolled back is not there', async () => {
    const rolledBack = new Error('rolled back')
    const failing = platform.db.transaction(async (tx) => {
      await enqueueJob(tx, { platform, now }, { kind: 'test', key: 'never', payload: {} })
      throw rolledBack
    })
    await expect(failing).rejects.toBe(rolledBack)
    expect(await jobs()).toEqual([])
  })

  test('a job waits for its time, and for a process that knows its kind', async () => {
    const { seen, handlers } = recorder()
    await enqueue(1, { runAt: new Date(now.getTime() + 30_000) })
    await enqueue(2, { kind: 'of another version' })
    expect(await runDueJobs(platform, handlers)).toBe(0)
    advance(30)
    expect(await runDueJobs(platform, handlers)).toBe(1)
    expect(seen).toEqual([1])
    expect(await jobs()).toMatchObject([{ state: 'done' }, { state: 'queued', attempts: 0 }])
  })

  test('many jobs are done in one run, twenty at a time', async () => {
    let [atOnce, most] = [0, 0]
    const { seen, handlers } = recorder(async () => {
      most = Math.max(most, ++atOnce)
      await new Promise((resolve) => setImmediate(resolve))
      atOnce -= 1
    })
    for (let n = 0; n < 55; n += 1) await enqueue(n)
    expect(await runDueJobs(platform, handlers)).toBe(55)
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 55 }, (_, n) => n))
    expect(most).toBe(20)
  })
})

describe('a job that fails', () => {
  test('the pauses of a failing job grow from seconds to an hour, and differ', () => {
    const share = (value: number) => ({ bytes: () => Buffer.from([value, value, value, value]) })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 0, max: 255 }), (attempts, value) => {
        const longest = Math.min(5 * 2 ** (attempts - 1), 3_600)
        const pause = backOffSeconds(attempts, share(value))
        expect(pause).toBeGreaterThanOrEqual(longest / 2)
        expect(pause).toBeLessThan(longest)
      }),
    )
    expect(backOffSeconds(3, share(0))).toBe(10)
    expect(backOffSeconds(3, share(255))).toBeCloseTo(20)
  })

  test('a job that fails is tried again after its pause, and not before', async () => {
    let failures = 3
    const { seen, handlers } = recorder(() => {
      if (failures-- > 0) throw new TypeError('to ada@example.com: no')
    })
    await enqueue(1)
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await runDueJobs(platform, handlers)
      const [job] = await jobs()
      expect(job).toMatchObject({ state: 'queued', attempts: attempt, last_error: 'TypeError' })
      const pause = ((job?.run_at.getTime() ?? 0) - now.getTime()) / 1_000
      expect(pause).toBeGreaterThanOrEqual(2.5 * 2 ** (attempt - 1))
      expect(pause).toBeLessThanOrEqual(5 * 2 ** (attempt - 1))
      advance(pause - 0.01)
      expect(await runDueJobs(platform, handlers)).toBe(0)
      advance(0.02)
    }
    await runDueJobs(platform, handlers)
    expect(seen).toHaveLength(4)
    expect(await jobs()).toMatchObject([{ state: 'done', last_error: null }])
  })

  test('a job that always fails is given up in the end, stays, and is tried again when an operator says so', async () => {
    let isHealed = false
    const { seen, handlers } = recorder(() => {
      if (!isHealed) throw Object.assign(new Error('secret'), { code: 'ECONNREFUSED' })
    })
    await enqueue(1)
    for (let run = 0; run < ATTEMPTS_MAX + 5; run += 1) {
      await runDueJobs(platform, handlers)
      advance(3_601)
    }
    expect(seen).toHaveLength(ATTEMPTS_MAX)
    advance(30 * DAY_SECONDS)
    await sweepExpired(platform)
    const [dead] = await readDeadJobs(platform.db, 10)
    expect(dead).toMatchObject({ kind: 'test', attempts: ATTEMPTS_MAX, last_error: 'Error ECONNREFUSED' })
    expect(await countJobs(platform.db)).toEqual([{ kind: 'test', state: 'dead', count: 1 }])

    isHealed = true
    const id = dead?.id ?? ''
    expect(await retryDeadJob(platform.db, { id, now })).toEqual({ id, kind: 'test' })
    expect(await retryDeadJob(platform.db, { id, now })).toBeNull()
    await runDueJobs(platform, handlers)
    expect(await jobs()).toMatchObject([{ state: 'done', attempts: 1 }])
  })

  test('a job that waits for something else to end is never given up, and has all its tries afterwards', async () => {
    let isOver = false
    const { handlers } = recorder(() => {
      throw isOver ? new Error('still no') : new NotYet('not yet')
    })
    await enqueue(1)
    for (let run = 0; run < ATTEMPTS_MAX + 5; run += 1) {
      expect(await runDueJobs(platform, handlers)).toBe(1)
      expect(await jobs()).toMatchObject([{ state: 'queued', attempts: 0, last_error: 'NotYet' }])
      advance(299)
      expect(await runDueJobs(platform, handlers)).toBe(0)
      advance(1)
    }
    isOver = true
    for (let run = 1; run < ATTEMPTS_MAX; run += 1) {
      await runDueJobs(platform, handlers)
      advance(3_601)
    }
    expect(await jobs()).toMatchObject([{ state: 'queued', attempts: ATTEMPTS_MAX - 1, last_error: 'Error' }])
    await runDueJobs(platform, handlers)
    expect(await jobs()).toMatchObject([{ state: 'dead' }])
  })

  test('a job that fails in a way that nothing can cure is given up at once', async () => {
    const { seen, handlers } = recorder(() => {
      throw new PermanentFailure('no such number')
    })
    await enqueue(1)
    await runDueJobs(platform, handlers)
    expect(await jobs()).toMatchObject([{ state: 'dead', attempts: 1, last_error: 'PermanentFailure' }])
    expect(seen).toEqual([1])
  })

  test('a job that fails keeps no other from being done', async () => {
    const { seen, handlers } = recorder((n) => {
      if (n % 2 === 0) throw new Error('even')
    })
    for (let n = 0; n < 50; n += 1) await enqueue(n)
    await runDueJobs(platform, handlers)
    expect(seen).toHaveLength(50)
    expect((await jobs()).filter(({ state }) => state === 'done')).toHaveLength(25)
  })
})

describe('a job that hangs', () => {
  const forever = () => new Promise<void>(() => undefined)

  test('a job that hangs is left, and begun again only once its lease would have run out', async () => {
    const { seen, handlers } = recorder((n) => (n === 1 ? forever() : undefined))
    await enqueue(1)
    await enqueue(2)
    await runDueJobs(platform, handlers, { timeoutMilliseconds: 20 })
    expect(await jobs()).toMatchObject([{ state: 'queued', last_error: 'JobTimeout' }, { state: 'done' }])
    advance(LEASE_SECONDS - 1)
    expect(await runDueJobs(platform, handlers)).toBe(0)
    advance(1)
    expect(await runDueJobs(platform, handlers, { timeoutMilliseconds: 20 })).toBe(1)
    expect(seen).toEqual([1, 2, 1])
  })

  test('a job that hangs does not hold up what is written meanwhile', async () => {
    let release = (): void => undefined
    const { seen, handlers } = recorder(async (n) => {
      if (n === 2) return release()
      await enqueue(2)
      await new Promise<void>((resolve) => {
        release = resolve
      })
    })
    await enqueue(1)
    expect(await runDueJobs(platform, handlers)).toBe(2)
    expect(seen).toEqual([1, 2])
    expect(await jobs()).toMatchObject([{ state: 'done' }, { state: 'done' }])
  })
})

describe('a process that dies', () => {
  /** Claims a job and never finishes it; its clock may be ahead of all others. */
  const claimAndDie = (aheadSeconds = 0) =>
    claimJobs(platform.db, {
      kinds: ['test'],
      now,
      leaseUntil: new Date(now.getTime() + (aheadSeconds + LEASE_SECONDS) * 1_000),
      latestLease: new Date(now.getTime() + 300_000),
      most: 20,
    })

  test('a process that dies with a clock an hour ahead leaves its jobs to another at once', async () => {
    const { seen, handlers } = recorder()
    await enqueue(1)
    expect(await claimAndDie(3_600)).toHaveLength(1)
    expect(await runDueJobs(platform, handlers)).toBe(1)
    expect(seen).toEqual([1])
  })

  test('a process that dies leaves its jobs to another, once their leases have run out', async () => {
    const { seen, handlers } = recorder()
    await enqueue(1)
    await enqueue(2)
    expect(await claimAndDie()).toHaveLength(2)
    advance(LEASE_SECONDS - 1)
    expect(await runDueJobs(platform, handlers)).toBe(0)
    advance(1)
    expect(await runDueJobs(platform, handlers)).toBe(2)
    expect(new Set(seen)).toEqual(new Set([1, 2]))
    expect(await jobs()).toMatchObject([{ state: 'done', attempts: 2 }, { state: 'done' }])
  })

  test('a process that dies leaves its jobs to the next one at once, where the database is embedded', async () => {
    const { seen, handlers } = recorder()
    const withDatabase = (databaseUrl: string | null) => ({ ...platform, config: { ...platform.config, databaseUrl } })
    await enqueue(1)
    expect(await claimAndDie()).toHaveLength(1)
    await takeBackJobs(withDatabase('postgres://db.example/wallet'))
    expect(await runDueJobs(platform, handlers)).toBe(0)
    await takeBackJobs(withDatabase(null))
    expect(await runDueJobs(platform, handlers)).toBe(1)
    expect(seen).toEqual([1])
    expect(await jobs()).toMatchObject([{ state: 'done', attempts: 2 }])
  })

  test('a process whose clock is two minutes ahead begins no job that another may still be doing', async () => {
    await enqueue(1)
    expect(await claimAndDie()).toHaveLength(1)
    const JOB_SECONDS = 20
    advance(JOB_SECONDS + 2 * 60)
    expect(await claimAndDie()).toEqual([])
  })

  test('a job that kills its process each time is given up', async () => {
    const { seen, handlers } = recorder()
    await enqueue(1)
    for (let death = 0; death < ATTEMPTS_MAX; death += 1) {
      expect(await claimAndDie()).toHaveLength(1)
      advance(LEASE_SECONDS)
    }
    await runDueJobs(platform, handlers)
    expect(seen).toEqual([])
    expect(await jobs()).toMatchObject([{ state: 'dead', last_error: 'AbandonedJob' }])
  })

  test('the failure of a process that was only slow does not touch the job that another has taken', async () => {
    const { handlers } = recorder(async () => {
      advance(LEASE_SECONDS)
      expect(await claimAndDie()).toHaveLength(1)
      throw new Error('too late')
    })
    await enqueue(1)
    await runDueJobs(platform, handlers)
    expect(await jobs()).toMatchObject([{ state: 'queued', attempts: 2, last_error: null }])
    expect(await claimAndDie()).toEqual([])
  })

  test('the work of a process that was only slow counts', async () => {
    const { handlers } = recorder(async () => {
      advance(LEASE_SECONDS)
      expect(await claimAndDie()).toHaveLength(1)
    })
    await enqueue(1)
    await runDueJobs(platform, handlers)
    expect(await jobs()).toMatchObject([{ state: 'done' }])
  })
})

describe('jobs of one aggregate', () => {
  test('jobs of one aggregate are done in their order, one at a time, whatever fails between', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ about: fc.constantFrom('a', 'b', undefined), failures: fc.nat({ max: 2 }) }), {
          minLength: 1,
          maxLength: 8,
        }),
        async (plan) => {
          await platform.db.query(sql`DELETE FROM jobs`)
          const left = plan.map(({ failures }) => failures)
          const busy = new Set<string>()
          const done: number[] = []
          const { handlers } = recorder(async (n) => {
            const about = plan[n]?.about
            if (about !== undefined) expect(busy.has(about)).toBe(false)
            if (about !== undefined) busy.add(about)
            await new Promise((resolve) => setImmediate(resolve))
            if (about !== undefined) busy.delete(about)
            const failures = left[n] ?? 0
            left[n] = failures - 1
            if (failures > 0) throw new Error('not yet')
            done.push(n)
          })
          for (const [n, { about }] of plan.entries()) await enqueue(n, about === undefined ? {} : { aggregate: about })
          while (done.length < plan.length) {
            await runDueJobs(platform, handlers)
            advance(60)
          }
          for (const about of ['a', 'b']) {
            const order = done.filter((n) => plan[n]?.about === about)
            expect(order).toEqual(order.toSorted((one, other) => one - other))
          }
          expect(done.toSorted((one, other) => one - other)).toEqual([...plan.keys()])
        },
      ),
      { numRuns: 15 },
    )
  })

  test('a chain of jobs of one aggregate needs one run', async () => {
    const { seen, handlers } = recorder()
    for (let n = 0; n < 5; n += 1) await enqueue(n, { aggregate: 'chain' })
    expect(await runDueJobs(platform, handlers)).toBe(5)
    expect(seen).toEqual([0, 1, 2, 3, 4])
  })

  test('a job that was given up lets the next one of its aggregate pass', async () => {
    const { seen, handlers } = recorder((n) => {
      if (n === 0) throw new PermanentFailure('never')
    })
    await enqueue(0, { aggregate: 'x' })
    await enqueue(1, { aggregate: 'x' })
    await runDueJobs(platform, handlers)
    expect(seen).toEqual([0, 1])
  })
})

describe('several runners', () => {
  test('several runners do each job once', async () => {
    const { seen, handlers } = recorder(() => new Promise((resolve) => setImmediate(resolve)))
    for (let n = 0; n < 100; n += 1) await enqueue(n, n % 3 === 0 ? { aggregate: `a${n % 2}` } : {})
    const taken = await Promise.all(Array.from({ length: 4 }, () => runDueJobs(platform, handlers)))
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(100)
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n))
  })

  test('a runner that is told to stop ends what it has begun and takes nothing more', async () => {
    const stopping = new AbortController()
    const { seen, handlers } = recorder(() => stopping.abort())
    for (let n = 0; n < 30; n += 1) await enqueue(n)
    expect(await runDueJobs(platform, handlers, { signal: stopping.signal })).toBe(20)
    expect(seen).toHaveLength(20)
    expect((await jobs()).filter(({ state }) => state === 'done')).toHaveLength(20)
  })

  test('several runners hear of new jobs', async () => {
    const heard = new Promise<void>((resolve) => {
      const unsubscribe = platform.cache.subscribe(JOBS_TOPIC, () => {
        unsubscribe()
        resolve()
      })
    })
    nudgeJobs(platform)
    await heard
  })
})

test('a job that was done is forgotten after a week, one that waits or was given up is not', async () => {
  const { handlers } = recorder((n) => {
    if (n === 2) throw new PermanentFailure('no')
  })
  await enqueue(1)
  await enqueue(2)
  await runDueJobs(platform, handlers)
  await enqueue(3)
  advance(7 * DAY_SECONDS - 1)
  await sweepExpired(platform)
  expect(await jobs()).toHaveLength(3)
  advance(2)
  await sweepExpired(platform)
  expect((await jobs()).map(({ state }) => state)).toEqual(['dead', 'queued'])
})

describe('jobs that wait', () => {
  test('jobs that wait are counted by kind and state, with the time since the oldest became due', async () => {
    const { handlers } = recorder((n) => {
      if (n === 2) throw new PermanentFailure('no')
    })
    expect(await countWaitingJobs(platform.db, now)).toEqual([])
    await enqueue(1)
    await enqueue(2)
    await runDueJobs(platform, handlers)
    await enqueue(3, { runAt: new Date(now.getTime() + 90_000) })
    await enqueue(4, { kind: 'mail' })
    await enqueue(5, { kind: 'mail', runAt: new Date(now.getTime() + 30_000) })
    const [dead, later] = [
      { kind: 'test', state: 'dead', count: 1, oldest_due_seconds: 0 },
      { kind: 'test', state: 'queued', count: 1, oldest_due_seconds: 0 },
    ]
    advance(60)
    expect(await countWaitingJobs(platform.db, now)).toEqual([
      { kind: 'mail', state: 'queued', count: 2, oldest_due_seconds: 60 },
      dead,
      later,
    ])
    advance(60.5)
    expect(await countWaitingJobs(platform.db, now)).toEqual([
      { kind: 'mail', state: 'queued', count: 2, oldest_due_seconds: 120.5 },
      dead,
      { ...later, oldest_due_seconds: 30.5 },
    ])
  })

  test('jobs that wait are counted from the indexes of their states, however many were done', async () => {
    const { db } = platform
    await enqueue(1)
    await db.query(
      sql`INSERT INTO jobs (id, kind, key, payload, state, run_at, created_at, finished_at)
          SELECT n::text, 'test', n::text, '{}', 'done', ${now}, ${now}, ${now} FROM generate_series(1, 10000) n`,
    )
    await db.query(sql`VACUUM (ANALYZE) jobs`)
    const plan = await planOf(db, (explaining) => countWaitingJobs(explaining, now))
    expect(plan).toContain('jobs_due')
    expect(plan).toContain('jobs_dead')
    expect(plan).not.toContain('Seq Scan')
  })
})
