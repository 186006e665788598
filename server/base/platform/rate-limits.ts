import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import { batched } from '../core/batching'
import { inTime } from '../core/in-time'
import { outsideRequests } from '../core/outside-requests'
import type { Clock, Logger, RateLimits, SqlValue } from '../core/platform'
import { Sql } from '../core/sql'
import type { RedisClient } from './cache/redis'
import { systemClock } from './clock'
import type { OpenDatabase } from './database/client'
import { createDatabaseLog, createLocalLog, createRedisLog, type SlidingLog } from './sliding-log'

const STORE_TIMEOUT_MILLISECONDS = 500
const TAKEN_AT_ONCE = 1_000
const IN_ADVANCE_MOST = 20
const COUNTERS_KEPT = 10_000
const WARNED_EVERY_MILLISECONDS = 60_000
const PREFIX = 'countersign:limit:'

/** The place where quotas are counted: for all processes in Redis or PostgreSQL, else in this process. */
export interface RateLimitStore {
  readonly redis?: RedisClient
  readonly db?: OpenDatabase
  /** The time within which the store must answer; by default 500 ms. */
  readonly timeoutMilliseconds?: number
  readonly log?: Logger
  /** The clock of sliding quotas; by default the system's. */
  readonly clock?: Clock
}

/**
 * Creates quotas per key and window. While the shared store does not answer, each process counts for itself: the limit
 * then applies to each process, and requests are not refused because of the store.
 */
export function createRateLimits(store: RateLimitStore): RateLimits {
  const limiters = new Map<string, Limiter>()
  return {
    async take(key, limit, windowSeconds, { sliding } = { sliding: false }) {
      store.db?.checkUsable()
      const name = `${sliding ? 'sliding:' : ''}${limit}:${windowSeconds}`
      const create = sliding ? createSlidingLimiter : createLimiter
      const limiter = limiters.get(name) ?? create(store, { limit, windowSeconds, name })
      limiters.set(name, limiter)
      // Hashed, because keys hold addresses and ids of any length.
      const hashed = createHash('sha256').update(key).digest('base64url')
      return limiter(hashed)
    },
  }
}

/** Returns a function that logs a failure of the store, at most once a minute. */
function warnerOf({ log }: RateLimitStore): (error: unknown) => void {
  let quietUntil = 0
  return (error) => {
    if (Date.now() < quietUntil) return
    quietUntil = Date.now() + WARNED_EVERY_MILLISECONDS
    log?.warn('The store of the quotas failed; this process counts for itself.', {}, error)
  }
}

type Outcome = Awaited<ReturnType<RateLimits['take']>>
type Limiter = (key: string) => Promise<Outcome>

interface Quota {
  readonly limit: number
  readonly windowSeconds: number
  readonly name: string
}

const ALLOWED: Outcome = { allowed: true, retryAfterSeconds: 0 }

interface Granted {
  readonly asked: number
  readonly granted: number
  /** The time after which refused requests may be repeated. */
  readonly milliseconds: number
}

/** Returns the outcomes of requests in order: the first ones are allowed, as many as were granted. */
function outcomesOf({ asked, granted, milliseconds }: Granted): Outcome[] {
  const refused: Outcome = { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(milliseconds / 1000)) }
  return Array.from({ length: asked }, (_, index) => (index < granted ? ALLOWED : refused))
}

interface Stores<A extends unknown[], T> {
  /** The operation on the shared store; null when there is none. */
  readonly shared: ((...asked: A) => Promise<T>) | null
  readonly local: (...asked: A) => Promise<T>
}

/** Returns an operation on the shared store, or in this process when there is none or it does not answer. */
function sharedOrLocal<A extends unknown[], T>(
  store: RateLimitStore,
  { shared, local }: Stores<A, T>,
): (...asked: A) => Promise<T> {
  const warn = warnerOf(store)
  return async (...asked) => {
    if (shared === null) return local(...asked)
    try {
      return await inTime(shared(...asked), store.timeoutMilliseconds ?? STORE_TIMEOUT_MILLISECONDS)
    } catch (error) {
      warn(error)
      return local(...asked)
    }
  }
}

function createLimiter(store: RateLimitStore, quota: Quota): Limiter {
  const options = { points: quota.limit, duration: quota.windowSeconds, keyPrefix: PREFIX + quota.name }
  const local = new RateLimiterMemory(options)
  const shared = createShared(store, options)
  const count = sharedOrLocal(store, {
    shared: shared && ((key: string, points: number) => counted(shared.consume(key, points))),
    local: (key: string, points: number) => counted(outsideRequests(() => local.consume(key, points))),
  })
  // A dropped counter loses the requests that it had taken in advance; those that were counted stay counted.
  const counters = new LRUCache<string, SharedCounter>({ max: COUNTERS_KEPT })
  return (key) => {
    const known = counters.get(key)
    if (known !== undefined) return known.take()
    const fresh = new SharedCounter(quota.limit, (points) => count(key, points))
    counters.set(key, fresh)
    return fresh.take()
  }
}

