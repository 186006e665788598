import { EventEmitter } from 'node:events'
import { LRUCache } from 'lru-cache'
import { outsideSpans } from '../../core/current-span'
import type { Cache, ListBounds } from '../../core/platform'

/** The most lists that are kept; beyond this, the least recently used one is dropped. */
const LISTS_KEPT = 10_000

/** Creates the cache of a process that shares it with no other. */
export function createMemoryCache(): Cache {
  return new MemoryCache()
}

class MemoryCache implements Cache {
  readonly #lists = new LRUCache<string, readonly string[]>({ max: LISTS_KEPT, ttlResolution: 0 })
  readonly #topics = new EventEmitter().setMaxListeners(0)

  async prepend(key: string, line: string, { most, ttlSeconds }: ListBounds): Promise<void> {
    const lines = [line, ...(this.#lists.get(key) ?? [])].slice(0, most)
    this.#lists.set(key, lines, { ttl: ttlSeconds * 1000 })
  }

  async list(key: string): Promise<readonly string[]> {
    return this.#lists.get(key) ?? []
  }

  async delete(key: string): Promise<void> {
    this.#lists.delete(key)
  }

  async publish(topic: string): Promise<void> {
    outsideSpans(() => this.#topics.emit(topic))
  }

  subscribe(topic: string, listener: () => void): () => void {
    // Wrapped, so that the same function may be subscribed twice and unsubscribed once.
    const own = (): void => listener()
    this.#topics.on(topic, own)
    return () => void this.#topics.off(topic, own)
  }

  async ping(): Promise<void> {}

  async close(): Promise<void> {
    this.#lists.clear()
    this.#topics.removeAllListeners()
  }
}
