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

// A busy machine must not make a store that answers late look like one that is lost.
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

  test('a large quota is given out to the last, and never more, whatever is taken in advance', async () => {
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
    lost.commands.destroy()
    lost.subscriptions.destroy()
  })
})
