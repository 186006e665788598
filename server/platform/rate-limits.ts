import { createHash } from 'node:crypto'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import type { RateLimits, SqlValue } from '@/server/core/platform'
import type { RedisClient } from './cache/redis'
import type { OpenDatabase } from './database/client'

const STORE_TIMEOUT_MILLISECONDS = 500

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

type Limiter = (key: string) => ReturnType<RateLimits['take']>

interface Quota {
  readonly limit: number
  readonly windowSeconds: number
  readonly name: string
}

function createLimiter(store: RateLimitStore, quota: Quota): Limiter {
  const options = { points: quota.limit, duration: quota.windowSeconds, keyPrefix: `countersign:limit:${quota.name}` }
  const local = new RateLimiterMemory(options)
  const shared = createShared(store, options)
  return async (key) => {
    if (!shared) return outcome(local.consume(key))
    try {
      return await outcome(inTime(shared.consume(key)))
    } catch {
      return outcome(local.consume(key))
    }
  }
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

async function outcome(consumed: Promise<unknown>): Promise<{ allowed: boolean; retryAfterSeconds: number }> {
  try {
    await consumed
    return { allowed: true, retryAfterSeconds: 0 }
  } catch (refusal) {
    // The limiter throws its answer when the quota is used up, and an error when its store failed.
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) }
  }
}

function inTime<T>(consumed: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new Error('The rate limit store did not answer in time.'))
    const timer = setTimeout(late, STORE_TIMEOUT_MILLISECONDS)
    consumed.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
