import { createServer } from 'node:net'
import { createClient } from 'redis'
import { describe, expect, test } from 'vitest'
import { createLogger } from '../logger'
import { cacheContract } from './cache.contract'
import { createMemoryCache } from './memory'
import { connectRedis, createRedisCache } from './redis'

const silent = createLogger('silent')
const redisUrl = process.env['TEST_REDIS_URL']

cacheContract('memory', async () => {
  const cache = createMemoryCache()
  return [cache, cache]
})

if (redisUrl) {
  cacheContract('redis', async () => {
    const administrator = await createClient({ url: redisUrl }).connect()
    await administrator.flushDb()
    await administrator.close()
    const open = async () => createRedisCache(await connectRedis(redisUrl, silent))
    return [await open(), await open()]
  })
}

describe('redis cache without redis', () => {
  test('a refused connection makes the cache empty, and never a reason to fail', async () => {
    const cache = createRedisCache(await connectRedis('redis://127.0.0.1:1', silent))
    await cache.prepend('a', 'one', { most: 5, ttlSeconds: 60 })
    expect(await cache.list('a')).toEqual([])
    await cache.delete('a')
    await cache.publish('topic')
    cache.subscribe('topic', () => undefined)()
    await expect(cache.ping()).rejects.toThrow(/offline|closed|connect/i)
    await cache.close()
  })

  test('a server that accepts and never answers does not hold anyone up', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const cache = createRedisCache(await connectRedis(`redis://127.0.0.1:${port}`, silent))
    expect(await cache.list('a')).toEqual([])
    await cache.close()
    server.close()
  })
})
