import { createHash } from 'node:crypto'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import { coalesced } from '@/server/core/coalesce'
import type { RateLimits, SqlValue } from '@/server/core/platform'
import type { RedisClient } from './cache/redis'
import type { OpenDatabase } from './database/client'

const STORE_TIMEOUT_MILLISECONDS = 500
const TAKEN_AT_ONCE = 1_000

/** Where quotas are counted: for all processes in Redis or PostgreSQL, else in this process. */
export interface RateLimitStore {
  readonly redis?: RedisClient
  readonly db?: OpenDatabase
}

/**
 * Quotas per key and window. While the shared store does not answer, each process counts for itself: a limit is then
 * weaker by the number of processes, but never gone and never a reason to refuse.
 */
export function createRateLimits(store: RateLimitStore): RateLimits {
  const limiters = new Map<string, Limiter>()
  return {
    async take(key, limit, windowSeconds) {
      store.db?.checkUsable()
      const name = `${limit}:${windowSeconds}`
      const limiter = limiters.get(name) ?? createLimiter(store, { limit, windowSeconds, name })
      limiters.set(name, limiter)
      // Hashed, because keys hold addresses and ids of any length.
      const hashed = createHash('sha256').update(key).digest('base64url')
      return limiter(hashed)
    },
  }
}

type Outcome = Awaited<ReturnType<RateLimits['take']>>
type Limiter = (key: string) => Promise<Outcome>

interface Quota {
  readonly limit: number
  readonly windowSeconds: number
  readonly name: string
}

function createLimiter(store: RateLimitStore, quota: Quota): Limiter {
  const options = { points: quota.limit, duration: quota.windowSeconds, keyPrefix: `countersign:limit:${quota.name}` }
  const local = new RateLimiterMemory(options)
  const shared = createShared(store, options)
  if (!shared) return async (key) => grant(await consumed(local.consume(key)), quota)[0] ?? REFUSED
  const takers = new Map<string, Limiter>()
  return (key) => {
    const take = takers.get(key) ?? sharedTaker(key, { shared, local, quota, done: () => takers.delete(key) })
    takers.set(key, take)
    return take(key)
  }
}

const REFUSED: Outcome = { allowed: false, retryAfterSeconds: 1 }

interface Taking {
  readonly shared: RateLimiterAbstract
  readonly local: RateLimiterAbstract
  readonly quota: Quota
  /** Called when nobody waits any more. */
  readonly done: () => void
}

/** One caller's requests that arrive together are counted together: the store is asked once for all of them. */
function sharedTaker(key: string, { shared, local, quota, done }: Taking): Limiter {
  let asking = 0
  const take = coalesced<string, Outcome>(async (asked) => grant(await count(asked.length), quota), TAKEN_AT_ONCE)
  const count = async (points: number) => {
    try {
      return { ...(await consumed(inTime(shared.consume(key, points)))), asked: points }
    } catch {
      return { ...(await consumed(local.consume(key, points))), asked: points }
    }
  }
  return async (name) => {
    asking += 1
    try {
      return await take(name)
    } finally {
      asking -= 1
      if (asking === 0) done()
    }
  }
}

interface Counted {
  /** All that were counted in this window, those just asked for included. */
  readonly total: number
  readonly asked?: number
  readonly retryAfterSeconds: number
}

/** Who came first is allowed first; each is told by its own place in the count. */
function grant({ total, asked = 1, retryAfterSeconds }: Counted, { limit }: Quota): Outcome[] {
  return Array.from({ length: asked }, (_, index) => {
    const allowed = total - asked + index + 1 <= limit
    return { allowed, retryAfterSeconds: allowed ? 0 : retryAfterSeconds }
  })
}

function createShared(
  { redis, db }: RateLimitStore,
  options: { points: number; duration: number; keyPrefix: string },
): RateLimiterAbstract | null {
  if (redis) return new RateLimiterRedis({ ...options, storeClient: redis, useRedisPackage: true })
  if (!db) return null
  return new RateLimiterPostgres({
    ...options,
    storeClient: clientOver(db),
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
  })
}

/** The limiter's statements, run like all others. */
function clientOver(db: OpenDatabase) {
  return {
    async query({ text, values }: { text: string; values: readonly SqlValue[] }) {
      return { rows: await db.query(text, values) }
    },
  }
}

async function consumed(consuming: Promise<RateLimiterRes>): Promise<Counted> {
  const answer = await consuming.catch((refusal: unknown) => {
    // The limiter throws its answer when the quota is used up, and an error when its store failed.
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    return refusal
  })
  return {
    total: answer.consumedPoints,
    retryAfterSeconds: Math.max(1, Math.ceil(answer.msBeforeNext / 1000)),
  }
}

function inTime<T>(consumed: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new Error('The rate limit store did not answer in time.'))
    const timer = setTimeout(late, STORE_TIMEOUT_MILLISECONDS)
    consumed.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
