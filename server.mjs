/**
 * The production entry. It refuses malformed requests, answers the API from the lane that instrumentation.ts has put
 * together, and leaves the portal to Next. `--dev` runs Next's development server; LANE=next sends the API through
 * Next's route files as well.
 */
import { createServer } from 'node:http'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const dev = process.argv.includes('--dev')
process.env.NODE_ENV ??= dev ? 'development' : 'production'
process.env.NEXT_TELEMETRY_DISABLED ??= '1'
const port = Number(process.env.PORT ?? 3000)
const file = fileURLToPath(import.meta.url)
const dir = path.dirname(file)

/**
 * Ends a start that failed. Next would tell it several times over, and let the process end with status 0 or wait for
 * nothing. `npm start` imports this file and has its own words.
 */
function giveUp(error) {
  if (process.argv[1] !== file) throw error
  console.error(error?.name === 'ConfigError' ? error.message : error)
  process.exit(1)
}

// Next runs instrumentation.ts while it prepares, but does not wait for it; the service hands itself over here.
const handover = new Promise((resolve, reject) => {
  globalThis[Symbol.for('countersign.handover')] = { resolve, reject }
})
const { default: next } = await import('next')
const app = next({ dev, dir, port, hostname: 'localhost' })
const [service] = await Promise.all([handover, app.prepare()]).catch(giveUp)
const nextHandler = app.getRequestHandler()

const options = { headersTimeout: 8_000, requestTimeout: 15_000, keepAliveTimeout: 65_000, maxHeaderSize: 16 * 1024 }
const servers = []

async function answer(request, response) {
  if (await service.lane.handle(request, response)) return
  await nextHandler(request, response)
}

/** Listens on one address; undefined is every address of the machine. */
async function listen(host) {
  const server = createServer(options, (request, response) => {
    // What goes wrong while answering ends this connection, and not the process.
    answer(request, response).catch((error) => {
      console.error(error)
      response.destroy()
    })
  })
  server.on('clientError', (error, socket) => {
    if (socket.writable) socket.end(service.brokenRequestResponse(error))
    else socket.destroy()
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, ipv6Only: host === '::1' }, resolve)
  })
  servers.push(server)
}

/** Listens on every address that is asked for; a machine without IPv6 has no ::1. */
async function listenEverywhere(hosts) {
  for (const host of hosts) {
    await listen(host).catch((error) => {
      const isMissing = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(error.code)
      if (!isMissing || host !== '::1') throw error
    })
  }
}

await listenEverywhere(service.listenHosts ?? [undefined]).catch(giveUp)

let stopping = false
/** Takes no new connections, lets what is running finish, then closes the database. */
async function stop() {
  if (stopping) return
  stopping = true
  const closed = Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  for (const server of servers) server.closeIdleConnections()
  await service.drain()
  const closeAll = () => servers.forEach((server) => server.closeAllConnections())
  const timer = setTimeout(closeAll, 10_000)
  await closed
  clearTimeout(timer)
  await service.close()
  process.exit(0)
}
process.on('SIGTERM', () => void stop())
process.on('SIGINT', () => void stop())
