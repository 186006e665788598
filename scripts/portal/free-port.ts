import { once } from 'node:events'
import { createServer } from 'node:net'

/** Returns a free port: `wanted` if that one is free, else any other. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer().listen(wanted)
  try {
    await once(server, 'listening')
  } catch (error) {
    if (wanted !== 0) return freePort()
    throw error
  }
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
