import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Cache } from '../../core/platform'

/** What every cache promises. `open` returns two views of one cache, as two processes (or two callers of one) have. */
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

    test('a cache returns what was set, to everybody', async () => {
      await cache.set('a', 'one', 60)
      expect(await cache.get('a')).toBe('one')
      expect(await other.get('a')).toBe('one')
    })

    test('a cache returns null for what was never set, was deleted or has expired', async () => {
      await cache.set('deleted', 'x', 60)
      await cache.set('short', 'x', 0.02)
      await other.delete('deleted')
      expect(await cache.get('never')).toBeNull()
      expect(await cache.get('deleted')).toBeNull()
      await vi.waitFor(async () => expect(await cache.get('short')).toBeNull())
    })

    test('setting a value again replaces it', async () => {
      await cache.set('a', 'one', 60)
      await other.set('a', 'two', 60)
      expect(await cache.get('a')).toBe('two')
    })

    test('of many processes that put a value at once exactly one succeeds', async () => {
      const puts = Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? cache : other).putIfAbsent('k', `${index}`, 60),
      )
      const results = await Promise.all(puts)
      expect(results.filter(Boolean)).toHaveLength(1)
      expect(await cache.get('k')).toBe(`${results.indexOf(true)}`)
    })

    test('an expired value may be put again', async () => {
      await cache.putIfAbsent('k', 'one', 0.02)
      await vi.waitFor(async () => expect(await cache.putIfAbsent('k', 'two', 60)).toBe(true))
      expect(await cache.get('k')).toBe('two')
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
