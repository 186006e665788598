import type { Cache, Clock, Config, Logger, Platform } from '@/server/core/platform'
import { createNonceSource } from '@/server/protocol/dpop-nonce'
import { createMemoryCache } from './cache/memory'
import { connectRedis, createRedisCache, type RedisConnection } from './cache/redis'
import { systemClock } from './clock'
import { type Environment, readConfig } from './config'
import { type OpenDatabase, openDatabase } from './database/client'
import { migrate } from './database/migrate'
import { type OpenKeyring, openKeyring, SIGNING_KEYS_TOPIC } from './keys/keyring'
import { createSealer } from './keys/sealer'
import { createLogger } from './logger'
import { outboxMailer } from './mailer/outbox'
import { createSmtpMailer } from './mailer/smtp'
import { openProcessor } from './processor/open-processor'
import { systemRandomness } from './random'
import { createRateLimits } from './rate-limits'
import { createSwitches } from './switches'

const KEYRING_REFRESH_MILLISECONDS = 30_000
const VACUUM_MILLISECONDS = 3_600_000

/** What tests bring themselves. A database that is given stays the giver's to close. */
export interface Overrides {
  readonly config?: Config
  readonly clock?: Clock
  readonly logger?: Logger
  readonly database?: OpenDatabase
}

export interface ComposedPlatform {
  readonly platform: Platform
  /** Ends timers and connections, and unlocks the data directory. */
  close(): Promise<void>
}

type Closers = (() => void | Promise<void>)[]

/** Starts everything that a process needs, from its environment. Migrates the database. */
export async function composePlatform(env: Environment, overrides: Overrides = {}): Promise<ComposedPlatform> {
  const closers: Closers = []
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed()) await closer()
  }
  try {
    return { platform: await startAll(env, overrides, closers), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function startAll(env: Environment, overrides: Overrides, closers: Closers): Promise<Platform> {
  const config = overrides.config ?? readConfig(env)
  const log = overrides.logger ?? createLogger(config.logLevel)
  const clock = overrides.clock ?? systemClock
  const random = systemRandomness
  const [db, redis] = await Promise.all([
    startDatabase({ config, log, given: overrides.database }, closers),
    config.redisUrl === null ? null : connectRedis(config.redisUrl, log),
  ])
  const cache = startCache(redis, closers)
  const sealer = createSealer(config.secrets.keyEncryption, random)
  const keys = await startKeyring(() => openKeyring(db, sealer, clock), { cache, log }, closers)
  const switches = createSwitches({ db, cache, clock, defaults: config.switchDefaults })
  closers.push(() => switches.close())
  return {
    config,
    clock,
    random,
    log,
    db,
    cache,
    sealer,
    keys,
    switches,
    rateLimits: createRateLimits({
      ...(redis && { redis: redis.commands }),
      ...(config.databaseUrl !== null && { db }),
    }),
    mailer: config.smtpUrl === null ? outboxMailer : createSmtpMailer(config.smtpUrl, config.mailFrom),
    processor: openProcessor({ config, db, clock, random }),
    dpopNonces: createNonceSource(sealer.derive('dpop-nonce')),
  }
}

interface DatabaseParts {
  readonly config: Config
  readonly log: Logger
  readonly given: OpenDatabase | undefined
}

async function startDatabase({ config, log, given }: DatabaseParts, closers: Closers): Promise<OpenDatabase> {
  const db = given ?? (await openDatabase(config))
  if (!given) closers.push(() => db.close())
  const applied = await migrate(db)
  if (applied > 0) log.info('database migrated', { applied })
  if (db.kind === 'embedded') {
    // It has no autovacuum of its own.
    const vacuum = (): Promise<void> => db.session((session) => session.script('VACUUM (ANALYZE)'))
    closers.push(every(VACUUM_MILLISECONDS, vacuum, log))
  }
  return db
}

function startCache(redis: RedisConnection | null, closers: Closers): Cache {
  const cache = redis ? createRedisCache(redis) : createMemoryCache()
  closers.push(() => cache.close())
  return cache
}

async function startKeyring(
  open: () => Promise<OpenKeyring>,
  { cache, log }: { cache: Cache; log: Logger },
  closers: Closers,
): Promise<OpenKeyring> {
  const keys = await open()
  const refresh = (): Promise<void> => keys.refresh()
  closers.push(every(KEYRING_REFRESH_MILLISECONDS, refresh, log))
  closers.push(cache.subscribe(SIGNING_KEYS_TOPIC, () => void attempt(refresh, log)))
  return keys
}

/** Repeats a task until the returned function is called; a failure is logged and the next turn tries again. */
function every(milliseconds: number, task: () => Promise<void>, log: Logger): () => void {
  const timer = setInterval(() => void attempt(task, log), milliseconds)
  timer.unref()
  return () => clearInterval(timer)
}

async function attempt(task: () => Promise<void>, log: Logger): Promise<void> {
  try {
    await task()
  } catch (error) {
    log.warn('background task failed', {}, error)
  }
}
