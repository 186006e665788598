import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from 'redis'
import { inTime } from '../../core/in-time'
import type { Cache, ListBounds, Logger } from '../../core/platform'

const KEY_PREFIX = 'countersign:'
const CONNECT_TIMEOUT_MILLISECONDS = 2_000
const ANSWER_TIMEOUT_MILLISECONDS = 250
const MAX_RETRY_DELAY_MILLISECONDS = 2_000
const MAX_QUEUED_COMMANDS = 10_000

/** A client of the redis package with the settings of this file. */
export type RedisClient = ReturnType<typeof openClient>

/** The connections of one process: one for commands, one for subscriptions. */
export interface RedisConnection {
  readonly commands: RedisClient
  readonly subscriptions: RedisClient
}

/**
 * Connects to Redis. Returns also when it does not answer soon: the clients then keep trying, and commands fail at once
 * until the clients are connected.
 */
export async function connectRedis(url: string, log: Logger): Promise<RedisConnection> {
  const commands = openClient(url, log)
  const subscriptions = openClient(url, log)
  const connected = Promise.all([commands.connect(), subscriptions.connect()]).catch(() => undefined)
  await Promise.race([connected, delay(CONNECT_TIMEOUT_MILLISECONDS, undefined, { ref: false })])
  return { commands, subscriptions }
}

function openClient(url: string, log: Logger) {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_QUEUED_COMMANDS,
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MILLISECONDS,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 10), MAX_RETRY_DELAY_MILLISECONDS),
    },
  })
  let isLost = false
  client.on('error', (error) => {
    if (!isLost) log.warn('redis is not available', {}, error)
    isLost = true
  })
  client.on('ready', () => {
    if (isLost) log.info('redis is available again')
    isLost = false
  })
  return client
}

/**
 * Creates the cache that processes share. While Redis does not answer, reads find nothing, and writes and publications
 * are dropped, so correctness must not depend on it.
 */
export function createRedisCache(connection: RedisConnection): Cache {
  return new RedisCache(connection)
}

class RedisCache implements Cache {
  constructor(private readonly connection: RedisConnection) {}

  async prepend(key: string, line: string, { most, ttlSeconds }: ListBounds): Promise<void> {
    const name = KEY_PREFIX + key
    await orElse(null, () =>
      this.connection.commands
        .multi()
        .lPush(name, line)
        .lTrim(name, 0, most - 1)
        .pExpire(name, Math.ceil(ttlSeconds * 1000))
        .exec(),
    )
  }

  list(key: string): Promise<readonly string[]> {
    return orElse([], () => this.connection.commands.lRange(KEY_PREFIX + key, 0, -1))
  }

  async delete(key: string): Promise<void> {
    await orElse(0, () => this.connection.commands.del(KEY_PREFIX + key))
  }

  async publish(topic: string): Promise<void> {
    await orElse(0, () => this.connection.commands.publish(KEY_PREFIX + topic, ''))
  }

  subscribe(topic: string, listener: () => void): () => void {
    const own = (): void => listener()
    // The client remembers its subscriptions and renews them whenever it connects.
    this.connection.subscriptions.subscribe(KEY_PREFIX + topic, own).catch(() => undefined)
    return () => {
      this.connection.subscriptions.unsubscribe(KEY_PREFIX + topic, own).catch(() => undefined)
    }
  }

  async ping(): Promise<void> {
    await inTime(this.connection.commands.ping(), ANSWER_TIMEOUT_MILLISECONDS)
  }

  async close(): Promise<void> {
    this.connection.commands.destroy()
    this.connection.subscriptions.destroy()
  }
}

/** Runs a command; returns the fallback when Redis fails, or has accepted the connection but does not answer. */
async function orElse<T>(fallback: T, command: () => Promise<T>): Promise<T> {
  try {
    return await inTime(command(), ANSWER_TIMEOUT_MILLISECONDS)
  } catch {
    return fallback
  }
}
