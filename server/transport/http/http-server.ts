import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import type { Platform } from '../../base/core/platform'
import { StartFailure } from '../../base/platform/start-failure'
import { HEADERS_MAX_BYTES, timeouts, UNREAD_TIMEOUT_MS } from './bounds'
import { type BrokenRequest, brokenRequestResponse, CONNECT, REQUEST_TIMEOUT } from './broken-request'
import type { Lane } from './lane'
import { Pending } from './pending'
import { baselineHeaders } from './reply'
import { noteTimeout } from './timed-out'

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

export interface HttpServerOptions {
  readonly platform: Platform
  readonly lane: Lane
  /** Answers requests that the lane does not; not needed in mode `alone`. */
  readonly fallback?: Handler | undefined
  /** Time limits other than those of bounds.ts. */
  readonly times?: Partial<Record<keyof typeof timeouts, number>>
}

export interface HttpServer {
  /** Listens on the addresses of the configuration; resolves to the port, which the system chooses for 0. */
  listen(port: number): Promise<number>
  /**
   * Stops gracefully: from now on readiness is 503 and each answer closes its connection; new connections are accepted
   * for `graceSeconds` more, and all accepted requests are answered.
   */
  stop(graceSeconds: number): Promise<void>
}

/** The time for accepted requests after the grace period; longer than a settlement. */
const FINISH_WITHIN_MS = 12_000

/** The longest time after the grace period in which new connections are accepted if they keep arriving. */
const TAKE_WITHIN_MS = 12_000
const QUIET_TURNS = 3

/** Creates Node's HTTP server in front of both lanes, for all addresses of the configuration. */
export function createHttpServer({ platform, lane, fallback, times = {} }: HttpServerOptions): HttpServer {
  const pending = new Pending()
  const servers: Server[] = []
  const connections = new Connections()
  const answer: Handler = async (request, response) => {
    if (await lane.handle(request, response)) return
    // Pages set stricter ones; built files and answers below /api/ have these.
    response.setHeaders(baselineHeaders(platform))
    await fallback?.(request, response)
  }
  const take = (request: IncomingMessage, response: ServerResponse) => {
    pending.add(request, response)
    if (platform.shutdown.hasBegun()) endWithAnswer(response)
    // An error while answering ends this connection, not the process.
    answer(request, response).catch((error) => {
      platform.log.error('request failed', {}, error)
      response.destroy()
    })
  }
  const create = () => {
    const server = createServer(nodeOptions({ ...timeouts, ...times }), take)
    // Without listeners, Node answers an unknown expectation in plain text and closes the connection of a CONNECT.
    server.on('checkExpectation', take)
    server.on('connect', (_request: IncomingMessage, socket) => {
      // Node's own listener is gone by now.
      socket.on('error', () => undefined).resume()
      void refuseBroken({ code: CONNECT }, socket)
    })
    server.on('connection', (socket: Socket) => connections.add(socket))
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => void refuseBroken(error, socket))
    servers.push(server)
    return server
  }
  const refusing = new WeakSet<Duplex>()
  /**
   * Refuses a request for a tunnel, or bytes that are no HTTP request, and closes the connection, once earlier requests
   * on it are answered.
   */
  async function refuseBroken(error: BrokenRequest, socket: Duplex): Promise<void> {
    if (refusing.has(socket)) return
    refusing.add(socket)
    if (error.code === REQUEST_TIMEOUT) noteTimeout(socket)
    await pending.answered(socket)
    const destroy = () => void socket.destroy()
    if (!socket.writable) return destroy()
    socket.end(brokenRequestResponse(error, platform.config.baseUrl))
    // Not closed at once, because a client that is still sending would get an error instead of the answer.
    const timer = setTimeout(destroy, UNREAD_TIMEOUT_MS)
    socket.once('end', destroy).once('close', () => clearTimeout(timer))
  }
  return {
    listen: (port) => listenEverywhere(create, platform.config.listenHosts ?? [undefined], port),
    async stop(graceSeconds) {
      platform.shutdown.begin()
      for (const response of pending.open()) endWithAnswer(response)
      await delay(graceSeconds * 1000)
      // Before the listeners, since connections that arrive while a listener closes many idle ones would be reset.
      for (const server of servers) server.closeIdleConnections()
      await takeWaiting(connections)
      const closed = Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
      const timer = setTimeout(() => connections.destroy(), FINISH_WITHIN_MS)
      await closed
      clearTimeout(timer)
    },
  }
}

/**
 * Waits until no connection has arrived for a few turns of the event loop. Closing the listener would reset
 * connections in the system's queue, from which Node accepts one per turn, and a busy process may have unread
 * requests.
 */
async function takeWaiting(connections: Connections): Promise<void> {
  const giveUpAt = performance.now() + TAKE_WITHIN_MS
  let before = -1
  for (let quiet = 0; quiet < QUIET_TURNS && performance.now() < giveUpAt; quiet += 1) {
    if (connections.taken !== before) quiet = 0
    before = connections.taken
    await setImmediate()
  }
}

/** The open connections, also upgraded ones, and the number of all accepted ones. */
class Connections {
  readonly #open = new Set<Socket>()
  taken = 0

  add(socket: Socket): void {
    this.taken += 1
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
  }

  destroy(): void {
    for (const socket of this.#open) socket.destroy()
  }
}

/**
 * Returns options with which Node keeps each time limit within a second: it checks only at intervals, and newer
 * versions add a second to the idle time.
 */
function nodeOptions(times: Record<keyof typeof timeouts, number>): ServerOptions {
  return {
    ...times,
    keepAliveTimeout: times.keepAliveTimeout - 500,
    connectionsCheckingInterval: 500,
    maxHeaderSize: HEADERS_MAX_BYTES,
    // Node would answer without a body.
    requireHostHeader: false,
  }
}

/** Makes a response close its connection, which the end of the process would otherwise break. */
function endWithAnswer(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
}

/** Listens on the given addresses; undefined is all of the machine, and ::1 is skipped on a machine without IPv6. */
async function listenEverywhere(create: () => Server, hosts: readonly (string | undefined)[], port: number) {
  let chosen = port
  for (const host of hosts) {
    try {
      chosen = await listen(create(), { host, port: chosen })
    } catch (error) {
      if (host !== '::1' || !(error instanceof AddressMissing)) throw error
    }
  }
  return chosen
}

/** Thrown when this machine does not have the address. */
class AddressMissing extends StartFailure {}

function explainListening(error: NodeJS.ErrnoException, { host, port }: { host: string | undefined; port: number }) {
  const { code = '' } = error
  const place = `${host === undefined ? 'every address' : host}, port ${port}`
  const fail = (words: string) => `The server cannot listen on ${place}: ${words} (${code}).`
  if (code === 'EADDRINUSE') {
    return new StartFailure(`${fail('another program does')} Stop that one, or choose another PORT.`, { cause: error })
  }
  if (code === 'EACCES') {
    return new StartFailure(`${fail('this user may not')} Choose a PORT above 1023.`, { cause: error })
  }
  if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') {
    return new AddressMissing(`${fail('this machine does not have the address')} Correct HOST.`, { cause: error })
  }
  return error
}

async function listen(server: Server, { host, port }: { host: string | undefined; port: number }): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainListening(error, { host, port })))
    server.listen({ port, ...(host !== undefined && { host }), ipv6Only: host === '::1' }, resolve)
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}
