import { LRUCache } from 'lru-cache'
import { sql } from '../core/sql'
import type { RedisClient } from './cache/redis'
import type { OpenDatabase } from './database/client'

const LOGS_KEPT = 10_000

/** How many requests ask for a place in a log, and what the log has room for. */
export interface PlaceRequest {
  readonly count: number
  readonly limit: number
  readonly windowMilliseconds: number
  /** In milliseconds since 1970. */
  readonly now: number
}

export interface Placed {
  readonly granted: number
  /** Until the first of those in the log leaves it. */
  readonly milliseconds: number
}

/**
 * A log of the requests that a quota let pass: each keeps its place for the whole window from its own moment on, so that no
 * window holds more than the limit, wherever it begins. A log is never longer than the limit.
 */
export type SlidingLog = (key: string, request: PlaceRequest) => Promise<Placed>

/** Logs of this process. One that makes room for others is forgotten. */
export function createLocalLog(): SlidingLog {
  const logs = new LRUCache<string, readonly number[]>({ max: LOGS_KEPT })
  return async (key, { count, limit, windowMilliseconds, now }) => {
    const kept = (logs.get(key) ?? []).filter((at) => at > now - windowMilliseconds)
    const granted = Math.min(count, limit - kept.length)
    const log = [...kept, ...Array.from({ length: granted }, () => now)]
    logs.set(key, log)
    return { granted, milliseconds: (log[0] ?? now) + windowMilliseconds - now }
  }
}

const PLACE_IN_LIST = `
local now, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local first = redis.call('LINDEX', KEYS[1], 0)
while first and tonumber(first) <= now - window do
  redis.call('LPOP', KEYS[1])
  first = redis.call('LINDEX', KEYS[1], 0)
end
local granted = math.min(tonumber(ARGV[4]), tonumber(ARGV[3]) - redis.call('LLEN', KEYS[1]))
for _ = 1, granted do redis.call('RPUSH', KEYS[1], ARGV[1]) end
if granted > 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return {granted, tonumber(first or ARGV[1]) + window - now}`

/** Logs that processes share in Redis, each a list of moments: one script, and so one round trip, for each call. */
export function createRedisLog(redis: RedisClient): SlidingLog {
  return async (key, { count, limit, windowMilliseconds, now }) => {
    const values = [now, windowMilliseconds, limit, count].map(String)
    const command = ['EVAL', PLACE_IN_LIST, '1', key, ...values]
    const [granted, milliseconds] = await redis.sendCommand<[granted: number, milliseconds: number]>(command)
    return { granted, milliseconds }
  }
}

/** Logs that processes share in the database, each as many rows as it has places: a place is free once its row has expired. */
export function createDatabaseLog(db: OpenDatabase): SlidingLog {
  return async function place(key, request): Promise<Placed> {
    const { granted, free, milliseconds } = await placeInRows(db, key, request)
    const left = request.count - granted
    if (left === 0 || free === granted) return { granted, milliseconds }
    // Another process took a place that was free when the statement began.
    const more = await place(key, { ...request, count: left })
    return { granted: granted + more.granted, milliseconds: more.milliseconds }
  }
}

interface PlacedRow {
  readonly granted: number
  readonly free: number
  readonly milliseconds: number
}

async function placeInRows(
  db: OpenDatabase,
  key: string,
  { count, limit, windowMilliseconds, now }: PlaceRequest,
): Promise<PlacedRow> {
  const [row] = await db.query<PlacedRow>(
    sql`WITH places AS (
          SELECT place.key, r.expire FROM (SELECT ${`${key}:`}::text || n AS key FROM generate_series(1, ${limit}::int) n) place
            LEFT JOIN rate_limits r ON r.key = place.key AND r.expire > ${now}::bigint
        ), taken AS (
          INSERT INTO rate_limits (key, points, expire)
          SELECT key, 1, ${now + windowMilliseconds}::bigint FROM places WHERE expire IS NULL ORDER BY key LIMIT ${count}::int
              ON CONFLICT (key) DO UPDATE SET expire = EXCLUDED.expire WHERE rate_limits.expire <= ${now}::bigint
          RETURNING key
        )
        SELECT (SELECT count(*)::int FROM taken) AS granted, count(*) FILTER (WHERE expire IS NULL)::int AS free,
               coalesce(min(expire) - ${now}::bigint, ${windowMilliseconds}::bigint)::int AS milliseconds
          FROM places`,
  )
  return row ?? { granted: 0, free: 0, milliseconds: windowMilliseconds }
}