/** Creates a limiter that counts the requests of one caller that arrive together at once, and none in advance. */
function createSlidingLimiter(store: RateLimitStore, { limit, windowSeconds, name }: Quota): Limiter {
  const { clock = systemClock } = store
  const place = sharedOrLocal(store, { shared: createSharedLog(store), local: createLocalLog() })
  const placeTogether = async (key: string, count: number): Promise<Outcome[]> => {
    const request = { count, limit, windowMilliseconds: windowSeconds * 1000, now: clock.now().getTime() }
    const { granted, milliseconds } = await place(`${PREFIX}${name}:${key}`, request)
    return outcomesOf({ asked: count, granted, milliseconds })
  }
  const callers = new LRUCache<string, () => Promise<Outcome>>({ max: COUNTERS_KEPT })
  return (key) => {
    const known = callers.get(key)
    if (known !== undefined) return known()
    const together = batched<undefined, Outcome>((asked) => placeTogether(key, asked.length), TAKEN_AT_ONCE)
    const take = () => together(undefined)
    callers.set(key, take)
    return take()
  }
}

function createSharedLog({ redis, db }: RateLimitStore): SlidingLog | null {
  if (redis) return createRedisLog(redis)
  return db ? createDatabaseLog(db) : null
}

/**
 * One caller's quota in this process. Requests that arrive together are counted together, and a few are taken in
 * advance while the quota is far from used up. The limit is never exceeded, and at most a hundredth of it per process
 * stays unused. Small quotas are counted one by one.
 */
class SharedCounter {
  #inAdvance = 0
  #total = 0
  #windowEnds = 0

  constructor(
    private readonly limit: number,
    private readonly count: (points: number) => Promise<QuotaCount>,
  ) {}

  async take(): Promise<Outcome> {
    return this.#drawInAdvance(1) === 1 ? ALLOWED : this.#together(undefined)
  }

  readonly #together = batched<undefined, Outcome>((asked) => this.#takeTogether(asked.length), TAKEN_AT_ONCE)

  /** Takes up to `wanted` of the requests that were taken in advance. */
  #drawInAdvance(wanted: number): number {
    if (Date.now() >= this.#windowEnds) this.#inAdvance = 0
    const drawn = Math.min(wanted, this.#inAdvance)
    this.#inAdvance -= drawn
    return drawn
  }

  async #takeTogether(asked: number): Promise<Outcome[]> {
    const drawn = this.#drawInAdvance(asked)
    if (drawn === asked) return Array.from({ length: asked }, () => ALLOWED)
    const used = Date.now() < this.#windowEnds ? this.#total : 0
    const advance = Math.max(0, Math.min(IN_ADVANCE_MOST, Math.floor((this.limit - used) / 100)))
    const points = asked - drawn + advance
    const { total, milliseconds } = await this.count(points)
    const granted = Math.max(0, Math.min(points, this.limit - (total - points)))
    const allowed = drawn + Math.min(granted, asked - drawn)
    this.#total = total
    this.#windowEnds = Date.now() + milliseconds
    this.#inAdvance += granted - (allowed - drawn)
    return outcomesOf({ asked, granted: allowed, milliseconds })
  }
}

interface QuotaCount {
  /** The requests counted in this window, including the new ones. */
  readonly total: number
  /** The time until the window ends. */
  readonly milliseconds: number
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

/** Returns a client on which the limiter's statements, which number their own parameters, run like all others. */
function clientOver(db: OpenDatabase) {
  return {
    async query({ text, values }: { text: string; values: readonly SqlValue[] }) {
      // The odd parts are numbers of parameters, which may occur in any order and more than once.
      const parts = text.split(/\$(\d+)/)
      const strings = parts.filter((_, index) => index % 2 === 0)
      const numbers = parts.filter((_, index) => index % 2 === 1).map(Number)
      return {
        rows: await db.query(
          new Sql(
            strings,
            numbers.map((number) => values[number - 1] ?? null),
          ),
        ),
      }
    },
  }
}

async function counted(consuming: Promise<RateLimiterRes>): Promise<QuotaCount> {
  const answer = await consuming.catch((refusal: unknown) => {
    // The limiter throws its result when the quota is used up, and an error when its store failed.
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    return refusal
  })
  return { total: answer.consumedPoints, milliseconds: answer.msBeforeNext }
}
