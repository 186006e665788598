import type { Cache, Clock, Config, Keyring, Logger, Platform, Shutdown } from '../core/platform'
import { sql } from '../core/sql'
import { createNonceSource } from '../protocol/dpop-nonce'
import { ENTITY_CONFIGURATION_TTL_SECONDS } from '../protocol/lifetimes'
import { createMemoryCache } from './cache/memory'
import { connectRedis, createRedisCache, type RedisConnection } from './cache/redis'
import { createClock, systemClock } from './clock'
import { type Environment, readConfig } from './config'
import { awaitDatabase, readClockDifference } from './database/await-database'
import { type OpenDatabase, openDatabase } from './database/client'
import { explainDatabaseError } from './database/explain'
import { migrate } from './database/migrate'
import { hasSigningKeys, openKeyring, SIGNING_KEYS_TOPIC } from './keys/keyring'
import { preferNativeEd25519 } from './keys/native-ed25519'
import { createSealer } from './keys/sealer'
import { createLogger } from './logger'
import { openMailer } from './mailer/by-channel'
import { createOutbound } from './outbound'
import { openProcessor } from './processor/open-processor'
import { systemRandomness } from './random'
import { createRateLimits } from './rate-limits'
import { createSwitches } from './switches'
import { createTelemetry } from './telemetry/create-telemetry'
import { observeOutbound, observeProcessor } from './telemetry/observe'
import { openTraces } from './telemetry/traces'

/** The longest that a process takes to notice that another one has rotated or blocked a key. */
const KEYRING_REFRESH_MILLISECONDS = 1_000
const VACUUM_MILLISECONDS = 3_600_000

/** Parts that a test supplies in place of the usual ones. The caller closes a database that it supplies. */
export interface Overrides {
  readonly config?: Config
  readonly clock?: Clock
  readonly logger?: Logger
  readonly database?: OpenDatabase
}

/** Facts about a start, for the banner. */
export interface StartFacts {
  readonly database: OpenDatabase['kind']
  readonly databaseVersion: string
  readonly migrationsApplied: number
  /** Whether there were no signing keys in the database before. */
  readonly isFirstRun: boolean
  readonly cache: 'memory' | 'redis'
  readonly mail: 'outbox' | 'smtp'
  /** What the operator should mend, although the server runs without it. */
  readonly warnings: readonly string[]
  readonly signingKid: string
  readonly milliseconds: number
}

export interface ComposedPlatform {
  readonly platform: Platform
  readonly facts: StartFacts
  /** Ends timers and connections, and unlocks the data directory. */
  close(): Promise<void>
}

type Closers = (() => void | Promise<void>)[]

