import { EventEmitter } from 'node:events'
import type { Cache } from '@/server/core/platform'

const SWEEP_EVERY_WRITES = 1_000

interface Entry {
  readonly value: string
  readonly expiresAt: number
}

/** The cache of a process that is alone. */
export function createMemoryCache(): Cache {
  return new MemoryCache()
}

class MemoryCache implements Cache {
  readonly #entries = new Map<string, Entry>()
  readonly #topics = new EventEmitter().setMaxListeners(0)
  #writes = 0

  async get(key: string): Promise<string | null> {
    return this.#live(key)?.value ?? null
  }

  async set(key: string, value: string, ttlSeconds: number): Promise<void> {
    this.#sweepSometimes()
    this.#entries.set(key, { value, expiresAt: performance.now() + ttlSeconds * 1000 })
  }

  async putIfAbsent(key: string, value: string, ttlSeconds: number): Promise<boolean> {
    if (this.#live(key)) return false
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

  #live(key: string): Entry | undefined {
    const entry = this.#entries.get(key)
    if (entry && entry.expiresAt <= performance.now()) {
      this.#entries.delete(key)
      return undefined
    }
    return entry
  }

  /** Keeps what nobody reads again from piling up. */
  #sweepSometimes(): void {
    this.#writes += 1
    if (this.#writes % SWEEP_EVERY_WRITES !== 0) return
    for (const key of this.#entries.keys()) this.#live(key)
  }
}
