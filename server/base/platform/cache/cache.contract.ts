import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Cache } from '../../core/platform'

/** Tests that every cache must pass. `open` returns two views of one cache, as two processes or two callers have. */
export function cacheContract(name: string, open: () => Promise<readonly [Cache, Cache]>): void {
  describe(`${name} cache`, () => {
    let cache: Cache
    let other: Cache
    beforeEach(async () => {
      ;[cache, other] = await open()
    })
    afterEach(async () => {
      await cache.close()
      await other.close()
    })

    test('a list gives its lines to everybody, the newest first', async () => {
      await cache.prepend('a', 'one', { most: 5, ttlSeconds: 60 })
      await other.prepend('a', 'two', { most: 5, ttlSeconds: 60 })
      await cache.prepend('b', 'three', { most: 5, ttlSeconds: 60 })
      expect(await cache.list('a')).toEqual(['two', 'one'])
      expect(await other.list('a')).toEqual(['two', 'one'])
    })

    test('a list that was never written, was deleted or has ended is empty', async () => {
      await cache.prepend('deleted', 'x', { most: 5, ttlSeconds: 60 })
      await cache.prepend('short', 'x', { most: 5, ttlSeconds: 0.02 })
      await other.delete('deleted')
      expect(await cache.list('never')).toEqual([])
      expect(await cache.list('deleted')).toEqual([])
      await vi.waitFor(async () => expect(await cache.list('short')).toEqual([]))
    })

    test('a list keeps its newest lines, of many that are written at once too', async () => {
      const lines = Array.from({ length: 20 }, (_, index) => `${index}`)
      await Promise.all(
        lines.map((line, at) => (at % 2 ? cache : other).prepend('k', line, { most: 8, ttlSeconds: 60 })),
      )
      const kept = await cache.list('k')
      expect(kept).toHaveLength(8)
      expect(new Set(kept).size).toBe(8)
      await cache.prepend('k', 'last', { most: 8, ttlSeconds: 60 })
      expect(await other.list('k')).toEqual(['last', ...kept.slice(0, 7)])
    })

    test('a publication reaches the subscribers of its topic until they leave', async () => {
      const heard: string[] = []
      const leave = other.subscribe('topic', () => heard.push('other'))
      cache.subscribe('topic', () => heard.push('own'))
      cache.subscribe('another', () => heard.push('another'))
      await vi.waitFor(async () => {
        await cache.publish('topic')
        expect(new Set(heard)).toEqual(new Set(['own', 'other']))
      })
      leave()
      await vi.waitFor(async () => {
        heard.length = 0
        await cache.publish('topic')
        await cache.ping()
        expect(heard).toEqual(['own'])
      })
    })

    test('a cache answers a ping', async () => {
      await expect(cache.ping()).resolves.toBeUndefined()
    })
  })
}
