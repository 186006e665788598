import { createClient } from 'redis'
import { layCable } from '../processes/cluster'

/** A Redis that can be lost, and that can forget everything. */
export interface RedisLine {
  readonly url: string
  cut(): void
  mend(): void
  flush(): Promise<void>
  close(): void
}

const DATABASES = 16

/** A line to the server of TEST_REDIS_URL, with one of its numbered databases to itself; null where there is none. */
export async function layRedisLine(): Promise<RedisLine | null> {
  const given = process.env['TEST_REDIS_URL'] ?? ''
  if (given === '') return null
  const far = new URL(given)
  if (far.port === '') far.port = '6379'
  far.pathname = `/${1 + Math.floor(Math.random() * (DATABASES - 1))}`
  const cable = await layCable(far.href)
  return {
    url: cable.databaseUrl,
    cut: () => cable.cut(),
    mend: () => cable.mend(),
    flush: async () => {
      const client = createClient({ url: far.href })
      await client.connect()
      await client.flushDb()
      client.destroy()
    },
    close: () => cable.close(),
  }
}
