import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '@/test/support/database'
import { connectRedis, type RedisConnection } from './cache/redis'
import type { OpenDatabase } from './database/client'
import { createLogger } from './logger'
import { createRateLimits, type RateLimitStore } from './rate-limits'

const silent = createLogger('silent')
const redisUrl = process.env['TEST_REDIS_URL']
let db: OpenDatabase
let redis: RedisConnection | undefined

beforeAll(async () => {
  db = await openTestDatabase()
  if (redisUrl) redis = await connectRedis(redisUrl, silent)
})
afterAll(async () => {
  redis?.commands.destroy()
  redis?.subscriptions.destroy()
  await db.close()
})

// Long, so that a store that answers late on a busy machine does not count as lost.
const timeoutMilliseconds = 30_000
const stores: [string, () => RateLimitStore][] = [
  ['memory', () => ({})],
  ['database', () => ({ db, timeoutMilliseconds })],
]
if (redisUrl) stores.push(['redis', () => (redis ? { redis: redis.commands, timeoutMilliseconds } : {})])

describe.each(stores)('rate limits in %s', (name, store) => {
  const key = `${name}/${process.pid}/${Date.now()}`

  test('the eleventh request of a quota of ten is refused with the time to wait', async () => {
    const limits = createRateLimits(store())
    const first = await Promise.all(Array.from({ length: 10 }, () => limits.take(`${key}/a`, 10, 60)))
    expect(first).toEqual(Array.from({ length: 10 }, () => ({ allowed: true, retryAfterSeconds: 0 })))
    const refused = await limits.take(`${key}/a`, 10, 60)
    expect(refused.allowed).toBe(false)
    expect(refused.retryAfterSeconds).toBeGreaterThanOrEqual(1)
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(60)
  })

  test('a large quota is given out to the last request, and never beyond, however many are taken in advance', async () => {
    const limits = createRateLimits(store())
    const taken: { allowed: boolean }[] = []
    for (let round = 0; round < 30; round += 1) {
      taken.push(
        ...(await Promise.all(Array.from({ length: 1 + (round % 40) }, () => limits.take(`${key}/l`, 400, 60)))),
      )
    }
    expect(taken).toHaveLength(465)
    expect(taken.map(({ allowed }) => allowed)).toEqual(taken.map((_, index) => index < 400))
  })

  test('keys, limits and windows are counted apart', async () => {
    const limits = createRateLimits(store())
    for (const [suffix, limit, window] of [
      ['x', 1, 60],
      ['y', 1, 60],
      ['x', 2, 60],
      ['x', 1, 30],
    ] as const) {
      expect((await limits.take(`${key}/${suffix}`, limit, window)).allowed).toBe(true)
    }
    expect((await limits.take(`${key}/x`, 1, 60)).allowed).toBe(false)
  })

  test('a sliding quota of ten lets no eleventh pass within any minute, and says when the first of them is over', async () => {
    let at = Date.now()
    const limits = createRateLimits({ ...store(), clock: { now: () => new Date(at) } })
    const take = (times: number) =>
      Promise.all(Array.from({ length: times }, () => limits.take(`${key}/sliding`, 10, 60, { sliding: true })))
    const allowed = { allowed: true, retryAfterSeconds: 0 }
    const refused = (retryAfterSeconds: number) => ({ allowed: false, retryAfterSeconds })
    expect(await take(1)).toEqual([allowed])
    at += 59_000
    expect(await take(10)).toEqual([...Array.from({ length: 9 }, () => allowed), refused(1)])
    at += 999
    expect(await take(1)).toEqual([refused(1)])
    at += 1
    expect(await take(3)).toEqual([allowed, refused(59), refused(59)])
    at += 59_000
    expect(await take(10)).toEqual([...Array.from({ length: 9 }, () => allowed), refused(1)])
    at += 60_000
    expect(await take(11)).toEqual([...Array.from({ length: 10 }, () => allowed), refused(60)])
  })

  test('a sliding quota counts keys, limits and windows apart, also from those that do not slide', async () => {
    const limits = createRateLimits(store())
    expect((await limits.take(`${key}/s`, 1, 60)).allowed).toBe(true)
    for (const [suffix, limit, window] of [
      ['s', 1, 60],
      ['t', 1, 60],
      ['s', 2, 60],
      ['s', 1, 30],
    ] as const) {
      expect((await limits.take(`${key}/${suffix}`, limit, window, { sliding: true })).allowed).toBe(true)
    }
    expect((await limits.take(`${key}/s`, 1, 60, { sliding: true })).allowed).toBe(false)
  })

  test('a key may hold anything', async () => {
    const limits = createRateLimits(store())
    expect((await limits.take(`\u0000 '"\n${'x'.repeat(10_000)}${key}`, 1, 60)).allowed).toBe(true)
  })
})

describe.each(stores.filter(([name]) => name !== 'memory'))('rate limits in %s', (name, store) => {
  test('processes count together', async () => {
    const key = `${name}/${process.pid}/${Date.now()}/shared`
    const [here, there] = [createRateLimits(store()), createRateLimits(store())]
    expect((await here.take(key, 1, 60)).allowed).toBe(true)
    expect((await there.take(key, 1, 60)).allowed).toBe(false)
  })

  test('processes that take from a sliding quota at once get exactly what it holds', async () => {
    const key = `${name}/${process.pid}/${Date.now()}/sliding`
    const at = Date.now()
    for (const seconds of [0, 60]) {
      const clock = { now: () => new Date(at + seconds * 1000) }
      const processes = Array.from({ length: 5 }, () => createRateLimits({ ...store(), clock }))
      const taken = await Promise.all(
        processes.flatMap((limits) => Array.from({ length: 7 }, () => limits.take(key, 30, 60, { sliding: true }))),
      )
      expect(taken.filter(({ allowed }) => allowed)).toHaveLength(30)
    }
  })
})

describe('without their store', () => {
  test('processes without the store count for themselves, and say so once', async () => {
    const lost = await connectRedis('redis://127.0.0.1:1', silent)
    const warned: string[] = []
    const log = { ...silent, warn: (message: string) => warned.push(message) }
    const limits = createRateLimits({ redis: lost.commands, log })
    expect((await limits.take('a', 1, 60)).allowed).toBe(true)
    expect((await limits.take('a', 1, 60)).allowed).toBe(false)
    expect(warned).toEqual(['The store of the quotas failed; this process counts for itself.'])
    expect((await limits.take('a', 1, 60, { sliding: true })).allowed).toBe(true)
    expect((await limits.take('a', 1, 60, { sliding: true })).allowed).toBe(false)
    lost.commands.destroy()
    lost.subscriptions.destroy()
  })
})
