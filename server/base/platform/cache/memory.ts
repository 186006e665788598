import { EventEmitter } from 'node:events'
import { LRUCache } from 'lru-cache'
import type { Cache } from '../../core/platform'

/** Beyond this, what was used least recently makes room. */
const ENTRIES_KEPT = 10_000

/** The cache of a process that is alone. */
export function createMemoryCache(): Cache {
  return new MemoryCache()
}

class MemoryCache implements Cache {
  readonly #entries = new LRUCache<string, string>({ max: ENTRIES_KEPT, ttlResolution: 0 })
  readonly #topics = new EventEmitter().setMaxListeners(0)

  async get(key: string): Promise<string | null> {
    return this.#entries.get(key) ?? null
  }

  async set(key: string, value: string, ttlSeconds: number): Promise<void> {
    this.#entries.set(key, value, { ttl: ttlSeconds * 1000 })
  }

  async putIfAbsent(key: string, value: string, ttlSeconds: number): Promise<boolean> {
    if (this.#entries.has(key)) return false
    await this.set(key, value, ttlSeconds)
    return true
  }

  async delete(key: string): Promise<void> {
    this.#entries.delete(key)
  }

  async publish(topic: string): Promise<void> {
    this.#topics.emit(topic)
  }

  subscribe(topic: string, listener: () => void): () => void {
    // Wrapped, so that the same function may be subscribed twice and taken back once.
    const own = (): void => listener()
    this.#topics.on(topic, own)
    return () => void this.#topics.off(topic, own)
  }

  async ping(): Promise<void> {}

  async close(): Promise<void> {
    this.#entries.clear()
    this.#topics.removeAllListeners()
  }
}
