import { LRUCache } from 'lru-cache'
import { sql } from '../core/sql'
import type { RedisClient } from './cache/redis'
import type { OpenDatabase } from './database/client'

const LOGS_KEPT = 10_000

/** A number of requests to place in a log, with the log's limit and window. */
export interface PlaceRequest {
  readonly count: number
  readonly limit: number
  readonly windowMilliseconds: number
  /** The present time in milliseconds since 1970. */
  readonly now: number
}

export interface Placed {
  readonly granted: number
  /** The time until the oldest entry leaves the log. */
  readonly milliseconds: number
}

/**
 * Places requests in a log of those that a quota allowed. Each entry stays for one window from its own time on, so that
 * no window, wherever it begins, has more than the limit. A log is never longer than the limit.
 */
export type SlidingLog = (key: string, request: PlaceRequest) => Promise<Placed>

/** Creates logs in this process. The least recently used ones are dropped beyond a number. */
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

/** Creates logs that processes share in Redis, each a list of times. A call is one script and one round trip. */
export function createRedisLog(redis: RedisClient): SlidingLog {
  return async (key, { count, limit, windowMilliseconds, now }) => {
    const values = [now, windowMilliseconds, limit, count].map(String)
    const command = ['EVAL', PLACE_IN_LIST, '1', key, ...values]
    const [granted, milliseconds] = await redis.sendCommand<[granted: number, milliseconds: number]>(command)
    return { granted, milliseconds }
  }
}

/**
 * Creates logs that processes share in the database, with one row per place, which is free once the row has expired.
 */
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