/** Starts everything that a process needs, as its environment says, and migrates the database. */
export async function composePlatform(env: Environment, overrides: Overrides = {}): Promise<ComposedPlatform> {
  const startedAt = performance.now()
  const closers: Closers = []
  const close = (): Promise<void> => closeAll(closers)
  try {
    const { platform, ...started } = await startAll(env, overrides, closers)
    const facts = {
      ...started,
      mail: platform.config.smtpUrl === null ? ('outbox' as const) : ('smtp' as const),
      warnings: startWarnings(platform.config),
      signingKid: platform.keys.current('access_token').kid,
      milliseconds: Math.round(performance.now() - startedAt),
    }
    return { platform, facts, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Outside the sandbox nobody can read the messages that no carrier takes. */
function startWarnings({ sandbox, smtpUrl }: Config): string[] {
  return sandbox || smtpUrl !== null ? [] : ['Mail goes nowhere, and people cannot sign in by mail: set SMTP_URL.']
}

/** Closes what was opened, the last one first; a failure does not prevent the others from being closed. */
async function closeAll(closers: Closers): Promise<void> {
  const failures: unknown[] = []
  for (const closer of closers.splice(0).toReversed()) {
    try {
      await closer()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

type Started = Pick<StartFacts, 'database' | 'databaseVersion' | 'migrationsApplied' | 'isFirstRun' | 'cache'>

async function startAll(
  env: Environment,
  overrides: Overrides,
  closers: Closers,
): Promise<Started & { platform: Platform }> {
  const config = overrides.config ?? readConfig(env)
  const log = overrides.logger ?? createLogger(config.logLevel)
  const random = systemRandomness
  const telemetry = createTelemetry(config.traces === null ? undefined : await openTraces(config.traces, log))
  closers.push(() => telemetry.close())
  await preferNativeEd25519(log)
  const { db, aheadMilliseconds, ...database } = await startDatabase(
    { config, log, given: overrides.database },
    closers,
  )
  db.observeWith(telemetry)
  const clock = overrides.clock ?? createClock(aheadMilliseconds)
  const redis = config.redisUrl === null ? null : await connectRedis(config.redisUrl, log)
  const cache = startCache(redis, closers)
  const sealer = createSealer(config.secrets.keyEncryptionKeys, random)
  const isFirstRun = !(await hasSigningKeys(db))
  const keys = await startKeyring(() => openKeyring(db, sealer, clock, keyringOptions(config)), { cache, log }, closers)
  const switches = createSwitches({ db, cache, clock, defaults: config.switchDefaults })
  closers.push(() => switches.close())
  const platform: Platform = {
    config,
    clock,
    random,
    log,
    telemetry,
    db,
    cache,
    sealer,
    keys,
    switches,
    rateLimits: createRateLimits({
      log,
      clock,
      ...(redis && { redis: redis.commands }),
      ...(config.databaseUrl !== null && { db }),
    }),
    mailer: openMailer(config),
    processor: observeProcessor(openProcessor({ config, db, clock, random }), telemetry),
    outbound: observeOutbound(createOutbound({ allowLoopback: config.outboundLoopback }), telemetry),
    dpopNonces: createNonceSource(sealer.deriveAll('dpop-nonce')),
    shutdown: createShutdown(),
  }
  return { platform, ...database, isFirstRun, cache: redis ? 'redis' : 'memory' }
}

function createShutdown(): Shutdown {
  let hasBegun = false
  return {
    begin: () => {
      hasBegun = true
    },
    hasBegun: () => hasBegun,
  }
}

interface DatabaseParts {
  readonly config: Config
  readonly log: Logger
  readonly given: OpenDatabase | undefined
}

async function startDatabase(parts: DatabaseParts, closers: Closers) {
  try {
    return await openAndMigrate(parts, closers)
  } catch (error) {
    throw explainDatabaseError(error, parts.config)
  }
}

async function openAndMigrate({ config, log, given }: DatabaseParts, closers: Closers) {
  const db = given ?? (await openDatabase(config))
  if (!given) closers.push(() => db.close())
  let aheadMilliseconds = 0
  if (!given && config.databaseUrl !== null) {
    await awaitDatabase(db, { ...config, log })
    aheadMilliseconds = await readClockDifference(db, systemClock, config)
    if (aheadMilliseconds !== 0) log.warn("using the database's clock, from which ours differs", { aheadMilliseconds })
  }
  const migrationsApplied = await migrate(db)
  if (migrationsApplied > 0) log.info('database migrated', { migrationsApplied })
  if (db.kind === 'embedded') {
    // The embedded database has no autovacuum.
    const vacuum = (): Promise<void> => db.session((session) => session.script('VACUUM (ANALYZE)'))
    closers.push(every(VACUUM_MILLISECONDS, vacuum, log))
  }
  const [row] = await db.query<{ version: string }>(sql`SELECT current_setting('server_version') AS version`)
  return { db, aheadMilliseconds, database: db.kind, databaseVersion: row?.version ?? '', migrationsApplied }
}

function startCache(redis: RedisConnection | null, closers: Closers): Cache {
  const cache = redis ? createRedisCache(redis) : createMemoryCache()
  closers.push(() => cache.close())
  return cache
}

/** Returns the keyring's options: a federation key stays listed while a statement that it signed may be valid. */
function keyringOptions({ federationStatementTtlSeconds, trustMarkTtlSeconds }: Config) {
  const lifetimes = [ENTITY_CONFIGURATION_TTL_SECONDS, federationStatementTtlSeconds, trustMarkTtlSeconds]
  return { federationListedSeconds: Math.max(...lifetimes) }
}

async function startKeyring(
  open: () => Promise<Keyring>,
  { cache, log }: { cache: Cache; log: Logger },
  closers: Closers,
): Promise<Keyring> {
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
